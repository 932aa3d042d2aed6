// SPDX-License-Identifier: Apache-2.0
// Cluster: the domain trees, cells and views of all topology flavors over one list of nodes.
//
// Built once per list of nodes (what was read; the same with every node healthy) and shared by all
// plans over it. A live one follows its nodes in place (update_node()); others never change.
// Flavors with the same topology and node labels share a tree. Views cache filter verdicts: one
// thread at a time. Does not hold use: see Books.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actors/capacity/flavor.h"
#include "config/profile.h"
#include "solver/index/index.h"
#include "solver/search/place.h"

namespace tessera::core {

class Cluster {
 public:
  /// `nodes` sorted by name; they outlive the cluster.
  Cluster(std::span<const topology::NodeRecord> nodes, std::span<const Flavor> flavors,
          const config::Profile& profile, topology::TreeUse use = topology::TreeUse::kOnce);

  /// The same trees and cells with views of its own, for another thread: good until a node of this
  /// one changes. It has no capacity.
  std::unique_ptr<Cluster> twin(std::span<const Flavor> flavors) const;

  std::span<const topology::NodeRecord> nodes() const { return nodes_; }
  std::optional<topology::NodeId> find_node(Symbol name) const;

  /// Null for flavors without topology. `open`: with unlabelled nodes as leaves; the plain view if
  /// that is no other.
  const solver::FlavorView* view(FlavorId flavor, bool open) const;
  /// True if the open tree of the flavor has leaves that the plain one lacks.
  bool has_open(FlavorId flavor) const { return open_views_[index(flavor)] != nullptr; }

  const std::shared_ptr<const topology::CellMap>& cells() const { return cells_; }
  /// Nothing runs. A copy is where use is booked.
  const topology::Capacity& empty() const { return *empty_; }

  /// The node's record changed already; it was `before`. `capacity`, `index`: of the books on this
  /// cluster, which follow; other copies of either are of no use afterwards. False: the cluster and
  /// all books on it must be built anew.
  bool update_node(topology::NodeId node, const topology::NodeRecord& before,
                   topology::Capacity& capacity, solver::Index& index);

 private:
  Cluster() = default;

  struct Tree {
    std::unique_ptr<topology::DomainTree> tree;
    std::vector<solver::FlavorView*> views;
    bool has_open = false;  // another one holds the nodes that this one leaves out
  };

  std::span<const topology::NodeRecord> nodes_;
  std::vector<Tree> trees_;
  std::shared_ptr<const topology::CellMap> cells_;
  std::vector<std::unique_ptr<solver::FlavorView>> views_, open_views_;  // by FlavorId
  std::unique_ptr<topology::Capacity> empty_;
};

/// The nodes as they would be with nothing broken: ready, schedulable, without the taints that
/// Kubernetes sets for conditions, with all devices of their capacity.
std::vector<topology::NodeRecord> healthy_nodes(std::span<const topology::NodeRecord> nodes);
/// The same for one node.
topology::NodeRecord healthy_node(const topology::NodeRecord& node);
bool is_healthy(const topology::NodeRecord& node);

}  // namespace tessera::core
