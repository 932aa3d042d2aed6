// SPDX-License-Identifier: Apache-2.0
#include "topology/cell_map.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "topology/node_sets.h"

namespace tessera::topology {
namespace {

constexpr std::uint32_t kNoCell = UINT32_MAX;

}  // namespace

CellMap::CellMap(std::span<const DomainTree* const> trees, std::span<const std::uint32_t> scopes,
                 std::uint32_t node_count, const CellPolicy& policy) {
  std::vector<HostLeaf> hosts = number_cells(trees, scopes, node_count, policy);
  list_cells_by_node(node_count);
  if (!policy.own_usage_above_host) add_unions(node_count);
  list_observers(std::move(hosts), policy);
  list_bounded();
}

void CellMap::add_unions(std::uint32_t node_count) {
  std::vector<CellId> above;
  std::vector<NodeSet> sets;
  for (std::uint32_t cell = 0; cell < cell_count(); ++cell) {
    if (is_host(CellId{cell})) continue;
    above.push_back(CellId{cell});
    const std::span<const NodeId> own = nodes(CellId{cell});
    sets.emplace_back(own.begin(), own.end());
  }
  if (above.empty()) return;
  const auto groups = overlapping_groups(sets, node_count);
  if (groups.empty()) return;
  std::set<NodeSet> known(sets.begin(), sets.end());
  tangle_.assign(cell_count(), 0);
  std::uint32_t tangles = 0;
  for (const std::vector<std::size_t>& group : groups) {
    std::vector<NodeSet> members;
    for (const std::size_t set : group) members.push_back(sets[set]);
    const auto unions = all_unions(std::move(members));
    if (!unions) {
      ++tangles;
      for (const std::size_t set : group) tangle_[index(above[set])] = tangles;
      continue;
    }
    for (const NodeSet& each : *unions) {
      if (known.insert(each).second) add_union(each);
    }
  }
  tangle_.resize(cell_count(), 0);
  list_cells_by_node(node_count);
}

void CellMap::add_union(std::span<const NodeId> nodes) {
  // A family of its own: no leaf shares the cell.
  families_.push_back({false, static_cast<std::uint32_t>(families_.size() + 1), {}});
  family_.push_back(static_cast<std::uint32_t>(families_.size() - 1));
  nodes_.items.insert(nodes_.items.end(), nodes.begin(), nodes.end());
  nodes_.close();
}

std::uint32_t CellMap::family_of(const DomainTree& tree, std::uint32_t scope,
                                 const CellPolicy& policy) {
  Family family;
  family.host = tree.topology().host_level();
  const bool shared = family.host ? policy.overlapping_flavors : !policy.own_usage_above_host;
  family.scope = shared ? 0 : scope + 1;
  if (!family.host) {
    for (const TopologyLevel& level : tree.topology().levels) family.levels.push_back(level.label);
  }
  const auto found = std::find(families_.begin(), families_.end(), family);
  if (found != families_.end()) return static_cast<std::uint32_t>(found - families_.begin());
  families_.push_back(std::move(family));
  return static_cast<std::uint32_t>(families_.size() - 1);
}

std::vector<CellMap::HostLeaf> CellMap::number_cells(std::span<const DomainTree* const> trees,
                                                     std::span<const std::uint32_t> scopes,
                                                     std::uint32_t node_count,
                                                     const CellPolicy& policy) {
  // Cells with the same first node form a chain. An equal cell of another tree is in that chain.
  std::vector<std::uint32_t> newest(node_count, kNoCell);
  std::vector<std::uint32_t> older;
  std::vector<HostLeaf> hosts;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const DomainTree& tree = *trees[t];
    const std::uint32_t family = family_of(tree, scopes[t], policy);
    std::vector<CellId>& cells = tree_cells_.emplace_back();
    cells.reserve(tree.leaf_count());
    for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
      const std::span<const NodeId> members = tree.nodes(LeafId{leaf});
      std::uint32_t no_chain = kNoCell;  // a hole is never shared
      std::uint32_t& chain = members.empty() ? no_chain : newest[index(members.front())];
      std::uint32_t cell = chain;
      while (cell != kNoCell) {
        const std::span<const NodeId> other = nodes_.list(cell);
        if (family_[cell] == family &&
            std::equal(members.begin(), members.end(), other.begin(), other.end())) {
          break;
        }
        cell = older[cell];
      }
      if (cell == kNoCell) {
        cell = cell_count();
        family_.push_back(family);
        older.push_back(chain);
        chain = cell;
        nodes_.items.insert(nodes_.items.end(), members.begin(), members.end());
        nodes_.close();
        if (families_[family].host && !members.empty()) {
          const Symbol hostname = tree.value(tree.domain_of(LeafId{leaf}));
          hosts.push_back({(std::uint64_t{family} << 32) | hostname.id(), CellId{cell}});
        }
      }
      cells.push_back(CellId{cell});
    }
  }
  return hosts;
}

