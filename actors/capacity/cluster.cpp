// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/cluster.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "solver/index/node_update.h"

namespace tessera::core {
namespace {

using topology::DomainTree;
using topology::NodeRecord;

/// What a tree is made from: topology and flavor labels.
using TreeKey = std::tuple<std::string, bool, std::vector<std::pair<std::string, std::string>>>;

TreeKey tree_key(const Flavor& flavor) {
  std::vector<std::pair<std::string, std::string>> labels;
  for (const auto& [key, value] : flavor.record.node_labels) {
    labels.emplace_back(key.str(), value.str());
  }
  std::sort(labels.begin(), labels.end());
  return {flavor.topology->name, flavor.topology->derived, std::move(labels)};
}

bool needs_open_tree(const DomainTree& tree) {
  return tree.topology().unlabelled != topology::UnlabelledNodes::kExclude &&
         std::any_of(tree.left_out().begin(), tree.left_out().end(), [](const auto& node) {
           return node.cause == topology::LeftOut::kMissingLevel;
         });
}

/// Which trees serve a flavor, as positions in the list of trees. `open` is -1 if the flavor has no
/// open tree of its own.
struct FlavorTrees {
  int plain = -1, open = -1;
};

/// A device is an extended resource. Kubernetes reserves no devices for the system, so on a healthy
/// node allocatable equals capacity.
bool is_device(Symbol resource) { return resource.view().find('/') != std::string_view::npos; }

/// Taints that the node controller sets from conditions, and removes when the condition ends.
bool is_condition_taint(const topology::Taint& taint) {
  constexpr std::string_view kPrefix = "node.kubernetes.io/";
  constexpr std::string_view kConditions[] = {
      "not-ready",     "unreachable",  "unschedulable",       "memory-pressure",
      "disk-pressure", "pid-pressure", "network-unavailable", "out-of-service"};
  const std::string_view key = taint.key.view();
  if (key.substr(0, kPrefix.size()) != kPrefix) return false;
  return std::find(std::begin(kConditions), std::end(kConditions), key.substr(kPrefix.size())) !=
         std::end(kConditions);
}

}  // namespace

Cluster::Cluster(std::span<const NodeRecord> nodes, std::span<const Flavor> flavors,
                 const config::Profile& profile, topology::TreeUse use)
    : nodes_(nodes), views_(flavors.size()), open_views_(flavors.size()) {
  std::map<TreeKey, FlavorTrees> shared;
  std::vector<FlavorTrees> of_flavor(flavors.size());
  for (std::size_t f = 0; f < flavors.size(); ++f) {
    if (!flavors[f].topology) continue;
    const auto [at, added] = shared.try_emplace(tree_key(flavors[f]));
    if (added) {
      const auto add_tree = [&](bool open) {
        trees_.push_back({std::make_unique<DomainTree>(*flavors[f].topology, nodes,
                                                       flavors[f].record.node_labels, open, use),
                          {},
                          open});
        return static_cast<int>(trees_.size()) - 1;
      };
      at->second.plain = add_tree(false);
      if (needs_open_tree(*trees_.back().tree)) {
        trees_.back().has_open = true;
        at->second.open = add_tree(true);
      }
    }
    of_flavor[f] = at->second;
  }

  // One entry for each flavor and tree. The policy says whether flavors over one tree share cells.
  std::vector<const DomainTree*> trees;
  std::vector<std::size_t> numbers;
  std::vector<std::uint32_t> scopes;
  const auto add_scope = [&](std::size_t flavor, int tree) {
    numbers.push_back(static_cast<std::size_t>(tree));
    trees.push_back(trees_[numbers.back()].tree.get());
    scopes.push_back(static_cast<std::uint32_t>(flavor));
  };
  for (std::size_t f = 0; f < flavors.size(); ++f) {
    if (of_flavor[f].plain >= 0) add_scope(f, of_flavor[f].plain);
    if (of_flavor[f].open >= 0) add_scope(f, of_flavor[f].open);
  }
  const topology::CellPolicy policy{.overlapping_flavors = profile.overlapping_flavors,
                                    .own_usage_above_host = !profile.shared_leaves_above_host};
  cells_ = std::make_shared<topology::CellMap>(trees, scopes,
                                               static_cast<std::uint32_t>(nodes.size()), policy);
  std::size_t entry = 0;
  const auto make_view = [&](std::size_t flavor) {
    const std::size_t at = entry++;
    auto view = std::make_unique<solver::FlavorView>(*trees[at], cells_->cells_of_tree(at), nodes,
                                                     flavors[flavor].record.tolerations);
    trees_[numbers[at]].views.push_back(view.get());
    return view;
  };
  for (std::size_t f = 0; f < flavors.size(); ++f) {
    if (of_flavor[f].plain >= 0) views_[f] = make_view(f);
    if (of_flavor[f].open >= 0) open_views_[f] = make_view(f);
  }
  empty_ = std::make_unique<topology::Capacity>(cells_, nodes);
  shares_leaves_above_host_ = profile.shared_leaves_above_host;
  const auto of_hosts = [](const Tree& each) { return each.tree->topology().host_level(); };
  mixes_leaves_ = shares_leaves_above_host_ &&
                  std::any_of(trees_.begin(), trees_.end(), of_hosts) &&
                  !std::all_of(trees_.begin(), trees_.end(), of_hosts);
}

NodesByLabel& Cluster::by_label() const {
  if (!by_label_) by_label_ = std::make_unique<NodesByLabel>(nodes_);
  return *by_label_;
}

TreeHosts& Cluster::tree_hosts() const {
  if (!tree_hosts_) tree_hosts_ = std::make_unique<TreeHosts>(nodes_, *cells_);
  return *tree_hosts_;
}

std::unique_ptr<Cluster> Cluster::twin(std::span<const Flavor> flavors) const {
  std::unique_ptr<Cluster> twin(new Cluster());
  twin->nodes_ = nodes_;
  twin->cells_ = cells_;
  twin->shares_leaves_above_host_ = shares_leaves_above_host_;
  twin->mixes_leaves_ = mixes_leaves_;
  const auto copy_of = [&](const std::unique_ptr<solver::FlavorView>& view, std::size_t flavor) {
    return view ? std::make_unique<solver::FlavorView>(view->tree(), view->cells(), nodes_,
                                                       flavors[flavor].record.tolerations)
                : nullptr;
  };
  for (std::size_t f = 0; f < views_.size(); ++f) {
    twin->views_.push_back(copy_of(views_[f], f));
    twin->open_views_.push_back(copy_of(open_views_[f], f));
  }
  return twin;
}

std::optional<topology::NodeId> Cluster::find_node(std::string_view name) const {
  const auto at = std::lower_bound(
      nodes_.begin(), nodes_.end(), name,
      [](const NodeRecord& node, std::string_view text) { return node.name.view() < text; });
  if (at == nodes_.end() || at->name.view() != name) return std::nullopt;
  return topology::NodeId{static_cast<std::uint32_t>(at - nodes_.begin())};
}

const solver::FlavorView* Cluster::view(FlavorId flavor, bool open) const {
  if (open && open_views_[index(flavor)]) return open_views_[index(flavor)].get();
  return views_[index(flavor)].get();
}

bool Cluster::update_node(topology::NodeId node, const NodeRecord& before,
                          topology::Capacity& capacity, solver::Index& index) {
  const NodeRecord& now = nodes_[topology::index(node)];
  if (!capacity.resize_node(node, before.allocatable, now.allocatable)) return false;
  empty_->resize_node(node, before.allocatable, now.allocatable);
  const bool same_place =
      before.labels == now.labels && before.taints == now.taints && before.usable() == now.usable();
  if (same_place) return true;
  by_label_.reset();
  if (tree_hosts_) {
    if (before.labels == now.labels) {
      tree_hosts_->forget_barred();
    } else {
      tree_hosts_.reset();
    }
  }
  for (Tree& each : trees_) {
    // The node now needs an open tree, and this cluster was built without one.
    if (!each.has_open && each.tree->topology().allows_unlabelled(now.labels)) return false;
    if (!solver::update_node(node, *each.tree, each.views, capacity, &index)) return false;
  }
  return true;
}

NodeRecord healthy_node(const NodeRecord& node) {
  NodeRecord healthy = node;
  healthy.ready = true;
  healthy.unschedulable = false;
  healthy.taints.erase(
      std::remove_if(healthy.taints.begin(), healthy.taints.end(), is_condition_taint),
      healthy.taints.end());
  for (const topology::Amount& amount : node.capacity) {
    if (is_device(amount.resource) && healthy.allocatable.get(amount.resource) < amount.value) {
      healthy.allocatable.set(amount.resource, amount.value);
    }
  }
  return healthy;
}

bool is_healthy(const NodeRecord& node) {
  return node.usable() &&
         std::none_of(node.taints.begin(), node.taints.end(), is_condition_taint) &&
         std::none_of(node.capacity.begin(), node.capacity.end(), [&](const auto& amount) {
           return is_device(amount.resource) &&
                  node.allocatable.get(amount.resource) < amount.value;
         });
}

std::vector<NodeRecord> healthy_nodes(std::span<const NodeRecord> nodes) {
  std::vector<NodeRecord> healthy;
  healthy.reserve(nodes.size());
  for (const NodeRecord& node : nodes) healthy.push_back(healthy_node(node));
  return healthy;
}

}  // namespace tessera::core
