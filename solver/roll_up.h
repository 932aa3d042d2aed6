// SPDX-License-Identifier: Apache-2.0
// RollUp: the sums of one request over the domains above the leaves, moved by what changes below
// (placement.md 3.2; design.md 1, "roll-up key").
//
// Belongs to the LiveCounts of its leaves, in the index. build() makes all numbers from the leaves;
// move() takes over changed leaves and touches their ancestors only: sums by difference, the minima
// beside a leader by reading the children of the touched domain again, or, where a domain has many
// children, from a tournament. Copies share their rows until one is written.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "solver/count_table.h"
#include "solver/tournament.h"
#include "solver/workers.h"

namespace tessera::solver {

/// Codes of leaves before and after a change, in leaf order, each leaf once. Leaves that did not
/// change may be among them. With a leader the other numbers may have changed too.
struct LeafChanges {
  /// Leaves begin..end of the lists are children of one domain.
  struct Run {
    topology::DomainId parent;
    std::uint32_t begin, end;
  };
  std::span<const Run> runs;
  std::span<const std::uint32_t> leaves;
  const std::int32_t* before;
  const std::int32_t* after;
};

class RollUp {
 public:
  RollUp(const ResolvedRequest& request, const topology::DomainTree& tree, bool with_leader);

  /// True if the numbers are those of this request too.
  bool serves(const ResolvedRequest& request) const;
  const InnerRows& rows() const { return rows_; }

  /// `workers` null: in the calling thread.
  void build(const topology::DomainTree& tree, const LeafRows& leaves, Workers* workers);
  /// `leaves` are as they are after the changes.
  void move(const topology::DomainTree& tree, const LeafRows& leaves, const LeafChanges& changes);
  /// The slots of leaves below `parent` changed places.
  void slots_moved(const topology::DomainTree& tree, const LeafRows& leaves,
                   topology::DomainId parent);

  std::uint64_t last_used = 0;  // decision of the index

 private:
  /// A domain's numbers before and after a change.
  struct Change {
    std::uint32_t domain;
    std::int64_t pods_before, pods_after, slices_before, slices_after;
  };
  /// What each child of a wide domain loses beside a leader.
  struct Wide {
    Tournament pods_lost, slices_lost;
  };

  CountTable table(const topology::DomainTree& tree, const LeafRows& leaves) const;
  Counts plain_sum(const CountTable& table, topology::DomainRange children, int level) const;
  void build_level(const topology::DomainTree& tree, const CountTable& table, int level,
                   topology::DomainRange part);
  void build_wide(const CountTable& table, topology::DomainRange children, std::uint32_t parent,
                  int level);
  void move_leaves(const CountTable& table, const LeafChanges& changes, int level,
                   const topology::DomainTree& tree);
  void move_level(const CountTable& table, int level, const topology::DomainTree& tree);
  void move_domain(const CountTable& table, topology::DomainId domain, int level,
                   const topology::DomainTree& tree, const Counts& difference);
  Counts move_wide(const CountTable& table, topology::DomainRange children, std::uint32_t parent,
                   int level, const Counts& linear);
  Counts leaderless_sum(const CountTable& table, topology::DomainRange children, int level) const;
  void store(std::uint32_t domain, const Counts& counts);
  std::int64_t slice_size(int level) const {
    return level == request_.slice_level ? request_.slice_size : 0;
  }

  ResolvedRequest request_;
  bool with_leader_;
  InnerRows rows_;
  std::map<std::uint32_t, std::shared_ptr<Wide>> wide_;  // by DomainId
  std::vector<Change> changes_, above_;                  // kept for their memory
  std::vector<std::uint32_t> changed_;                   // children of the domain at work
};

}  // namespace tessera::solver
