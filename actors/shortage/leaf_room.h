// SPDX-License-Identifier: Apache-2.0
// LeafRoom: how many pods of one pod set each leaf could take, each judged alone.
//
// Pure; used by never.h and explain.h, off the decision path (the solver has counts of its own).
// Ignores a leader beside the workers, and earlier pod sets of the same workload: unit_room.h does
// not.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/books/books.h"
#include "solver/counting/request.h"
#include "solver/search/place.h"

namespace tessera::core {

struct LeafRoom {
  std::vector<std::int64_t> pods;      // by LeafId; 0 where a filter excludes the leaf
  std::vector<std::uint16_t> verdict;  // by LeafId: as in solver::FilterClass
};

/// Counts on a snapshot of the books' index; the index itself does not change. Without an index it
/// counts leaf by leaf.
LeafRoom count_leaf_room(const solver::FlavorView& view, const Books& books,
                         const solver::PodSet& pod_set);

/// How many pods all leaves take together, saturating; in no slices.
std::int64_t room_together(const solver::FlavorView& view, const Books& books,
                           const solver::PodSet& pod_set);

}  // namespace tessera::core
