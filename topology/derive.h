// SPDX-License-Identifier: Apache-2.0
// Topologies made from node labels when the input names none, and the usual names of well-known
// labels.
//
// The levels are region, zone, one family of fabric labels, the NVLink label and the host. Called
// by ingest/link/topologies.cpp; pure, any thread. Never mixes two families of labels, and never
// splits the value of a label.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/domain_tree.h"
#include "topology/text/result.h"

namespace tessera::topology {

struct DerivedTopology {
  TopologySpec spec;               // named "default"
  std::vector<std::string> notes;  // for people: the family that was taken, the nodes left out
  /// Usable nodes that have some of the fabric and NVLink labels but lack one that became a level,
  /// and usable nodes without a hostname label.
  std::vector<LeftOutNode> out;
  /// Usable nodes without any fabric or NVLink label: leaves for pod sets that ask for no topology.
  std::vector<NodeId> unlabelled;
};

/// Only usable nodes decide. kConflict if the labels of a family without a known order cross.
Result<DerivedTopology> derive_topology(std::span<const NodeRecord> nodes);

/// The usual word for a well-known label ("rack", "block", "zone"), or an empty text.
std::string default_alias(std::string_view label);

/// Fills in the alias and the display label of each level that has none. If two levels would get
/// one alias, the finer one gets it. A clique is shown by the value of
/// network.topology.nvidia.com/accelerator if a node has that label.
void add_default_names(TopologySpec& topology, std::span<const NodeRecord> nodes);

}  // namespace tessera::topology
