// SPDX-License-Identifier: Apache-2.0
// SearchResult: what a background search found (design.md 2.2, 3.2). Places are given by names, so
// that they can be looked up on any tree of the same nodes and stand in the record of the cycle
// that takes the result.
//
// A value, made by the Searcher. SequentialPlan decides whether the result still counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/records/assignment.h"
#include "actors/records/attempt.h"

namespace tessera::core {

/// Counts of what has changed in the planner's books. Equal counts: equal books.
struct BooksVersion {
  std::uint64_t nodes = 0;   // changes of nodes and definitions: leaves may differ
  std::uint64_t freed = 0;   // changes that may help a refused workload
  std::uint64_t placed = 0;  // workloads placed
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
  bool is_void = false;  // the search was stopped: nothing is known
  std::optional<FoundPlace> place;
  Attempt refused;  // if there is no place
  std::int64_t steps = 0;
  BooksVersion version;  // of the books that were searched
  int stale = 0;         // late placements and stopped searches before this one
};

}  // namespace tessera::core
