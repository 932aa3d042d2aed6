// SPDX-License-Identifier: Apache-2.0
// Fills the leaves of a gang tree with pods: equal pods that wait become a pod set, pods that run
// are noted by their nodes (gangs.md 1.3).
//
// Called by the linking step for each PodGroup. Pods of a leaf go by task priority, time and name
// (gangs.md 4.2), so that the order of the input does not matter.
#pragma once

#include <cstdint>
#include <vector>

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// A pod that waits or runs, and the position of its leaf in Gang::groups.
struct GangPod {
  PodObject* pod = nullptr;
  std::uint32_t leaf = 0;
};

/// `workload`: its gang has groups and no pod sets yet. Takes the requests out of the pods. If it
/// names no queue, it gets that of its first pod with one.
void add_gang_pods(ReadContext& context, std::vector<GangPod> pods, core::Workload& workload);

}  // namespace tessera::ingest
