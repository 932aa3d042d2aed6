// SPDX-License-Identifier: Apache-2.0
// Phase 2 of a placement: which domains, from the requested level down to the leaves
// (placement.md 4.4, 4.5).
//
// Reads a CountTable; changes nothing but the steps spent. Where those are used up every function
// here returns at once with a value that nobody may use. Start at search().
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "solver/search/deal.h"
#include "solver/search/steps.h"

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

std::variant<Leaves, Shortfall> search(const SearchProblem& problem);

/// Adds those of a run of domains that can take something, with the table's numbers. A step each.
void add_candidates(const SearchProblem& problem, topology::DomainRange range,
                    std::vector<Candidate>& out);

/// From shares at `level` down to the leaves. `balanced`: levels above the slice level are dealt
/// domain by domain too.
Leaves descend(const SearchProblem& problem, int level, std::vector<Share> shares, bool balanced);

}  // namespace tessera::solver
