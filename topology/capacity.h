// SPDX-License-Identifier: Apache-2.0
// Capacity: what is free on every cell, in exact units, and what has been booked on it.
//
// A cell is usually one node. In a topology whose last level is not the host, a cell is the nodes
// of one leaf. Cells may overlap (flavors over the same nodes): a booking then also lowers the free
// amount of the cells that see it (topology/cell_map.h), and what new pods can get of a cell is
// never more than what is left of the cells above the host that hold it. One owner at a time: the
// planner, or a shard. A copy is a snapshot (copy-on-write). A free amount is negative when a node
// shrank or pods without a workload overfill it; such a cell has room for 0 pods. The last changes
// are on record, so that an index can follow them. Does not know gangs, queues or filters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "topology/cell_map.h"
#include "topology/chunked_rows.h"
#include "topology/narrow_rows.h"
#include "topology/nodes/node_record.h"

namespace tessera::topology {

enum class Basis : std::uint8_t {
  kFree,   // what is left for new pods
  kEmpty,  // as if no workload held anything; pods without a workload still count (what-if,
           // simulate-empty)
};

/// Amounts whose rows in one Capacity have been looked up. Valid for copies of that Capacity too.
struct RowAmounts {
  struct Entry {
    std::uint32_t row;
    std::int64_t value;
  };
  std::vector<Entry> entries;
  bool unknown = false;  // asks for a resource that no node has: fits nowhere
};

class Capacity {
 public:
  /// Makes a row for every resource in the allocatable of some node, and for `pods`. All cells
  /// start empty: what is free is the sum of the allocatable of the cell's nodes.
  Capacity(std::shared_ptr<const CellMap> cells, std::span<const NodeRecord> nodes);

  const CellMap& cells() const { return *cells_; }

  /// Row of a resource (rows are sorted by name). -1: no node has the resource, so 0 are free
  /// everywhere.
  int row(Symbol resource) const;
  std::span<const Symbol> resources() const { return resources_; }
  const ChunkedRows<std::int64_t>& rows(Basis basis) const {
    return basis == Basis::kFree ? free_ : empty_;
  }
  /// What new pods can get.
  std::int64_t amount(Basis basis, Symbol resource, CellId cell) const;
  /// What is left of the cell's own nodes after all bookings that it sees; amount() may be less.
  std::int64_t left(std::uint32_t row, CellId cell) const {
    return bounds_ ? own_free_.get(row, index(cell)) : free_.get(row, index(cell));
  }

  /// What is free, rounded down to the unit of each row and stored in 16 or 32 bits.
  const NarrowRows& narrow_free() const { return narrow_; }

  RowAmounts rows_of(const Amounts& amounts) const;

  /// Use of a node by a pod that belongs to no workload: lowers both bases of every cell that holds
  /// the node.
  void add_pod(NodeId node, const Amounts& total);
  void remove_pod(NodeId node, const Amounts& total);
  /// A node's allocatable changed from `before` to `after`. False, and nothing changes, if `after`
  /// has a resource without a row: the owner then builds a new Capacity.
  bool resize_node(NodeId node, const Amounts& before, const Amounts& after);

  /// Books `total` for a workload: the sum over all its pods, `pods` included. Never refuses: the
  /// caller has counted before; see fits().
  void book(CellId cell, const Amounts& total) { book(cell, rows_of(total), 1); }
  void release(CellId cell, const Amounts& total) { release(cell, rows_of(total), 1); }
  void book(CellId cell, const RowAmounts& per_pod, std::int64_t pods);
  void release(CellId cell, const RowAmounts& per_pod, std::int64_t pods);

  /// A booking that also lowers kEmpty: what the earlier pod sets of the workload that is being
  /// placed will use.
  void assume(CellId cell, const Amounts& total) { assume(cell, rows_of(total), 1); }
  void forget(CellId cell, const Amounts& total) { forget(cell, rows_of(total), 1); }
  void assume(CellId cell, const RowAmounts& per_pod, std::int64_t pods);
  void forget(CellId cell, const RowAmounts& per_pod, std::int64_t pods);

  /// Lowers this cell alone by `amount` (negative: raises it again), unseen by others: a search
  /// that must not take more of some cells together (solver/search/shared_room.h).
  void withhold(CellId cell, std::uint32_t row, std::int64_t amount);

  /// True if `pods` of `per_pod` can be booked on `cell` so that no resource that they ask for goes
  /// below 0, neither on `cell` nor on a cell that sees the booking.
  bool fits(CellId cell, const RowAmounts& per_pod, std::int64_t pods) const;
  bool fits(CellId cell, const Amounts& total) const { return fits(cell, rows_of(total), 1); }

  /// Changes are numbered in the order of the calls, one for each cell that a call touched.
  std::uint64_t version() const { return log_base_ + log_.size(); }
  /// The cells that changed since `version`, oldest change first; a cell that changed twice is
  /// there twice. Nothing if the record does not reach back that far.
  std::optional<std::span<const CellId>> changed_since(std::uint64_t version) const;

 private:
  enum class Scope : std::uint8_t { kFreeOnly, kBothBases };
  void change(CellId cell, const RowAmounts& per_pod, std::int64_t times, Scope scope);
  void change_cell(CellId cell, const RowAmounts& per_pod, std::int64_t times, Scope scope);
  [[gnu::cold]] void change_bounded(CellId cell, const RowAmounts& per_pod, std::int64_t times,
                                    Scope scope);
  void settle(CellId cell, std::uint32_t row);
  void log(CellId cell);
  void make_bounds();
  void change_node(NodeId node, const Amounts& amounts, std::int64_t times);
  bool cell_fits(CellId cell, const RowAmounts& per_pod, std::int64_t pods) const;

  std::shared_ptr<const CellMap> cells_;
  std::vector<Symbol> resources_;
  ChunkedRows<std::int64_t> free_, empty_;  // what new pods can get
  NarrowRows narrow_;
  // Only if some cell is bounded by another: what is left of each cell itself.
  bool bounds_ = false;
  ChunkedRows<std::int64_t> own_free_, own_empty_;
  std::vector<std::int64_t> largest_bounded_;  // by row: no bounded cell has had more
  std::uint64_t log_base_ = 0;                 // version of the oldest change on record
  std::vector<CellId> log_;
};

}  // namespace tessera::topology
