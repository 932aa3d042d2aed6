// SPDX-License-Identifier: Apache-2.0
// ShardLayout: which shard owns which cell (design.md 1, "shard").
//
// Made from the nodes and the cell map by whoever sets the engine up; the coordinator and the
// planner each keep a copy, and move a node's cells in both by the same stream of inputs. Cells that
// see each other's bookings are always in one shard: those below one domain of the shard level, else
// `wide`; cells of nodes without a value at that level are in `unplaced`. Flat clusters: 16 shards by
// a hash of the node's name. Values; does not know amounts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "topology/cell_map.h"

namespace tessera::core {

using topology::CellId;
using topology::NodeId;

enum class ShardId : std::uint32_t {};
inline std::uint32_t index(ShardId id) { return static_cast<std::uint32_t>(id); }

class ShardLayout {
 public:
  ShardLayout() = default;
  /// `topologies`: of the topology flavors; the first one whose last level is the host is the
  /// primary one, else the first. `level`: label or alias of the shard level; nothing: chosen (the
  /// level whose number of domains is nearest 64, never above 512, at or above the last level of
  /// every topology that ends above the host). An unknown level is an error of the caller's.
  ShardLayout(const topology::CellMap& cells, std::span<const topology::NodeRecord> nodes,
              std::span<const topology::TopologySpec> topologies,
              const std::optional<topology::Symbol>& level);

  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
  /// "nvl-1" or "eu-x1-a/nvl-1" (values of the levels down to the shard level), "wide", "unplaced",
  /// "flat-07".
  const std::string& name(ShardId shard) const { return names_[index(shard)]; }
  ShardId of(CellId cell) const { return shard_of_[topology::index(cell)]; }
  std::vector<CellId> cells(ShardId shard) const;

  /// Where the cells of a node belong with the labels it has now. A value that no node had when the
  /// layout was made: `unplaced`.
  ShardId home(const topology::NodeRecord& node) const;
  /// Moves the cells of a node that no other node shares; the node's use moves with them (see
  /// ShardState::take_out()).
  void move(NodeId node, const topology::CellMap& cells, ShardId to);
};

}  // namespace tessera::core
