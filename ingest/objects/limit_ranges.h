// SPDX-License-Identifier: Apache-2.0
// LimitRanges of a namespace: the defaults for a pod that names no amount, and the most and the
// least that a pod may ask for (queues.md 4, 10.2).
//
// Read through the registry, applied when objects are linked. Several LimitRanges of a namespace
// become one: the first default, the smallest maximum, the largest minimum.
#pragma once

#include <string>

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_limit_range(ReadContext& context, const ObjectHeader& header, reader::Value root);

/// Adds `other` to the limits of its namespace so far.
void merge_limits(const LimitRangeObject& other, LimitRangeObject& limits);

/// Fills in what containers (type Container) and the pod as a whole (type Pod) do not name.
void apply_defaults(const LimitRangeObject& limits, PodResources& resources);

/// Why Kueue would not evaluate a pod set with these resources (queues.md 10.2); empty if it would.
/// `path`: field path of its pod spec. Texts about limits come before texts about LimitRanges.
std::string request_fault(const PodResources& resources, const std::string& path);
std::string range_fault(const LimitRangeObject& limits, const PodResources& resources,
                        const std::string& path);

}  // namespace tessera::ingest
