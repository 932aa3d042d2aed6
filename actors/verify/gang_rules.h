// SPDX-License-Identifier: Apache-2.0
// The rules that the pods of one gang obey together: minima, shared domains, slices, units,
// exclusive domains, spread.
//
// Used by verify(); shares no code with the solver. Pure. A domain is the whole path of label
// values down to its level; a node that lacks one of these labels is in no domain of that level.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actors/records/inventory.h"
#include "actors/verify/answered_pod.h"

namespace tessera::core {

using NodesByName = std::map<std::string_view, const topology::NodeRecord*>;

/// True if the node's labels and taints let such a pod in. `tolerated`: besides the pod's own
/// tolerations.
bool passes_filter(const topology::NodeFilter& filter,
                   const std::vector<topology::Toleration>& tolerated,
                   const topology::NodeRecord& node);

/// Where the pods of one gang are.
class GangPlaces {
 public:
  /// All outlive this.
  GangPlaces(const Workload& workload, const std::vector<AnsweredPod>& pods,
             const NodesByName& nodes, const std::vector<topology::TopologySpec>& topologies)
      : workload_(&workload), pods_(&pods), nodes_(&nodes), topologies_(&topologies) {}

  const Workload& workload() const { return *workload_; }
  const std::vector<AnsweredPod>& pods() const { return *pods_; }
  /// The domain of a node at a level of the named topology; empty name: of any topology that has
  /// the level. Nothing: the node is in none.
  std::optional<std::string> domain(std::string_view node, const std::string& topology,
                                    topology::Symbol level) const;
  /// True if all nodes are in one domain of the level.
  bool share(const std::vector<std::string>& nodes, const std::string& topology,
             topology::Symbol level) const;

 private:
  const Workload* workload_;
  const std::vector<AnsweredPod>* pods_;
  const NodesByName* nodes_;
  const std::vector<topology::TopologySpec>* topologies_;
};

std::vector<BrokenRule> check_tree(const GangPlaces& places);
std::vector<BrokenRule> check_flat(const GangPlaces& places);

}  // namespace tessera::core
