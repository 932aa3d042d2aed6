// SPDX-License-Identifier: Apache-2.0
// Reads a KAI PodGroup (scheduling.run.ai/v2alpha2, gangs.md 1.1) into the groups of a gang tree.
//
// Called through ingest/kinds/registry.cpp. Takes the API that KAI has and that of its design
// (`topologyConstraints`), never both in one object. What breaks a rule of gangs.md 9 goes into
// Workload::invalid. Pods and level names come when objects are linked
// (ingest/groups/pod_groups.h).
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// What of a gang is read at most. More makes the workload Invalid.
inline constexpr std::uint32_t kMostGroupLevels = 16;  // groups below each other
inline constexpr std::size_t kMostGroups = 10'000;

void read_pod_group(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
