// SPDX-License-Identifier: Apache-2.0
// ShardRows: what is free on the cells of one shard, and what its nodes give, in plain rows.
//
// Part of ShardState. Always: free = allocatable of the cell's nodes, minus the use of pods without
// a workload, minus what is booked on the cell and on the cells that it observes. Free may be
// negative. An unusable node gives nothing to cells above the host; a host cell of such a node
// keeps its numbers but takes nothing new. Cells and nodes have slots, since a shard holds few of
// all cells. A new resource gets a row of zeros. Does not know which workload holds what.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "topology/cell_map.h"

namespace tessera::core {

/// Gives slots 0, 1, .. to a small set of numbers; a free slot is used again. A hash table with
/// open addressing, since every booking looks up its cell.
class SlotIndex {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  SlotIndex();
  std::uint32_t find(std::uint32_t number) const { return table_[place(number)].slot; }
  /// The number must be new.
  std::uint32_t add(std::uint32_t number);
  void remove(std::uint32_t number);

 private:
  /// An empty entry has kNone in both. A number that was removed keeps its entry, without a slot.
  struct Entry {
    std::uint32_t number = kNone, slot = kNone;
  };
  /// The entry of the number, or where it would go.
  std::size_t place(std::uint32_t number) const {
    const std::size_t mask = table_.size() - 1;
    // Fibonacci hashing spreads a run of numbers evenly.
    std::size_t at = (std::uint64_t{number} * 0x9e3779b97f4a7c15) >> shift_;
    while (table_[at].number != number && table_[at].number != kNone) at = (at + 1) & mask;
    return at;
  }
  void grow();

  std::vector<Entry> table_;  // a power of 2, at most half full
  int shift_;
  std::size_t places_used_ = 0;
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> unused_;
};

/// What a node gives.
struct NodeSupply {
  topology::Amounts net;  // allocatable less others' use; may be negative
  bool usable = true;
  std::uint64_t hash = 0;  // node_hash() of it
};

class ShardRows {
 public:
  using CellId = topology::CellId;
  using NodeId = topology::NodeId;
  struct Entry {
    std::uint32_t row;
    std::int64_t value;
  };

  /// `cells` outlives the rows.
  explicit ShardRows(const topology::CellMap& cells);

  /// Adds a node that gives nothing yet. Adds those of its cells that are new here.
  void add_node(NodeId node);
  /// Removes a node and its cells. The cells belong to no other node, and nothing is booked on
  /// them.
  void remove_node(NodeId node);
  NodeSupply supply(NodeId node) const;
  std::uint64_t supply_hash(NodeId node) const { return nodes_by_slot_[slot(node)].hash; }
  /// Replaces the former supply.
  void set_supply(NodeId node, const NodeSupply& supply);

  /// The amounts that are not 0, with their rows.
  std::vector<Entry> entries(const topology::Amounts& amounts);

  /// Throws BrokenInvariant for a cell of another shard.
  std::uint32_t slot(CellId cell) const;
  CellId cell(std::uint32_t slot) const { return cells_by_slot_[slot].id; }
  /// As Capacity::fits(), except that a host cell takes nothing while one of its nodes is unusable.
  bool fits(std::uint32_t slot, std::span<const Entry> per_pod, std::int64_t pods) const;
  /// Negative `pods`: gives back.
  void book(std::uint32_t slot, std::span<const Entry> per_pod, std::int64_t pods);
  std::int64_t free(CellId cell, topology::Symbol resource) const;

 private:
  struct Cell {
    CellId id{};
    bool host = false;
    std::uint32_t unusable = 0;  // number of its nodes that are unusable
  };
  struct Node {
    bool usable = true;
    std::uint64_t hash = 0;
  };

  std::uint32_t row(topology::Symbol resource);
  std::uint32_t slot(NodeId node) const;
  void add_cell(CellId cell);
  bool has_room(std::uint32_t slot, std::span<const Entry> per_pod, std::int64_t pods) const;
  void take(std::uint32_t slot, std::span<const Entry> per_pod, std::int64_t pods);
  std::int64_t* free_of(std::uint32_t slot) { return &free_[slot * resources_.size()]; }
  const std::int64_t* free_of(std::uint32_t slot) const { return &free_[slot * resources_.size()]; }
  std::int64_t* net_of(std::uint32_t slot) { return &net_[slot * resources_.size()]; }
  const std::int64_t* net_of(std::uint32_t slot) const { return &net_[slot * resources_.size()]; }

  const topology::CellMap* cells_;
  std::vector<topology::Symbol> resources_;  // by row
  SlotIndex cell_slots_, node_slots_;
  std::vector<Cell> cells_by_slot_;
  std::vector<Node> nodes_by_slot_;
  // A slot's resources lie side by side: a booking touches one cell and few of them.
  std::vector<std::int64_t> free_;  // by cell slot
  std::vector<std::int64_t> net_;   // by node slot
};

}  // namespace tessera::core
