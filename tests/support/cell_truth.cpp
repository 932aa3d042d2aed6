// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cell_truth.h"

#include <algorithm>
#include <set>

namespace tessera::test {
namespace {

using topology::CellId;
using topology::Symbol;

using Levels = std::vector<Symbol>;
/// Nodes of a leaf, by the values of its levels.
using Leaves = std::map<std::vector<std::string>, CellTruth::Nodes>;

Leaves leaves_of(const topology::TopologySpec& topology, const core::FlavorRecord& flavor,
                 const std::vector<topology::NodeRecord>& nodes) {
  Leaves leaves;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    const topology::Labels& labels = nodes[n].labels;
    const bool carries =
        std::all_of(flavor.node_labels.begin(), flavor.node_labels.end(),
                    [&](const auto& label) { return labels.find(label.first) == label.second; });
    std::vector<std::string> values;
    for (const topology::TopologyLevel& level : topology.levels) {
      if (const auto value = labels.find(level.label)) values.push_back(value->str());
    }
    if (carries && values.size() == topology.levels.size()) leaves[values].push_back(n);
  }
  return leaves;
}

bool meet(const CellTruth::Nodes& a, const CellTruth::Nodes& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

}  // namespace

CellTruth::CellTruth(const topology::CellMap& cells, const core::Inventory& definitions,
                     std::vector<topology::NodeRecord> nodes)
    : nodes_(std::move(nodes)), cells_(cells.cell_count()) {
  for (std::uint32_t c = 0; c < cells_.size(); ++c) {
    Cell& cell = cells_[c];
    cell.is_host = cells.is_host(CellId{c});
    for (const topology::NodeId node : cells.nodes(CellId{c})) {
      cell.nodes.push_back(topology::index(node));
      const topology::Amounts& gives = nodes_[topology::index(node)].allocatable;
      cell.whole.gpus += gives.get(topology::gpu_resource());
      cell.whole.pods += gives.get(topology::pods_resource());
    }
    if (!cell.nodes.empty()) used_.push_back(CellId{c});
  }
  for (Cell& cell : cells_) {
    for (std::uint32_t other = 0; other < cells_.size(); ++other) {
      if (lowers(cell, cells_[other])) cell.lowers.push_back(other);
      if (&cell != &cells_[other] && meet(cell.nodes, cells_[other].nodes)) {
        cell.meets.push_back(other);
      }
    }
  }
  check_cells(definitions);
  reset();
}

/// Pods on a leaf above the host lower no host's room: nobody knows which node of the leaf they are
/// on.
bool CellTruth::lowers(const Cell& booked, const Cell& other) const {
  return meet(booked.nodes, other.nodes) && (booked.is_host || !other.is_host);
}

/// A host has one cell if a topology that ends at the host holds it. Leaves above the host with the
/// same nodes and the same levels have one cell together.
void CellTruth::check_cells(const core::Inventory& definitions) {
  std::multiset<Nodes> hosts, above;
  for (const CellId cell : used_) {
    (cells_[topology::index(cell)].is_host ? hosts : above).insert(nodes(cell));
  }
  std::set<std::pair<std::vector<std::string>, Nodes>> wanted_above;
  std::set<Nodes> wanted_hosts;
  for (const core::FlavorRecord& flavor : definitions.flavors) {
    for (const topology::TopologySpec& topology : definitions.topologies) {
      if (topology.name != flavor.topology) continue;
      std::vector<std::string> levels;
      for (const topology::TopologyLevel& level : topology.levels) {
        levels.push_back(level.label.str());
      }
      for (auto& [values, leaf] : leaves_of(topology, flavor, nodes_)) {
        if (topology.host_level()) {
          wanted_hosts.insert(leaf);
        } else {
          wanted_above.emplace(levels, leaf);
        }
      }
    }
  }
  std::multiset<Nodes> leaves;
  for (const auto& [levels, leaf] : wanted_above) leaves.insert(leaf);
  if (leaves != above) fault_ = "the cells above the host are not the leaves";
  for (const Nodes& host : hosts) {
    if (hosts.count(host) != 1 || host.size() != 1) fault_ = "a host has two cells, or shares one";
  }
  for (const Nodes& host : wanted_hosts) {
    if (hosts.count(host) != 1) fault_ = "a host has no cell";
  }
}

void CellTruth::reset() {
  for (Cell& cell : cells_) {
    cell.free = cell.whole;
    cell.booked = false;
  }
  is_crossed_ = false;
}

void CellTruth::book(CellId at, const Room& total) {
  Cell& booked = cells_[topology::index(at)];
  for (const std::uint32_t other : booked.lowers) {
    cells_[other].free.gpus -= total.gpus;
    cells_[other].free.pods -= total.pods;
  }
  booked.booked = true;
  for (const std::uint32_t other : booked.meets) is_crossed_ |= cells_[other].booked;
}

CellTruth::Nodes CellTruth::nodes_of(std::span<const Symbol> levels,
                                     std::span<const Symbol> values) const {
  const bool is_host = levels.back() == topology::hostname_label();
  Nodes found;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    const topology::Labels& labels = nodes_[n].labels;
    bool named = true;
    for (std::size_t l = is_host ? levels.size() - 1 : 0; l < levels.size(); ++l) {
      named = named && labels.find(levels[l]) == values[l];
    }
    if (named) found.push_back(n);
  }
  return found;
}

}  // namespace tessera::test
