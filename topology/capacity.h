// SPDX-License-Identifier: Apache-2.0
// Capacity: what is free on every cell, in exact units, and what has been booked on it.
//
// A cell is usually one node; for topologies whose last level is not the host, the nodes of one
// leaf. Cells may overlap (flavors over the same nodes); a booking then lowers the free amount of
// the cells that see it (topology/cell_map.h). One owner at a time (the planner, or a shard);
// copies are copy-on-write snapshots. Free amounts may be negative when a node shrank or pods of
// others overfill it: such a cell counts 0. Does not know gangs, queues or filters.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "topology/cell_map.h"
#include "topology/chunked_rows.h"
#include "topology/node_record.h"

namespace tessera::topology {

enum class Basis : std::uint8_t {
  kFree,   // what is left for new pods
  kEmpty,  // as if no workload held anything; other pods' use still counts (what-if,
           // simulate-empty)
};

class Capacity {
 public:
  /// Rows: every resource named by a node's allocatable, plus `pods`. All cells start empty, with
  /// the sum of the allocatable of their nodes.
  Capacity(std::shared_ptr<const CellMap> cells, std::span<const NodeRecord> nodes);

  const CellMap& cells() const { return *cells_; }

  /// Row of a resource (they are sorted by name), or -1: no node has it (such a resource counts as
  /// 0 everywhere).
  int row(Symbol resource) const;
  std::span<const Symbol> resources() const { return resources_; }
  const ChunkedRows<std::int64_t>& rows(Basis basis) const {
    return basis == Basis::kFree ? free_ : empty_;
  }
  std::int64_t amount(Basis basis, Symbol resource, CellId cell) const;

  /// Use of a node by a pod that belongs to no workload: lowers both bases of every cell that holds
  /// the node.
  void add_pod(NodeId node, const Amounts& total);
  void remove_pod(NodeId node, const Amounts& total);

  /// A workload's booking of `total` (all pods together, `pods` included). Never refuses: the
  /// caller has counted; see fits().
  void book(CellId cell, const Amounts& total);
  void release(CellId cell, const Amounts& total);

  /// A booking that also lowers kEmpty: use assumed for earlier pod sets of the workload being
  /// placed.
  void assume(CellId cell, const Amounts& total);
  void forget(CellId cell, const Amounts& total);

  /// True if booking `total` leaves neither `cell` nor a cell that sees it negative in a resource
  /// of which `total` asks for more than 0.
  bool fits(CellId cell, const Amounts& total) const;

 private:
  enum class Scope : std::uint8_t { kFreeOnly, kBothBases };
  void change(CellId cell, const Amounts& delta, Scope scope);
  void change_cell(CellId cell, const Amounts& delta, Scope scope);
  void change_node(NodeId node, const Amounts& delta);
  bool cell_fits(CellId cell, const Amounts& total) const;

  std::shared_ptr<const CellMap> cells_;
  std::vector<Symbol> resources_;
  ChunkedRows<std::int64_t> free_, empty_;
};

}  // namespace tessera::topology
