// SPDX-License-Identifier: Apache-2.0
// JointRoom: how many pods the leaves of a domain take together, where a leaf of another flavor
// over the same nodes holds something: what is left of it is there once, not once a host.
//
// Used by UnitRoom and Judge, off the decision path. A plain count looks at each leaf alone and
// says too much there (solver/search/shared_room.h divides the room when a gang is placed). Fills
// leaf after leaf on a copy, whole slices only, so it never says more than there is; where the
// other flavor's leaves lie inside each other's domains it says all there is. A leader is tried on
// up to kMostLeaderLeaves leaves.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "actors/records/assignment.h"
#include "solver/counting/counts.h"

namespace tessera::core {

inline constexpr std::size_t kMostLeaderLeaves = 64;

class JointRoom {
 public:
  /// A leader on another flavor than its workers; the request then has none.
  struct OtherLeader {
    const solver::FlavorView* view = nullptr;
    Amounts per_pod;
    std::shared_ptr<const solver::FilterClass> filter;
  };
  /// `capacity` is copied; the copy is cheap. The views and `resolved` outlive it.
  JointRoom(const solver::CountRequest& request, const solver::ResolvedRequest& resolved,
            const topology::Capacity& capacity, std::optional<OtherLeader> other = {});

  /// False: each leaf may be looked at alone.
  bool binds() const { return other_ || !bound_.empty(); }
  bool binds(topology::DomainId domain) const { return other_ || bound_.count(domain) > 0; }
  /// The resource that the leaves around this one lack together, if they bound it.
  std::optional<Symbol> short_on(std::uint32_t leaf) const;

  /// As CountTable::at(), without a score.
  solver::Counts at(topology::DomainId domain);
  /// All domains of level 0 together.
  solver::Counts all();

 private:
  struct Taken {
    topology::CellId cell;
    std::int64_t pods;
  };
  void find_bound_leaves();
  std::int64_t pods_on(std::uint32_t leaf, const Amounts& per_pod) const;
  solver::Counts count(topology::DomainRange domains, int level,
                       std::optional<topology::DomainId> within);
  std::int64_t fill(topology::DomainRange domains, int level, bool whole);
  std::int64_t fill_domain(topology::DomainId domain, int level, bool whole);
  void give_back(std::size_t from, std::int64_t pods);
  void undo() { give_back(0, INT64_MAX); }
  std::vector<topology::CellId> leader_cells(std::optional<topology::DomainId> within) const;

  solver::CountRequest request_;
  const solver::ResolvedRequest* resolved_;
  topology::Capacity capacity_;
  std::optional<OtherLeader> other_;
  topology::RowAmounts worker_, leader_;
  std::set<topology::DomainId> bound_;     // domains with leaves that bound each other
  std::map<std::uint32_t, Symbol> short_;  // by leaf
  std::map<topology::DomainId, solver::Counts> known_;
  std::vector<Taken> taken_;  // by the fill at work
};

}  // namespace tessera::core
