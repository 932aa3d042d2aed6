// SPDX-License-Identifier: Apache-2.0
#include "actors/books/places.h"

#include <algorithm>

namespace tessera::core {
namespace {

using topology::CellId;
using topology::NodeId;

/// How many levels an assignment has values for.
std::size_t depth(const PodSetAssignment& assignment, const DomainList::Domain& domain) {
  return std::min(assignment.levels.size(), domain.values.size());
}

/// The host that the domain names, if its last level is the host.
std::optional<Symbol> host_of(const PodSetAssignment& assignment,
                              const DomainList::Domain& domain) {
  const std::size_t given = depth(assignment, domain);
  if (given == 0 || assignment.levels[given - 1] != topology::hostname_label()) return std::nullopt;
  return domain.values[given - 1];
}

/// One value of the assignment for each level of the topology, found by label. Nothing if the
/// assignment lacks a level.
std::optional<std::vector<Symbol>> values_by_label(const topology::TopologySpec& topology,
                                                   const PodSetAssignment& assignment,
                                                   const DomainList::Domain& domain) {
  const std::size_t given = depth(assignment, domain);
  std::vector<Symbol> values;
  for (const topology::TopologyLevel& level : topology.levels) {
    std::size_t at = 0;
    while (at < given && assignment.levels[at] != level.label) ++at;
    if (at == given) return std::nullopt;
    values.push_back(domain.values[at]);
  }
  return values;
}

bool has_labels(const topology::NodeRecord& node, const FlavorRecord& flavor) {
  return std::all_of(flavor.node_labels.begin(), flavor.node_labels.end(), [&](const auto& label) {
    return node.labels.find(label.first) == label.second;
  });
}

}  // namespace

std::optional<FlavorId> Places::flavor_of(const PodSetAssignment& assignment) const {
  for (const auto& [resource, name] : assignment.flavors) {
    const std::optional<FlavorId> flavor = find_flavor(flavors_, name.view());
    if (flavor && cluster_->view(*flavor, false)) return flavor;
  }
  return std::nullopt;
}

std::optional<CellId> Places::leaf_cell(FlavorId flavor, std::span<const Symbol> values) const {
  for (const bool open : {false, true}) {
    const solver::FlavorView* view = cluster_->view(flavor, open);
    const topology::DomainTree& tree = view->tree();
    auto leaf = tree.find_leaf(values);
    // A node that is unusable now still holds its pods, and may come back.
    if (!leaf && tree.live()) leaf = tree.find_host(values.back());
    if (leaf) return view->cells()[topology::index(*leaf)];
  }
  return std::nullopt;
}

/// Where both end at the host, the hostname alone identifies the leaf, so that a topology may gain
/// or lose upper levels while a workload runs. Where only the assignment does, the leaf is the one
/// that holds the host now. Else the values of its levels identify it.
std::optional<CellId> Places::own_leaf(FlavorId flavor, const PodSetAssignment& assignment,
                                       const DomainList::Domain& domain) const {
  const topology::TopologySpec& topology = *flavors_[index(flavor)].topology;
  const std::optional<Symbol> hostname = host_of(assignment, domain);
  if (hostname && topology.host_level()) return leaf_cell(flavor, {&*hostname, 1});
  if (hostname) {
    const std::optional<NodeId> node = cluster_->by_label().host(*hostname);
    if (node) {
      std::vector<Symbol> path;
      const topology::DomainTree& tree = cluster_->view(flavor, false)->tree();
      const bool inside = tree.path_of(cluster_->nodes()[topology::index(*node)], path);
      const auto leaf = inside ? leaf_cell(flavor, path) : std::nullopt;
      // A node that takes no pods now is in no leaf: the others of its rack hold nothing for it.
      if (!leaf || !holds(*leaf, *node)) return std::nullopt;
      const auto host = host_below(*leaf, *node);
      return host ? host : leaf;
    }
  }
  const auto values = values_by_label(topology, assignment, domain);
  return values ? leaf_cell(flavor, *values) : std::nullopt;
}

bool Places::holds(CellId cell, NodeId node) const {
  const std::span<const NodeId> nodes = cluster_->cells()->nodes(cell);
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

std::optional<CellId> Places::cell_of(NodeId node) const {
  const topology::CellMap& cells = *cluster_->cells();
  const std::span<const CellId> own = cells.cells_of_node(node);
  const auto host =
      std::find_if(own.begin(), own.end(), [&](CellId cell) { return cells.is_host(cell); });
  if (host != own.end()) return *host;
  if (own.empty() || !cluster_->shares_leaves_above_host()) return std::nullopt;
  return own.front();
}

std::optional<CellId> Places::host_below(CellId above, NodeId node) const {
  const topology::CellMap& cells = *cluster_->cells();
  if (!cluster_->mixes_leaves() || cells.is_host(above)) return std::nullopt;
  for (const CellId cell : cells.cells_of_node(node)) {
    const std::span<const CellId> seen_by = cells.observers(cell);
    if (cells.is_host(cell) && std::find(seen_by.begin(), seen_by.end(), above) != seen_by.end()) {
      return cell;
    }
  }
  return std::nullopt;
}

Place Places::by_labels(const PodSetAssignment& assignment, const DomainList::Domain& domain,
                        std::optional<FlavorId> flavor) const {
  const std::size_t given = depth(assignment, domain);
  const std::span<const Symbol> labels = std::span(assignment.levels).first(given);
  Place place;
  const auto take = [&](bool of_flavor) {
    for (const NodeId node : cluster_->by_label().at(labels, domain.values.first(given))) {
      const topology::NodeRecord& record = cluster_->nodes()[topology::index(node)];
      const bool fits =
          !of_flavor || (flavor && has_labels(record, flavors_[index(*flavor)].record));
      if (fits && cell_of(node)) place.nodes.push_back(node);
    }
  };
  // The pods ran on nodes of the flavor. If none is left, they are on the others.
  take(true);
  if (place.nodes.empty()) take(false);
  place.usable = !place.nodes.empty();
  return place;
}

Place Places::find(const PodSetAssignment& assignment, const DomainList::Domain& domain) const {
  const std::optional<FlavorId> flavor = flavor_of(assignment);
  if (flavor) {
    if (const auto cell = own_leaf(*flavor, assignment, domain)) return {cell, {}, true, true};
  }
  if (depth(assignment, domain) == 0) return {std::nullopt, {}, false, false};
  const std::optional<Symbol> hostname = host_of(assignment, domain);
  if (!hostname) return by_labels(assignment, domain, flavor);
  const std::optional<NodeId> node = cluster_->by_label().host(*hostname);
  if (!node) return {std::nullopt, {}, false, false};
  if (const auto cell = cell_of(*node)) return {cell, {}, true, false};
  return {std::nullopt, {*node}, false, false};
}

std::vector<std::pair<NodeId, std::int64_t>> deal(std::span<const topology::NodeRecord> nodes,
                                                  std::span<const NodeId> to, std::int64_t pods,
                                                  const Amounts& per_pod,
                                                  std::map<NodeId, Amounts>& taken) {
  std::vector<std::pair<NodeId, std::int64_t>> dealt;
  const auto give = [&](NodeId node, std::int64_t some) {
    dealt.emplace_back(node, some);
    taken[node].add(per_pod.times(some));
    pods -= some;
  };
  for (const NodeId node : to) {
    std::int64_t room = pods;
    for (const topology::Amount& amount : per_pod) {
      if (amount.value <= 0) continue;
      const std::int64_t free = nodes[topology::index(node)].allocatable.get(amount.resource) -
                                (taken.count(node) > 0 ? taken[node].get(amount.resource) : 0);
      room = std::min(room, std::max<std::int64_t>(free, 0) / amount.value);
    }
    if (room > 0) give(node, room);
    if (pods == 0) return dealt;
  }
  if (!to.empty()) give(to.front(), pods);
  return dealt;
}

}  // namespace tessera::core
