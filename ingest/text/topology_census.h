// SPDX-License-Identifier: Apache-2.0
// Census: the domains of a topology with all their hosts, usable or not, and the pods that they
// could take now.
//
// Counts what `topology show` and `rackmap` print. Pure functions over the engine's present state.
// In a topology that ends above the host, a host has no room of its own: the room of its leaf is
// dealt to the leaf's hosts in node order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "actors/explain/cluster_view.h"

namespace tessera::encode {

/// What one pod asks. Whether a host is free depends on it.
struct Shape {
  topology::Amounts request;    // without the pod slot
  topology::NodeFilter filter;  // used if `filtered`; else taints and labels do not count
  bool filtered = false;
  /// Each host counts as itself: the pod asks for all GPUs that its host was built with, and
  /// `request` is what that is where all hosts are alike. Without GPUs anywhere: `request`.
  bool own = false;
};

/// All GPUs of a host, whatever their number. If no node has GPUs: one pod that asks for nothing.
Shape own_shape(std::span<const topology::NodeRecord> nodes);

/// "nvidia.com/gpu=4", "pods=1", "all nvidia.com/gpu of a host"
std::string shape_text(const Shape& shape);

struct Host {
  topology::NodeId node;
  bool in_tree = false;
  std::int64_t devices = 0, free = 0;  // of Census::device
  std::int64_t room = 0;               // pods of the shape that fit now
};

/// Segments of 16, 8, 4 and 1 hosts that can start (each host taking one pod of the shape).
inline constexpr std::array<std::int64_t, 4> kSegments = {16, 8, 4, 1};

struct Domain {
  std::vector<topology::Symbol> path;  // values, coarsest first
  std::string name;                    // as people see it
  std::vector<std::size_t> hosts;      // positions in Census::hosts, by host name
  std::int64_t usable = 0, devices = 0, free = 0, whole = 0;
  std::array<std::int64_t, 4> starts = {};
};

struct CensusLevel {
  std::string name, label;
  std::vector<Domain> domains;  // in path order
};

/// One topology over the nodes of one set of labels.
struct Census {
  topology::TopologySpec topology;
  std::vector<std::string> flavors;  // that share it
  topology::Symbol device;           // nvidia.com/gpu, or pods where no node has GPUs
  std::vector<Host> hosts;           // nodes with the flavors' labels, by host name
  /// Coarsest first, host level left out; one level "cluster" where hosts are the only level.
  std::vector<CensusLevel> levels;
  std::vector<std::size_t> outside;  // hosts that lack the label of a level
};

/// By topology name, then by flavor.
std::vector<Census> take_census(const core::ClusterView& cluster, const Shape& shape);

}  // namespace tessera::encode
