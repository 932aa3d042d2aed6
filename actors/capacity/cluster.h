// SPDX-License-Identifier: Apache-2.0
// Cluster: the domain trees, cells and views of all topology flavors over one list of nodes.
//
// Built once for each list of nodes (the nodes as read; the same nodes, all healthy) and shared by
// all plans over that list. A live cluster follows its nodes in place (update_node()); others never
// change. Flavors with the same topology and node labels share a tree. Views cache the verdicts of
// filters: one thread at a time. Does not hold use: see Books.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actors/capacity/flavor.h"
#include "actors/capacity/nodes_by_label.h"
#include "actors/capacity/tree_hosts.h"
#include "config/profile.h"
#include "solver/index/index.h"
#include "solver/search/place.h"

namespace tessera::core {

class Cluster {
 public:
  /// `nodes` sorted by name; they outlive the cluster.
  Cluster(std::span<const topology::NodeRecord> nodes, std::span<const Flavor> flavors,
          const config::Profile& profile, topology::TreeUse use = topology::TreeUse::kOnce);

  /// The same trees and cells with views of its own, for another thread. The twin is valid until a
  /// node of this cluster changes. It has no capacity.
  std::unique_ptr<Cluster> twin(std::span<const Flavor> flavors) const;

  std::span<const topology::NodeRecord> nodes() const { return nodes_; }
  std::optional<topology::NodeId> find_node(std::string_view name) const;

  /// Null for flavors without topology. `open`: the view with unlabelled nodes as leaves; if the
  /// flavor has no such view, the plain view.
  const solver::FlavorView* view(FlavorId flavor, bool open) const;
  /// True if the open tree of the flavor has leaves that the plain tree lacks.
  bool has_open(FlavorId flavor) const { return open_views_[index(flavor)] != nullptr; }

  const std::shared_ptr<const topology::CellMap>& cells() const { return cells_; }
  /// Leaves above the host see all bookings on their nodes, also those of other flavors.
  bool shares_leaves_above_host() const { return shares_leaves_above_host_; }
  /// True if some such leaf may hold the node of a host of another flavor.
  bool mixes_leaves() const { return mixes_leaves_; }
  /// Nodes by what assignments say of them, whatever their flavor.
  NodesByLabel& by_label() const;
  /// The nodes as gang trees see them.
  TreeHosts& tree_hosts() const;
  /// The capacity while nothing runs. Use is booked on copies of it.
  const topology::Capacity& empty() const { return *empty_; }

  /// Follows a node whose record has changed already; the record was `before`. `capacity` and
  /// `index` belong to the books on this cluster and follow too. Other copies of either are invalid
  /// afterwards. False: the cluster and all books on it must be built anew.
  bool update_node(topology::NodeId node, const topology::NodeRecord& before,
                   topology::Capacity& capacity, solver::Index& index);

 private:
  Cluster() = default;

  struct Tree {
    std::unique_ptr<topology::DomainTree> tree;
    std::vector<solver::FlavorView*> views;
    bool has_open = false;  // another tree also holds the unlabelled nodes
  };

  std::span<const topology::NodeRecord> nodes_;
  std::vector<Tree> trees_;
  std::shared_ptr<const topology::CellMap> cells_;
  std::vector<std::unique_ptr<solver::FlavorView>> views_, open_views_;  // by FlavorId
  std::unique_ptr<topology::Capacity> empty_;
  bool shares_leaves_above_host_ = true, mixes_leaves_ = false;
  // Made on first use.
  mutable std::unique_ptr<NodesByLabel> by_label_;
  mutable std::unique_ptr<TreeHosts> tree_hosts_;
};

/// The nodes as if nothing were broken: ready, schedulable, without the taints that Kubernetes sets
/// for conditions, and with all devices of their capacity.
std::vector<topology::NodeRecord> healthy_nodes(std::span<const topology::NodeRecord> nodes);
/// The same for one node.
topology::NodeRecord healthy_node(const topology::NodeRecord& node);
bool is_healthy(const topology::NodeRecord& node);

}  // namespace tessera::core
