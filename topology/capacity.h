// SPDX-License-Identifier: Apache-2.0
// Capacity: what is free on every cell, in exact units, and what has been booked on it.
//
// A cell is the unit that capacity is booked on: a set of nodes with one free amount (design.md section 1). Usually one node;
// for topologies whose last level is not the host, the nodes of one leaf. Cells may overlap (flavors over the same nodes);
// a booking then lowers the free amount of the cells that see it, as the CellPolicy says.
// One owner at a time (the planner, or a shard); copies are copy-on-write snapshots. Free amounts may be negative when
// a node shrank or pods of others overfill it: such a cell counts 0. Does not know gangs, queues or filters.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "topology/chunked_rows.h"
#include "topology/domain_tree.h"

namespace tessera::topology {

enum class CellId : std::uint32_t {};
inline std::uint32_t index(CellId id) { return static_cast<std::uint32_t>(id); }

/// Who sees whose bookings (profile settings; placement.md 2.4).
struct CellPolicy {
  /// Host-level flavors over the same host share one cell. False: each flavor has its own (Kueue's gate off).
  bool overlapping_flavors = true;
  /// Leaves above the host see only their own flavor's bookings (kueue-0.19). False: all that overlap, hosts included.
  bool own_usage_above_host = false;
};

enum class Basis : std::uint8_t {
  kFree,   // what is left for new pods
  kEmpty,  // as if no workload held anything; other pods' use still counts (what-if, simulate-empty)
};

/// The cells of all trees, and which cells see whose bookings. Immutable once built.
class CellMap {
 public:
  /// `trees[i]` belongs to flavor group `scopes[i]` (equal numbers: the same flavor). Cells are numbered in the leaf order of
  /// the first tree, then of the others.
  CellMap(std::span<const DomainTree* const> trees, std::span<const std::uint32_t> scopes,
          std::uint32_t node_count, const CellPolicy& policy);

  std::uint32_t cell_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  /// The cell of each leaf of tree `tree`, by LeafId.
  std::span<const CellId> cells_of_tree(std::size_t tree) const { return tree_cells_[tree]; }
  std::span<const NodeId> nodes(CellId cell) const { return nodes_[index(cell)]; }
  /// All cells that hold `node`.
  std::span<const CellId> cells_of_node(NodeId node) const { return node_cells_[index(node)]; }
  /// Cells other than `cell` whose free amount a booking on `cell` lowers.
  std::span<const CellId> observers(CellId cell) const { return observers_[index(cell)]; }

 private:
  std::vector<std::vector<NodeId>> nodes_;
  std::vector<std::vector<CellId>> tree_cells_, node_cells_, observers_;
};

class Capacity {
 public:
  /// Rows: every resource named by a node's allocatable, plus `pods`. All cells start empty.
  Capacity(std::shared_ptr<const CellMap> cells, std::span<const NodeRecord> nodes);

  const CellMap& cells() const { return *cells_; }

  /// Row of a resource, or -1: no node has it (such a resource counts as 0 everywhere).
  int row(Symbol resource) const;
  std::span<const Symbol> resources() const { return resources_; }
  const ChunkedRows<std::int64_t>& rows(Basis basis) const { return basis == Basis::kFree ? free_ : empty_; }
  std::int64_t amount(Basis basis, Symbol resource, CellId cell) const;

  /// Use of a node by a pod that belongs to no workload: lowers both bases of every cell that holds the node.
  void add_pod(NodeId node, const Amounts& total);
  void remove_pod(NodeId node, const Amounts& total);

  /// A workload's booking of `total` (all pods together, `pods` included). Never refuses: the caller has counted; see fits().
  void book(CellId cell, const Amounts& total);
  void release(CellId cell, const Amounts& total);

  /// A booking that also lowers kEmpty: use assumed for earlier pod sets of the workload being placed.
  void assume(CellId cell, const Amounts& total);
  void forget(CellId cell, const Amounts& total);

  /// True if booking `total` leaves neither `cell` nor a cell that sees it negative in a resource of `total`.
  bool fits(CellId cell, const Amounts& total) const;

 private:
  void change(CellId cell, const Amounts& total, bool lower, bool both);
  void change_cell(CellId cell, const Amounts& total, bool lower, bool both);

  std::shared_ptr<const CellMap> cells_;
  std::vector<Symbol> resources_;
  std::map<std::uint32_t, int> row_by_symbol_;
  ChunkedRows<std::int64_t> free_, empty_;
};

}  // namespace tessera::topology
