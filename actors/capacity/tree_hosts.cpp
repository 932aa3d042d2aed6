// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/tree_hosts.h"

#include <algorithm>

namespace tessera::core {

using topology::CellId;
using topology::NodeId;

TreeHosts::TreeHosts(std::span<const topology::NodeRecord> nodes, const topology::CellMap& cells)
    : nodes_(nodes), map_(&cells) {
  cells_.reserve(nodes.size());
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    const std::span<const CellId> own = cells.cells_of_node(NodeId{n});
    const auto host =
        std::find_if(own.begin(), own.end(), [&](CellId cell) { return cells.is_host(cell); });
    cells_.push_back(host != own.end() ? *host : own.empty() ? CellId{0} : own.front());
  }
}

const topology::DomainRuns& TreeHosts::runs(const topology::TopologySpec& topology) {
  std::unique_ptr<topology::DomainRuns>& runs = runs_[topology.name];
  if (!runs) runs = std::make_unique<topology::DomainRuns>(topology, nodes_);
  return *runs;
}

std::span<const std::vector<std::uint32_t>> TreeHosts::domains(
    const topology::TopologySpec& topology, const solver::FlavorView& view) {
  const auto [at, added] = domains_.try_emplace({topology.name, &view});
  if (!added) return at->second;
  const topology::DomainRuns& hosts = runs(topology);
  const topology::DomainTree& tree = view.tree();
  for (int level = 0; level < tree.leaf_level(); ++level) {
    std::vector<std::uint32_t>& found = at->second.emplace_back();
    for (const topology::DomainRuns::Domain& domain : hosts.level(level)) {
      std::uint32_t leaf = UINT32_MAX;
      for (std::uint32_t k = domain.begin; k < domain.end && leaf == UINT32_MAX; ++k) {
        leaf = view.leaf_of(cells_[hosts.order()[k]]);
      }
      found.push_back(leaf == UINT32_MAX ? UINT32_MAX
                                         : topology::index(tree.ancestor(
                                               tree.domain_of(topology::LeafId{leaf}), level)));
    }
  }
  return at->second;
}

std::shared_ptr<const std::vector<bool>> TreeHosts::barred(const solver::FlavorView& view,
                                                           const topology::NodeFilter& filter) {
  const std::shared_ptr<const solver::FilterClass> of = view.filter_class(filter);
  const auto known = std::find_if(barred_.begin(), barred_.end(), [&](const Barred& each) {
    return each.view == &view && each.of == of;
  });
  if (known != barred_.end()) return known->hosts;
  auto hosts = std::make_shared<std::vector<bool>>(nodes_.size(), true);
  const topology::DomainTree& tree = view.tree();
  for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    if (of->verdict[leaf] != 0) continue;
    if (!map_->is_host(view.cells()[leaf])) continue;
    // Nodes with one hostname are one leaf; the first of them stands for it.
    (*hosts)[topology::index(tree.nodes(topology::LeafId{leaf}).front())] = false;
  }
  if (barred_.size() == kMostBarred) barred_.erase(barred_.begin());
  barred_.push_back({&view, of, std::move(hosts)});
  return barred_.back().hosts;
}

std::optional<std::uint32_t> TreeHosts::find(std::string_view node) const {
  const auto at = std::lower_bound(
      nodes_.begin(), nodes_.end(), node,
      [](const auto& each, std::string_view name) { return each.name.view() < name; });
  if (at == nodes_.end() || at->name.view() != node) return std::nullopt;
  return static_cast<std::uint32_t>(at - nodes_.begin());
}

}  // namespace tessera::core
