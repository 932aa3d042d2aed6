// SPDX-License-Identifier: Apache-2.0
// Reads spec.resourceGroups of ClusterQueue and Cohort: the flavors in their order, and how much of
// each resource they give (queues.md 5), in engine units.
//
// Called by queue_objects.cpp. Faults are reported; the caller leaves the object out.
#pragma once

#include <string>
#include <vector>

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// `has_parent`: the object names a cohort. Without a cohort, borrowing and lending limits have no
/// effect and are dropped with a warning.
std::vector<core::ResourceGroup> read_resource_groups(ReadContext& context,
                                                      const ObjectHeader& header,
                                                      reader::Value spec, bool has_parent);

}  // namespace tessera::ingest
