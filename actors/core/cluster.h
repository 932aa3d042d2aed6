// SPDX-License-Identifier: Apache-2.0
// Cluster: the domain trees, cells and views of all topology flavors over one list of nodes.
//
// Built once per list of nodes (what was read; the same with every node healthy) and shared by all
// plans over it; never changes. Flavors with the same topology and node labels share a tree. Views
// cache filter verdicts: one thread at a time. Does not hold use: see Books.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actors/core/flavor.h"
#include "config/profile.h"
#include "solver/place.h"

namespace tessera::core {

class Cluster {
 public:
  /// `nodes` sorted by name; they outlive the cluster.
  Cluster(std::span<const topology::NodeRecord> nodes, std::span<const Flavor> flavors,
          const config::Profile& profile);

  std::span<const topology::NodeRecord> nodes() const { return nodes_; }
  std::optional<topology::NodeId> find_node(Symbol name) const;

  /// Null for flavors without topology. `open`: with unlabelled nodes as leaves; the plain view if
  /// that is no other.
  const solver::FlavorView* view(FlavorId flavor, bool open) const;
  /// True if the open tree of the flavor has leaves that the plain one lacks.
  bool has_open(FlavorId flavor) const { return open_views_[index(flavor)] != nullptr; }

  /// Nothing runs. A copy is where use is booked.
  const topology::Capacity& empty() const { return *empty_; }

 private:
  std::span<const topology::NodeRecord> nodes_;
  std::vector<std::unique_ptr<const topology::DomainTree>> trees_;
  std::shared_ptr<const topology::CellMap> cells_;
  std::vector<std::unique_ptr<const solver::FlavorView>> views_, open_views_;  // by FlavorId
  std::unique_ptr<const topology::Capacity> empty_;
};

/// The nodes as they would be with nothing broken: ready, schedulable, without the taints that
/// Kubernetes sets for conditions, with all devices of their capacity.
std::vector<topology::NodeRecord> healthy_nodes(std::span<const topology::NodeRecord> nodes);
/// The same for one node.
topology::NodeRecord healthy_node(const topology::NodeRecord& node);
bool is_healthy(const topology::NodeRecord& node);

}  // namespace tessera::core
