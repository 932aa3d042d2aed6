// SPDX-License-Identifier: Apache-2.0
// Topologies made from node labels when the input names none, and names that people know for
// labels.
//
// The rule is kinds.md C2 "Derived topology": region, zone, one fabric family, the NVLink label,
// the host. Called by the planner when nodes change; pure, any thread. Never mixes two label
// families and never splits a label's value.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/domain_tree.h"
#include "topology/result.h"

namespace tessera::topology {

struct DerivedTopology {
  TopologySpec spec;               // named "default"
  std::vector<std::string> notes;  // for people: the label family taken, nodes that fell out
  /// Usable nodes with some of the fabric and NVLink labels that lack a kept one, or without a
  /// hostname label.
  std::vector<LeftOutNode> out;
  /// Usable nodes with none of them: leaves for pod sets without a topology request.
  std::vector<NodeId> unlabelled;
};

/// Only usable nodes decide. kConflict if the labels of a family without a known order cross.
Result<DerivedTopology> derive_topology(std::span<const NodeRecord> nodes);

/// The usual word for a well-known label ("rack", "block", "zone"), or an empty text.
std::string default_alias(std::string_view label);

/// Fills in aliases and display labels of levels that have none. An alias that two levels would
/// have goes to the finer one. Cliques are shown by network.topology.nvidia.com/accelerator if a
/// node has it.
void add_default_names(TopologySpec& topology, std::span<const NodeRecord> nodes);

}  // namespace tessera::topology
