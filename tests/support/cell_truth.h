// SPDX-License-Identifier: Apache-2.0
// CellTruth: which cells there must be, and what is free on them, worked out from plain records.
//
// For EngineChecker. Asks the engine's map only for the nodes and the kind of a cell. Which booking
// lowers which cell follows from common nodes alone. For profiles whose flavors see each other, and
// for nodes that are all usable.
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
  /// `nodes`: those that the cells were made from; they are copied. `definitions`: flavors and
  /// topologies.
  CellTruth(const topology::CellMap& cells, const core::Inventory& definitions,
            std::vector<topology::NodeRecord> nodes);

  /// A cell too many or too few; empty: none.
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
  /// True if a host and a leaf above it, or two leaves, now hold a booking on a common node.
  bool is_crossed() const { return is_crossed_; }

  /// The nodes that a domain names: a host by its last value, another domain by all its values.
  Nodes nodes_of(std::span<const topology::Symbol> levels,
                 std::span<const topology::Symbol> values) const;

 private:
  struct Cell {
    bool is_host = false;
    Nodes nodes;
    Room whole, free;
    std::vector<std::uint32_t> lowers, meets;  // cells, itself included; others
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
