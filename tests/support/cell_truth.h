// SPDX-License-Identifier: Apache-2.0
// CellTruth: the cells that must exist and what is free on them, worked out from plain records.
//
// Used by EngineChecker. Asks the engine's map only for the nodes and the kind of a cell. A booking
// lowers the cells that have nodes in common with its cell. Only for profiles whose flavors see
// each other, and for clusters in which all nodes are usable.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "actors/records/inventory.h"
#include "topology/cell_map.h"

namespace tessera::test {

class CellTruth {
 public:
  using Nodes = std::vector<std::uint32_t>;  // positions, ascending

  CellTruth() = default;
  /// `nodes`: the nodes from which the cells were made; they are copied. `definitions`: flavors and
  /// topologies.
  CellTruth(const topology::CellMap& cells, const core::Inventory& definitions,
            std::vector<topology::NodeRecord> nodes);

  /// Says if a cell is missing or there is one too many; empty if the cells are right.
  const std::string& fault() const { return fault_; }
  /// Cells with a node; others are holes.
  const std::vector<topology::CellId>& cells() const { return used_; }
  const Nodes& nodes(topology::CellId cell) const { return cells_[topology::index(cell)].nodes; }

  struct Room {
    std::int64_t gpus = 0, pods = 0;
  };
  /// Forgets all bookings.
  void reset();
  void book(topology::CellId cell, const Room& total);
  const Room& free(topology::CellId cell) const { return cells_[topology::index(cell)].free; }
  /// True if now a host and a leaf above it, or two leaves, hold bookings on a node that both have.
  bool is_crossed() const { return is_crossed_; }

  /// The nodes that a domain names: a host by its last value, another domain by all its values.
  Nodes nodes_of(std::span<const topology::Symbol> levels,
                 std::span<const topology::Symbol> values) const;

 private:
  struct Cell {
    bool is_host = false;
    Nodes nodes;
    Room whole, free;
    /// Cells that a booking here lowers, this cell included; other cells that share a node.
    std::vector<std::uint32_t> lowers, meets;
    bool booked = false;
  };
  void check_cells(const core::Inventory& definitions);
  bool lowers(const Cell& booked, const Cell& other) const;

  std::vector<topology::NodeRecord> nodes_;
  std::vector<Cell> cells_;  // by CellId
  std::vector<topology::CellId> used_;
  bool is_crossed_ = false;
  std::string fault_;
};

}  // namespace tessera::test
