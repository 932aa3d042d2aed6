// SPDX-License-Identifier: Apache-2.0
// Gang: what is placed together, as the solver sees it: pod sets with their requests, filters and
// topology requests, and, if it is a gang tree, the groups that hold them.
//
// Filled by ingest/, immutable afterwards, read on any thread. A request is the effective request
// of one pod WITHOUT the pod slot: the solver adds pods:1 itself (placement.md 2.3). What counts
// against quota is in actors/records/workload.h (queues.md 4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/nodes/node_filter.h"

namespace tessera::solver {

using topology::Amounts;
using topology::Symbol;

/// Consecutive runs of `size` pods that must share a domain of `level`. Layers go from coarse to
/// fine.
struct SliceLayer {
  Symbol level;           // node label
  std::int64_t size = 0;  // 0: a slice level was given without a size (refused, M5)
  friend bool operator==(const SliceLayer&, const SliceLayer&) = default;
};

/// What a pod set asks of the topology. At most one of required, preferred, unconstrained is set.
struct TopologyRequest {
  std::optional<Symbol> required;  // node label of a level
  std::optional<Symbol> preferred;
  std::optional<bool>
      unconstrained;  // `false` alone is explicit and can never be placed (placement.md 11.1 10)
  std::vector<SliceLayer> layers;  // the constraint list C of placement.md 1.5

  /// placement.md 1.6: an index label alone is no explicit request.
  bool explicit_request() const {
    return required.has_value() || preferred.has_value() || unconstrained.has_value() ||
           !layers.empty();
  }
  friend bool operator==(const TopologyRequest&, const TopologyRequest&) = default;
};

/// How a pod's labels give its rank (spec/kinds.md 0.2). Only handed on: placement does not use it.
struct IndexRule {
  std::string label;
  std::string sub_label;  // empty: none
  std::int64_t sub_count = 0;
  std::int64_t offset = 0;
  friend bool operator==(const IndexRule&, const IndexRule&) = default;
};

/// Interchangeable pods of one role.
struct PodSet {
  std::string name;
  std::int64_t count = 0;
  std::optional<std::int64_t> min_count;
  Amounts request;  // of one pod
  topology::NodeFilter filter;
  TopologyRequest topology;
  std::string unit;  // podSetGroupName: leader and workers placed together; empty: none
  std::optional<IndexRule> index;
  /// The names of the pods, by rank. Empty: the controller of the gang makes the names.
  std::vector<std::string> pods;
};

/// Levels of one topology that the pods of a group share. With both levels the preferred one is
/// tried inside a domain of the required one (gangs.md 6.2).
struct GroupTopology {
  std::string topology;                       // its name; empty: the only topology there is
  std::optional<Symbol> required, preferred;  // node label of a level, or its alias
  friend bool operator==(const GroupTopology&, const GroupTopology&) = default;
};

/// A group owns its domain (kinds.md 0.6): no other exclusive group is there, or, if `everyone`, no
/// other pod at all.
struct GroupExclusive {
  std::optional<Symbol> level;  // nothing: the group is not exclusive
  bool everyone = false;
  friend bool operator==(const GroupExclusive&, const GroupExclusive&) = default;
};

/// The child groups lie in different domains of a level, at most `most` in each.
struct GroupSpread {
  std::optional<Symbol> level;  // nothing: they may lie anywhere
  std::int64_t most = 1;
  friend bool operator==(const GroupSpread&, const GroupSpread&) = default;
};

/// An inner node of a gang tree (spec/gangs.md 4.2). It is met if `min_pods` of its own pods run
/// and `min_children` of its child groups are met. All levels, `exclusive` and `spread` are of its
/// topology.
struct GangGroup {
  std::string name;          // unique in the gang; of the root: empty
  std::uint32_t parent = 0;  // of the root: 0
  std::uint32_t end = 0;     // the groups below are [self + 1, end)
  /// Its own pod sets are [pods_begin, pods_end). The minimum counts them in their order.
  std::uint32_t pods_begin = 0, pods_end = 0;
  std::int64_t min_pods = 0, min_children = 0;
  GroupTopology topology;
  GroupExclusive exclusive;
  GroupSpread spread;
  /// The nodes of its pods that run already, one entry for each pod. These pods are in no pod set.
  std::vector<std::string> running;
  friend bool operator==(const GangGroup&, const GangGroup&) = default;
};

struct Gang {
  std::vector<PodSet> pod_sets;  // spec order; of a gang tree in the order of their groups
  /// Pre-order, the root first. Empty: one group that needs all pods, and whose pod sets say
  /// themselves what they ask of the topology.
  std::vector<GangGroup> groups = {};

  bool is_tree() const { return !groups.empty(); }
};

}  // namespace tessera::solver
