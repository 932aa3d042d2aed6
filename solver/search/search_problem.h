// SPDX-License-Identifier: Apache-2.0
// SearchProblem: what every part of one search is given: the tree, its numbers, the request, how
// lists are ordered, the steps left. Also the two ends of a search: leaves, or how far it got.
//
// Made by place_gang() for one pod set (or the workers of a group with their leader); read by
// search, level scan, descent, balanced placement and refusals. Only the steps change. Where those
// are used up, every function of the search returns at once with a value that nobody may use.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/choice/deal.h"
#include "solver/choice/options.h"
#include "solver/choice/steps.h"
#include "solver/counting/count_table.h"

namespace tessera::solver {

struct SearchProblem {
  const topology::DomainTree* tree = nullptr;
  const CountTable* table = nullptr;
  const ResolvedRequest* request = nullptr;
  std::int64_t pods = 0;     // N
  std::int64_t leaders = 0;  // 0 or 1
  Ordering ordering;
  BalancedPlacement balanced = BalancedPlacement::kOff;
  Steps* steps = nullptr;

  std::int64_t slices() const { return pods / request->slice_size; }  // K
  Load load() const { return {pods, leaders, request->slice_size, Unit::kSlices}; }
};

/// How far the search got when it ended without a placement.
struct Shortfall {
  int level = 0;             // the level of the failing find()
  bool no_domains = false;   // the level is empty
  std::int64_t fits = 0;     // slices that fit: in the best domain (required), or in all together
  bool only_leader = false;  // the workers fit, the leader beside them does not
};

/// Shares by leaf, in path order, none empty. Fewer pods than asked mean that the counts promised
/// more than the levels below could hold: the caller refuses.
using Leaves = std::vector<Share>;

}  // namespace tessera::solver
