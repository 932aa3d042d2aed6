// SPDX-License-Identifier: Apache-2.0
// ShardLayout: which shard owns which cell (docs/engine.md, "Shards").
//
// Made from the nodes and the cell map when the engine starts. The coordinator and the planner each
// keep a copy; the same stream of inputs moves a node's cells in both. Cells that see each other's
// bookings are always in one shard: the shard of their domain at the shard level, or `wide` if they
// span several. Cells of nodes without a value at that level, and cells without a node, are in
// `unplaced`. A flat cluster, or one without a level of at most 512 domains, has 16 shards by a
// hash of the node's name. Shards are numbered in path order, then `wide` and `unplaced`; the order
// of nodes and trees does not matter. A value; does not know amounts.
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
  /// `topologies`: those of the topology flavors. The primary one is the first whose last level is
  /// the host, else the first. `level`: label, alias or display label of the level of the primary
  /// topology to use. It must have 1 to 512 domains. It must also be at or above the last level of
  /// every topology that ends above the host, where the primary one has that level. If `level` is
  /// empty or breaks a rule, the layout chooses by the same rules among the levels above the host:
  /// the one with the number of domains nearest 64, the coarser of two equals.
  ShardLayout(const topology::CellMap& cells, std::span<const topology::NodeRecord> nodes,
              std::span<const topology::TopologySpec> topologies, std::string_view level);

  /// Why `level` was not used, which levels would do, and what is used instead. Empty: it was used.
  const std::string& fault() const { return fault_; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
  /// "nvl-1" or "eu-x1-a/nvl-1" (values of the levels down to the shard level), "wide", "unplaced",
  /// "flat-07".
  const std::string& name(ShardId shard) const { return names_[index(shard)]; }
  ShardId of(CellId cell) const { return shard_of_[topology::index(cell)]; }
  const std::vector<CellId>& cells(ShardId shard) const { return cells_[index(shard)]; }

  /// The shard where the cells of a node belong by the labels that it has now. A value that no node
  /// had when the layout was made belongs to `unplaced`.
  ShardId home(const topology::NodeRecord& node) const;
  /// Moves the cells of a node; the caller moves their use (ShardState::take_out()). False, and
  /// nothing changes, if another node shares or sees one of the cells: the node stays where it is.
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
  // By domain. No value: the domain is not at the shard level. Empty vector: a flat cluster.
  std::vector<std::optional<ShardId>> shard_of_domain_;
  std::vector<std::string> names_;
  std::vector<ShardId> shard_of_;           // by cell
  std::vector<std::vector<CellId>> cells_;  // by shard, ascending
};

/// True if no other node has a part in the node's cells, and they see no cell of another node.
bool owns_its_cells(NodeId node, const topology::CellMap& cells);

}  // namespace tessera::core
