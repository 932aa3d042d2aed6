// SPDX-License-Identifier: Apache-2.0
// ShardLayout: which shard owns which cell (design.md 1, "shard").
//
// Made from the nodes and the cell map by whoever sets the engine up; the coordinator and the
// planner each keep a copy, and move a node's cells in both by the same stream of inputs. Cells
// that see each other's bookings are always in one shard: those below one domain of the shard
// level, else `wide`; cells of nodes without a value at that level, and holes, are in `unplaced`.
// Flat clusters, and those without a level of at most 512 domains: 16 shards by a hash of the
// node's name. Shards are numbered in path order, then `wide` and `unplaced`, whatever the order of
// nodes and trees. Values; does not know amounts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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
  /// primary one, else the first. `level`: label, alias or display label of its level to use, which
  /// must have 1 to 512 domains and be at or above the last level of every topology that ends above
  /// the host, where the primary one has that level. Empty, or another one: chosen among its levels
  /// above the host by the same rules, the number of domains nearest 64, the coarser of two.
  ShardLayout(const topology::CellMap& cells, std::span<const topology::NodeRecord> nodes,
              std::span<const topology::TopologySpec> topologies, std::string_view level);

  /// Why `level` was not used, which ones could be, and what is used instead; empty: it was.
  const std::string& fault() const { return fault_; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
  /// "nvl-1" or "eu-x1-a/nvl-1" (values of the levels down to the shard level), "wide", "unplaced",
  /// "flat-07".
  const std::string& name(ShardId shard) const { return names_[index(shard)]; }
  ShardId of(CellId cell) const { return shard_of_[topology::index(cell)]; }
  const std::vector<CellId>& cells(ShardId shard) const { return cells_[index(shard)]; }

  /// Where the cells of a node belong with the labels it has now. A value that no node had when the
  /// layout was made: `unplaced`.
  ShardId home(const topology::NodeRecord& node) const;
  /// Moves the cells of a node; its use must move with them (ShardState::take_out()). False, and
  /// nothing changed: another node shares or sees one of them, so the node stays where it is.
  bool move(NodeId node, const topology::CellMap& cells, ShardId to);

 private:
  /// The values of a topology's levels as a forest of numbered domains.
  struct Domains {
    static constexpr std::uint32_t kNone = UINT32_MAX;
    struct Domain {
      std::uint32_t parent;  // kNone at level 0
      std::size_t level;
      topology::Symbol value;
    };
    std::vector<topology::Symbol> labels;  // of the levels, coarsest first
    std::vector<Domain> all;
    std::unordered_map<std::uint64_t, std::uint32_t> by_value;  // (parent + 1, value)

    std::uint32_t add_path(const topology::NodeRecord& node);
    std::vector<topology::Symbol> path(std::uint32_t domain) const;
    std::vector<std::uint32_t> counts() const;  // by level
  };

  ShardId wide() const { return ShardId{size() - 2}; }
  ShardId unplaced() const { return ShardId{size() - 1}; }
  void choose(std::span<const topology::TopologySpec> topologies,
              const topology::TopologySpec& primary, std::string_view level);
  void name_shards(std::size_t level);
  void name_flat_shards();
  void place_cells(const topology::CellMap& cells, const std::vector<ShardId>& home_of_node);

  Domains domains_;
  std::optional<std::size_t> level_;  // of the shards; nothing: a flat cluster
  std::string fault_;
  // By domain. Nothing: the domain is not of the shard level. Empty: a flat cluster.
  std::vector<std::optional<ShardId>> shard_of_domain_;
  std::vector<std::string> names_;
  std::vector<ShardId> shard_of_;           // by cell
  std::vector<std::vector<CellId>> cells_;  // by shard, ascending
};

/// True if all cells of the node are its alone, and see no other node's cells.
bool owns_its_cells(NodeId node, const topology::CellMap& cells);

}  // namespace tessera::core
