// SPDX-License-Identifier: Apache-2.0
// RollUp: the sums of one request over the domains above the leaves. They move when leaves change
// (docs/index.md, "roll-up key"; placement.md 3.2).
//
// Belongs to the LiveCounts of its leaves, in the index. build() makes all numbers from the leaves.
// move() takes over changed leaves and touches only the domains above them. Sums move by the
// difference. The minima beside a leader are found again from the children of the touched domain,
// or, where a domain has many children, from a tournament. Copies share rows until one is written.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "solver/counting/count_table.h"
#include "solver/counting/workers.h"
#include "solver/index/tournament.h"

namespace tessera::solver {

/// A domain above touched leaves. `first` and `end` are positions of leaves, or of domains of the
/// level below; `above` is the position of its parent. Found once for all keys.
struct TouchedDomain {
  topology::DomainId domain;
  topology::DomainRange children;
  std::uint32_t first, end, above;
};

/// Codes of leaves before and after a change, in leaf order, each leaf once. Leaves that did not
/// change may be among them. With a leader, the other numbers of a leaf may have changed too.
struct LeafChanges {
  std::span<const std::vector<TouchedDomain>> levels;  // the one above the leaves first
  std::span<const std::uint32_t> leaves;
  const std::int32_t* before;
  const std::int32_t* after;
};

class RollUp {
 public:
  RollUp(const ResolvedRequest& request, const topology::DomainTree& tree, bool with_leader);

  /// True if this request has the same numbers.
  bool serves(const ResolvedRequest& request) const;
  const InnerRows& rows() const { return rows_; }

  /// `workers` null: in the calling thread.
  void build(const topology::DomainTree& tree, const LeafRows& leaves, Workers* workers);
  /// `leaves`: after the changes.
  void move(const topology::DomainTree& tree, const LeafRows& leaves, const LeafChanges& changes);
  /// The slots of leaves below `parent` changed places.
  void slots_moved(const topology::DomainTree& tree, const LeafRows& leaves,
                   topology::DomainId parent);

  std::uint64_t last_used = 0;  // decision of the index

 private:
  struct Difference {
    std::int64_t pods = 0, slices = 0;
  };
  /// What each child of a wide domain loses beside a leader.
  struct Wide {
    Tournament pods_lost, slices_lost;
  };

  CountTable table(const topology::DomainTree& tree, const LeafRows& leaves) const;
  Counts plain_sum(const CountTable& table, topology::DomainRange children, int level) const;
  void build_level(const topology::DomainTree& tree, const CountTable& table, int level,
                   topology::DomainRange part);
  void build_above_leaves(const topology::DomainTree& tree, const CountTable& table,
                          topology::DomainRange part);
  void store_sums(std::uint32_t domain, int level, std::int64_t pods, std::int64_t leaf_slice);
  void build_wide(const CountTable& table, topology::DomainRange children, std::uint32_t parent,
                  int level);
  void add_leaves(const LeafChanges& changes, std::int64_t leaf_slice);
  void move_level(const CountTable& table, const LeafChanges& changes, std::size_t step, int level);
  Difference move_domain(const CountTable& table, const LeafChanges& changes, std::size_t step,
                         int level, const TouchedDomain& touched, const Difference& below);
  void move_path(const LeafChanges& changes, Difference below);
  Difference move_sums(std::uint32_t domain, int level, const Difference& below);
  void enter_changes(const CountTable& table, const LeafChanges& changes, std::size_t step,
                     const TouchedDomain& touched, std::int64_t unit);
  Counts beside_leader(std::uint32_t domain, int level, const Counts& linear) const;
  Counts leaderless_sum(const CountTable& table, topology::DomainRange children, int level) const;
  void store(std::uint32_t domain, const Counts& counts);
  std::int64_t slice_size(int level) const {
    return level == request_.slice_level ? request_.slice_size : 0;
  }

  ResolvedRequest request_;
  bool with_leader_;
  InnerRows rows_;
  std::map<std::uint32_t, std::shared_ptr<Wide>> wide_;  // by DomainId
  std::vector<Difference> below_, above_;                // reused for their memory
};

}  // namespace tessera::solver
