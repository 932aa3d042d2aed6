// SPDX-License-Identifier: Apache-2.0
// Counts: how many pods and slices every domain of a tree can take for one request (placement.md
// section 3).
//
// Phase 1 of a placement: count_leaves() divides what is free on every leaf by the request,
// roll_up() sums to the levels above. Rows are dense by DomainId; with-leader rows exist only if a
// leader is wanted, scores only if affinity is on. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/place.h"
#include "solver/request.h"

namespace tessera::solver {

/// The numbers of one domain. Short names of placement.md in brackets.
struct Counts {
  std::int64_t pods = 0;                // [P]
  std::int64_t slices = 0;              // [S]
  std::int64_t pods_with_leader = 0;    // [PL] pods that still fit beside the leader
  std::int64_t slices_with_leader = 0;  // [SL]
  std::int64_t leaders = 0;             // [LD] 0 or 1
  std::int64_t score = 0;               // [A]
};

class CountTable {
 public:
  CountTable(std::uint32_t domains, bool with_leader, bool with_score);

  bool with_leader() const { return with_leader_; }
  Counts at(topology::DomainId domain) const;
  void set(topology::DomainId domain, const Counts& counts);

 private:
  bool with_leader_, with_score_;
  std::vector<std::int64_t> pods_, slices_, pods_with_leader_, slices_with_leader_, score_;
  std::vector<std::uint8_t> leaders_;
};

/// What is counted: the workers' request, perhaps a leader's, with their filters and scores on this
/// view.
struct CountRequest {
  const FlavorView* view = nullptr;
  Amounts worker;  // pod slot included
  const FlavorView::FilterClass* worker_filter = nullptr;
  bool has_leader = false;
  Amounts leader;
  const FlavorView::FilterClass* leader_filter =
      nullptr;  // null: the workers' filter decides for the leader too (Kueue)
  const std::vector<std::int64_t>* scores = nullptr;  // by LeafId; null: affinity is off
};

/// Why leaves hold nothing; the evidence of M4.
struct Exclusions {
  std::int64_t leaves = 0;         // examined
  std::vector<CauseCount> causes;  // those with leaves > 0
};

CountTable count(const CountRequest& request, const ResolvedRequest& resolved,
                 const topology::Capacity& capacity, topology::Basis basis, Exclusions& exclusions);

/// The numbers of an inner domain from those of its children (3.2). `unit`: children give pods in
/// multiples of it. `slice_size`: 0, or, at the slice level, the size that replaces the sums of
/// slices.
class Sum {
 public:
  Sum(bool with_leader, std::int64_t unit) : with_leader_(with_leader), unit_(unit) {}
  void add(const Counts& child);
  Counts total(std::int64_t slice_size) const;

 private:
  bool with_leader_;
  std::int64_t unit_;
  Counts sum_;
  bool has_contributor_ = false;
  std::int64_t least_pods_lost_ = 0, least_slices_lost_ = 0;
};

/// Pods of `request` that fit into what is free on `cell`: placement.md 2.3. At most INT32_MAX.
std::int64_t pods_that_fit(const topology::Capacity& capacity, topology::Basis basis,
                           topology::CellId cell, const Amounts& request);

}  // namespace tessera::solver
