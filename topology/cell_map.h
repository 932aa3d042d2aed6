// SPDX-License-Identifier: Apache-2.0
// CellMap: the cells of all trees, and which cells see whose bookings. Immutable once built.
//
// A cell is the unit that capacity is booked on: a set of nodes with one free amount. Two trees
// share a cell when their leaves hold the same nodes: at host level if the policy lets flavors
// overlap, above the host if their levels are the same too. Leaves above the host that overlap
// without one holding the other get cells of their unions, which no leaf has: what is booked on
// both together must fit into the union. Built by actors/capacity/cluster.h together with the
// trees; read from any thread. Does not know amounts: see topology/capacity.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/domain_tree.h"

namespace tessera::topology {

enum class CellId : std::uint32_t {};
inline std::uint32_t index(CellId id) { return static_cast<std::uint32_t>(id); }

/// Which cells see which bookings (settings of the profile; placement.md 2.4).
struct CellPolicy {
  /// Host-level flavors over the same host share one cell. False: each flavor has its own cell, as
  /// in Kueue with the feature gate off.
  bool overlapping_flavors = true;
  /// Leaves above the host see only the bookings of their own flavor (kueue-0.19). False: they see
  /// every booking on their nodes, those on hosts included.
  bool own_usage_above_host = false;
};

class CellMap {
 public:
  /// `trees[i]` belongs to flavor `scopes[i]`: equal numbers are the same flavor. Cells are
  /// numbered in the leaf order of the first tree, then of the second, and so on. A hole gets a
  /// cell that no other leaf shares; a hidden leaf gets a cell like any other leaf. The trees need
  /// not outlive the map.
  CellMap(std::span<const DomainTree* const> trees, std::span<const std::uint32_t> scopes,
          std::uint32_t node_count, const CellPolicy& policy);

  std::uint32_t cell_count() const { return static_cast<std::uint32_t>(family_.size()); }
  /// The cell of each leaf of tree `tree`, by LeafId, as of the build. A live tree moves its leaves
  /// afterwards; a cell keeps its number and its nodes.
  std::span<const CellId> cells_of_tree(std::size_t tree) const { return tree_cells_[tree]; }
  /// In node order. Empty: the cell is a hole of a live tree, and nothing is booked on it.
  std::span<const NodeId> nodes(CellId cell) const { return nodes_.list(index(cell)); }
  /// All cells that hold `node`, ascending.
  std::span<const CellId> cells_of_node(NodeId node) const { return node_cells_.list(index(node)); }
  /// The other cells whose free amount a booking on `cell` lowers, ascending. For a host: cells
  /// with the same hostname, and every cell above the host that holds one of its nodes. For a cell
  /// above the host: other such cells that hold all its nodes. What holds only a part of them does
  /// not see the booking, since nobody knows which nodes it uses.
  std::span<const CellId> observers(CellId cell) const { return observers_.list(index(cell)); }
  /// The cells whose booking `cell` sees, if it is above the host; ascending. What is free on
  /// `cell` bounds what they may take.
  std::span<const CellId> bounded_by(CellId cell) const { return bounded_.list(index(cell)); }
  /// True if some cell above the host sees the booking of another cell.
  bool any_bounds() const { return !bounded_.items.empty(); }
  /// True if the cell overlaps with others in more ways than are told apart (node_sets.h): each of
  /// them sees the whole booking of the others, so that nothing is booked twice.
  bool is_tangled(CellId cell) const {
    return index(cell) < tangle_.size() && tangle_[index(cell)] != 0;
  }
  /// True if the cell is a leaf of a host-level tree.
  bool is_host(CellId cell) const { return families_[family_[index(cell)]].host; }

 private:
  /// Lists of different lengths, stored one behind the other.
  template <class T>
  struct Lists {
    std::vector<std::uint32_t> offsets{0};
    std::vector<T> items;
    std::span<const T> list(std::uint32_t i) const {
      return std::span(items).subspan(offsets[i], offsets[i + 1] - offsets[i]);
    }
    void close() { offsets.push_back(static_cast<std::uint32_t>(items.size())); }
  };
  /// Cells can be shared only inside one family.
  struct Family {
    bool host = false;
    std::uint32_t scope = 0;     // 0 for all flavors, else the flavor's scope + 1
    std::vector<Symbol> levels;  // empty for hosts
    friend bool operator==(const Family&, const Family&) = default;
  };
  struct HostLeaf {
    std::uint64_t family_and_hostname;
    CellId cell;
  };

  std::uint32_t family_of(const DomainTree& tree, std::uint32_t scope, const CellPolicy& policy);
  std::vector<HostLeaf> number_cells(std::span<const DomainTree* const> trees,
                                     std::span<const std::uint32_t> scopes,
                                     std::uint32_t node_count, const CellPolicy& policy);
  void list_cells_by_node(std::uint32_t node_count);
  void add_unions(std::uint32_t node_count);
  void add_union(std::span<const NodeId> nodes);
  void list_observers(std::vector<HostLeaf> hosts, const CellPolicy& policy);
  void list_bounded();

  std::vector<Family> families_;
  std::vector<std::uint32_t> family_;  // by cell
  Lists<NodeId> nodes_;                // by cell
  std::vector<std::vector<CellId>> tree_cells_;
  Lists<CellId> node_cells_, observers_, bounded_;
  /// By cell; empty without unions. Cells of one number above 0 overlap in too many ways: each sees
  /// the whole booking of the others.
  std::vector<std::uint32_t> tangle_;
};

}  // namespace tessera::topology
