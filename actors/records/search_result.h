// SPDX-License-Identifier: Apache-2.0
// SearchResult: what a background search found, by names: good on any tree of the same nodes, and
// in the record of the cycle that takes it (design.md 2.2, 3.2).
//
// A value, made by the Searcher. Whether it still counts is the planner's to say: SequentialPlan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/records/assignment.h"
#include "actors/records/attempt.h"

namespace tessera::core {

/// How far the planner's books had come.
struct BooksVersion {
  std::uint64_t nodes = 0;   // changes of nodes and definitions: leaves may be other ones
  std::uint64_t freed = 0;   // what may help somebody who was refused
  std::uint64_t placed = 0;  // workloads
};

/// The tree of a flavor's nodes that a pod set was placed on.
struct TreeName {
  std::string flavor;  // empty: none
  bool open = false;   // with unlabelled nodes as leaves
};

/// Room for a workload.
struct FoundPlace {
  Admission admission;
  std::vector<TreeName> trees;  // by pod set
};

struct SearchResult {
  bool is_void = false;  // the search was ended: nothing is known
  std::optional<FoundPlace> place;
  Attempt refused;  // if there is no place
  std::int64_t steps = 0;
  BooksVersion version;  // of the books that were searched
  int stale = 0;         // placements that came too late before
};

}  // namespace tessera::core
