// SPDX-License-Identifier: Apache-2.0
// Gang: what is placed together, as the solver sees it: pod sets with their requests, filters and
// topology requests.
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
  std::string group;  // podSetGroupName: leader and workers placed together; empty: none
  std::optional<IndexRule> index;
};

struct Gang {
  std::vector<PodSet> pod_sets;  // spec order
};

}  // namespace tessera::solver
