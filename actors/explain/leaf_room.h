// SPDX-License-Identifier: Apache-2.0
// LeafRoom: how many pods of one pod set every leaf and every domain could take, each judged
// alone; evidence for refusals.
//
// Pure; used by never.h and explain.h, off the decision path (the solver counts for itself). A
// leader beside its workers and earlier pod sets of the same workload are not looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/planner/books.h"
#include "solver/search/place.h"
#include "solver/counting/request.h"

namespace tessera::core {

struct LeafRoom {
  std::vector<std::int64_t> pods;      // by LeafId; 0 where a filter excludes the leaf
  std::vector<std::uint16_t> verdict;  // by LeafId: as in solver::FilterClass
};

/// From a snapshot of the books' index, which stays as it is; without an index leaf by leaf.
LeafRoom count_leaf_room(const solver::FlavorView& view, const Books& books,
                         const solver::PodSet& pod_set);

/// Sum over all leaves, saturating.
std::int64_t total(const LeafRoom& leaves);

/// By DomainId, what each domain could take; inside a layer's level only whole slices pass upwards.
std::vector<std::int64_t> roll_up(const topology::DomainTree& tree, const LeafRoom& leaves,
                                  const std::vector<solver::Layer>& layers);

}  // namespace tessera::core
