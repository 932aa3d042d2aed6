// SPDX-License-Identifier: Apache-2.0
// CountTable: the numbers of every domain of a tree for one request, as the search reads them.
//
// A view: the rows belong to CountRows (the plain count) or to the index. Leaves are kept in 32
// bits, domains above them in 64, both in copy-on-write chunks. Reading is thread-safe while nobody
// writes the rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "solver/counting/buckets.h"
#include "solver/counting/request.h"
#include "solver/gang/flavor_view.h"
#include "topology/chunked_rows.h"

namespace tessera::solver {

/// The numbers of one domain. Short names of placement.md in brackets.
struct Counts {
  std::int64_t pods = 0;                // [P]
  std::int64_t slices = 0;              // [S]
  std::int64_t pods_with_leader = 0;    // [PL] pods that still fit beside the leader
  std::int64_t slices_with_leader = 0;  // [SL]
  std::int64_t leaders = 0;             // [LD] 0 or 1
  std::int64_t score = 0;               // [A]
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// Rows by LeafId.
struct LeafRows {
  enum Row : std::uint32_t { kCode, kPodsWithLeader, kLeaders };

  LeafRows() = default;
  LeafRows(std::uint32_t leaves, bool with_leader) : rows(with_leader ? 3 : 1, leaves) {}

  bool with_leader() const { return rows.rows() > 1; }

  /// Buckets of the pods. Empty: not kept; the index makes them when a search at the leaves comes.
  mutable Buckets buckets;
  bool keeps_buckets = false;

  /// kCode: pods if above 0; else no pod fits, and the code says why
  /// (solver/counting/count_kernel.h).
  topology::ChunkedRows<std::int32_t> rows;
};

/// Rows by DomainId, for the domains above the leaves.
struct InnerRows {
  InnerRows() = default;
  /// `sliced`: slices are something else than pods.
  InnerRows(std::uint32_t domains, bool with_leader, bool sliced)
      : rows((sliced ? 2 : 1) * (with_leader ? 2 : 1) + (with_leader ? 1 : 0), domains),
        slices(sliced ? 1 : 0),
        pods_with_leader(with_leader ? slices + 1 : 0),
        slices_with_leader(with_leader ? pods_with_leader + (sliced ? 1 : 0) : slices),
        leaders(with_leader ? slices_with_leader + 1 : 0) {}

  topology::ChunkedRows<std::int64_t> rows;
  mutable Buckets buckets;  // buckets of the slices; empty: not kept
  std::uint32_t slices = 0, pods_with_leader = 0, slices_with_leader = 0,
                leaders = 0;  // row 0: pods
};

class CountTable {
 public:
  /// All but `request` outlive the table.
  CountTable(const topology::DomainTree& tree, const ResolvedRequest& request,
             const LeafRows& leaves, const InnerRows& inner, const ScoreTable* scores)
      : leaves_(&leaves),
        inner_(&inner),
        scores_(scores),
        first_leaf_(tree.level(tree.leaf_level()).begin),
        leaf_slice_(request.slice_level == tree.leaf_level() ? request.slice_size : 0) {}

  bool with_leader() const { return leaves_->with_leader(); }
  Counts at(topology::DomainId domain) const;
  /// True if pods are all that there is to know of a leaf: see of_pods().
  bool plain_leaves() const { return scores_ == nullptr && !with_leader() && leaf_slice_ <= 1; }
  /// What at() gives for such a leaf with `pods` pods.
  Counts of_pods(std::int64_t pods) const {
    const std::int64_t slices = leaf_slice_ * pods;
    return {pods, slices, pods, slices, 0, 0};
  }

  bool is_leaf(topology::DomainId domain) const { return index(domain) >= first_leaf_; }
  const LeafRows& leaves() const { return *leaves_; }
  const InnerRows& inner() const { return *inner_; }
  std::uint32_t first_leaf() const { return first_leaf_; }
  /// Pods of one slice, if slices are counted at the leaf level; 0: they are counted above it.
  std::int64_t leaf_slice() const { return leaf_slice_; }

 private:
  const LeafRows* leaves_;
  const InnerRows* inner_;
  const ScoreTable* scores_;
  std::uint32_t first_leaf_;
  std::int64_t leaf_slice_;
};

/// The numbers of an inner domain from those of its children (placement.md 3.2). `unit`: children
/// give pods in multiples of it. `slice_size`: 0, or, at the slice level, the size that replaces
/// the sums of slices.
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

/// True if slices are something else than pods at some level of the tree.
inline bool is_sliced(const ResolvedRequest& request, const topology::DomainTree& tree) {
  return request.slice_level != tree.leaf_level() || request.slice_size != 1;
}

}  // namespace tessera::solver