void CellMap::list_cells_by_node(std::uint32_t node_count) {
  std::vector<std::uint32_t>& offsets = node_cells_.offsets;
  offsets.assign(node_count + std::size_t{1}, 0);
  for (const NodeId node : nodes_.items) ++offsets[index(node) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  node_cells_.items.resize(nodes_.items.size());
  std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
  for (std::uint32_t cell = 0; cell < cell_count(); ++cell) {
    for (const NodeId node : nodes_.list(cell)) {
      node_cells_.items[next[index(node)]++] = CellId{cell};
    }
  }
}

void CellMap::list_observers(std::vector<HostLeaf> hosts, const CellPolicy& policy) {
  // Hosts of one family that share a hostname lie side by side in `hosts`. A node has one hostname,
  // so hosts that share a node are neighbours too. Kueue merges usage by hostname as well
  // (placement.md 2.4).
  std::sort(hosts.begin(), hosts.end(), [](const HostLeaf& a, const HostLeaf& b) {
    return std::pair(a.family_and_hostname, a.cell) < std::pair(b.family_and_hostname, b.cell);
  });
  std::vector<std::uint32_t> position(cell_count(), kNoCell);
  for (std::uint32_t i = 0; i < hosts.size(); ++i) position[index(hosts[i].cell)] = i;
  const auto same_hostname = [&](std::uint32_t a, std::uint32_t b) {
    return hosts[a].family_and_hostname == hosts[b].family_and_hostname;
  };

  // How many nodes of the cell at work each other cell holds.
  std::vector<std::uint32_t> held(cell_count(), 0);
  std::vector<CellId> touched;
  std::vector<CellId>& list = observers_.items;
  for (std::uint32_t cell = 0; cell < cell_count(); ++cell) {
    const std::size_t begin = list.size();
    if (const std::uint32_t at = position[cell]; at != kNoCell) {
      for (std::uint32_t i = at; i > 0 && same_hostname(i - 1, at); --i) {
        list.push_back(hosts[i - 1].cell);
      }
      for (std::uint32_t i = at + 1; i < hosts.size() && same_hostname(i, at); ++i) {
        list.push_back(hosts[i].cell);
      }
    }
    if (!policy.own_usage_above_host) {
      for (const NodeId node : nodes(CellId{cell})) {
        for (const CellId other : cells_of_node(node)) {
          if (index(other) == cell || is_host(other)) continue;
          if (held[index(other)]++ == 0) touched.push_back(other);
        }
      }
      for (const CellId other : touched) {
        const bool tangled =
            !tangle_.empty() && tangle_[cell] != 0 && tangle_[cell] == tangle_[index(other)];
        const bool whole = held[index(other)] == nodes(CellId{cell}).size();
        if (whole || tangled || is_host(CellId{cell})) list.push_back(other);
        held[index(other)] = 0;
      }
      touched.clear();
    }
    std::sort(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end());
    observers_.close();
  }
}

void CellMap::list_bounded() {
  std::vector<std::vector<CellId>> lists(cell_count());
  for (std::uint32_t cell = 0; cell < cell_count(); ++cell) {
    for (const CellId other : observers(CellId{cell})) {
      if (!is_host(other)) lists[index(other)].push_back(CellId{cell});
    }
  }
  for (const std::vector<CellId>& list : lists) {
    bounded_.items.insert(bounded_.items.end(), list.begin(), list.end());
    bounded_.close();
  }
}

}  // namespace tessera::topology
