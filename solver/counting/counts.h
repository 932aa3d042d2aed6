// SPDX-License-Identifier: Apache-2.0
// The plain count: how many pods and slices every domain of a tree can take for one request
// (placement.md section 3), from nothing.
//
// Phase 1 of a placement without an index; the oracle of the index. Divides what is free on every
// leaf by the request, sums to the levels above. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/counting/count_table.h"
#include "topology/capacity.h"

namespace tessera::solver {

/// What is counted: the workers' request, and a leader's if there is one, with their filters and
/// scores on this view. Lives as long as the placement of one unit.
struct CountRequest {
  const FlavorView* view = nullptr;
  Amounts worker;  // pod slot included
  std::shared_ptr<const FilterClass> worker_filter;
  bool has_leader = false;
  Amounts leader;
  std::shared_ptr<const FilterClass>
      leader_filter;  // null: the workers' filter decides for the leader too (Kueue)
  std::shared_ptr<const ScoreTable> scores;  // null: affinity is off, or nothing is preferred
};

/// Why leaves take no pod: the evidence of a refusal (placement.md M4).
struct Exclusions {
  std::int64_t leaves = 0;         // examined
  std::vector<CauseCount> causes;  // causes that exclude some leaf
};

/// The rows of one plain count.
struct CountRows {
  CountRows(const topology::DomainTree& tree, const ResolvedRequest& request, bool with_leader);
  void set(topology::DomainId domain, const Counts& counts);  // without the score

  LeafRows leaves;
  InnerRows inner;
  std::uint32_t first_leaf;
};

CountRows count(const CountRequest& request, const ResolvedRequest& resolved,
                const topology::Capacity& capacity, topology::Basis basis, Exclusions& exclusions);

/// Pods of `request` that fit into what is free on `cell`: placement.md 2.3. At most INT32_MAX.
std::int64_t pods_that_fit(const topology::Capacity& capacity, topology::Basis basis,
                           topology::CellId cell, const Amounts& request);

}  // namespace tessera::solver
