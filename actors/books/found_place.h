// SPDX-License-Identifier: Apache-2.0
// Turns a placement on the leaves of a tree into names, and names back into leaves. A background
// search hands its result over by names, and the planner looks the names up on its own trees.
//
// Called by the Searcher and by SequentialPlan, each on its thread, while nobody changes the trees.
// Pure. Does not look at room or quota.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actors/books/books.h"
#include "actors/records/search_result.h"

namespace tessera::core {

/// Pod sets that were placed on the trees of `cluster`, by names.
FoundPlace found_place(std::vector<PodSetDecision> pod_sets, const std::string& cluster_queue,
                       const Workload& workload, const Cluster& cluster,
                       std::span<const Flavor> flavors);

/// The same pod sets on the trees of `cluster`; nothing if those trees lack one of the names.
std::optional<std::vector<PodSetDecision>> pod_sets_of(const FoundPlace& place,
                                                       const Cluster& cluster,
                                                       std::span<const Flavor> flavors);

}  // namespace tessera::core
