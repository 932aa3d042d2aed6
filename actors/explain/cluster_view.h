// SPDX-License-Identifier: Apache-2.0
// ClusterView: what may be looked up about a cluster when a decision is printed: workloads, nodes,
// trees, what is free and which workload holds the rest.
//
// Read by ingest/text and ingest/encode, in the thread of its provider: the Engine for `schedule`,
// PlannerView for `simulate`. What is returned by reference stays until the provider changes. It
// does not say why: see Decision and Evidence.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "actors/records/inventory.h"
#include "config/profile.h"
#include "solver/gang/flavor_view.h"
#include "topology/capacity.h"

namespace tessera::core {

/// Pods of one workload on one cell.
struct Holding {
  std::size_t workload = 0;  // as Decision::workload
  std::size_t pod_set = 0;
  topology::CellId cell;
  std::int64_t pods = 0;
};

class ClusterView {
 public:
  ClusterView() = default;
  ClusterView(const ClusterView&) = delete;
  ClusterView& operator=(const ClusterView&) = delete;
  virtual ~ClusterView() = default;

  /// `id` as in Decision::workload, Holding::workload and Blocker::workload.
  virtual const Workload& workload(std::size_t id) const = 0;
  virtual const config::Profile& profile() const = 0;
  /// By topology::NodeId.
  virtual std::span<const topology::NodeRecord> nodes() const = 0;
  /// Flavors of the input, by name.
  virtual std::span<const FlavorRecord> flavors() const = 0;
  /// Objects of the input that were left out because of errors.
  virtual std::span<const RefusedObject> refused() const = 0;
  /// A flavor's tree with its cells; null for flavors without topology. `open`: with unlabelled
  /// nodes as leaves.
  virtual const solver::FlavorView* view(const std::string& flavor, bool open = false) const = 0;
  /// Topology flavors, byte order ("default" when the input has no flavors).
  virtual std::vector<std::string> topology_flavors() const = 0;
  virtual const topology::Capacity& capacity() const = 0;
  /// Everything booked now.
  virtual std::vector<Holding> holdings() const = 0;
};

}  // namespace tessera::core
