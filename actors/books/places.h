// SPDX-License-Identifier: Apache-2.0
// Places: where the domains of an assignment are in a cluster, whatever became of the assignment's
// flavor, of its topology or of the labels of its nodes.
//
// Used by Books when it books an admission by name. In this order: the leaf of the assignment's
// flavor; the node that the assignment names as host, through any flavor; the nodes that have the
// values of the assignment as labels. Pure. Does not know use or quota.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "actors/capacity/cluster.h"
#include "actors/records/assignment.h"

namespace tessera::core {

/// One domain of an assignment.
struct Place {
  std::optional<topology::CellId> cell;  // on which its pods are booked
  /// Without a cell: the nodes that the pods may run on. No leaf holds them all.
  std::vector<topology::NodeId> nodes;
  bool usable = true;          // false: no node of it takes pods
  bool of_its_flavor = false;  // the cell is a leaf of the assignment's flavor
};

class Places {
 public:
  /// Both outlive the places.
  Places(const Cluster& cluster, std::span<const Flavor> flavors)
      : cluster_(&cluster), flavors_(flavors) {}

  Place find(const PodSetAssignment& assignment, const DomainList::Domain& domain) const;
  /// Where a pod that is known to run on `node` is booked: its host, else the first leaf above it.
  std::optional<topology::CellId> cell_of(topology::NodeId node) const;
  /// The host cell of `node` whose bookings the leaf `above` sees.
  std::optional<topology::CellId> host_below(topology::CellId above, topology::NodeId node) const;

 private:
  bool holds(topology::CellId cell, topology::NodeId node) const;
  std::optional<FlavorId> flavor_of(const PodSetAssignment& assignment) const;
  std::optional<topology::CellId> leaf_cell(FlavorId flavor, std::span<const Symbol> values) const;
  std::optional<topology::CellId> own_leaf(FlavorId flavor, const PodSetAssignment& assignment,
                                           const DomainList::Domain& domain) const;
  Place by_labels(const PodSetAssignment& assignment, const DomainList::Domain& domain,
                  std::optional<FlavorId> flavor) const;

  const Cluster* cluster_;
  std::span<const Flavor> flavors_;
};

/// Deals pods to nodes, in their order, each as many as the node can hold when it is empty; the
/// rest to the first. `taken`: what was dealt before; grows.
std::vector<std::pair<topology::NodeId, std::int64_t>> deal(
    std::span<const topology::NodeRecord> nodes, std::span<const topology::NodeId> to,
    std::int64_t pods, const Amounts& per_pod, std::map<topology::NodeId, Amounts>& taken);

}  // namespace tessera::core
