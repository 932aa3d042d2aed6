// SPDX-License-Identifier: Apache-2.0
// What the `read` line says about the nodes.
//
// A node is usable if some flavor has it as a leaf. Pure functions over the cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/explain/cluster_view.h"
#include "ingest/text/names.h"

namespace tessera::encode {

struct NodeGroup {
  std::string text;                // "cordoned", "no nvidia.com/gpu.clique"
  std::vector<std::string> names;  // in node order
};

struct NodeSummary {
  std::int64_t nodes = 0, usable = 0;
  std::int64_t gpus = 0;            // of usable nodes
  std::int64_t gpus_in_use = 0;     // of the GPUs above
  std::vector<NodeGroup> left_out;  // cordoned, not ready, then by text
  std::vector<NodeGroup> degraded;  // usable with fewer GPUs than built with; text "3/4"
};

/// The shown name of a node: its hostname label, or the Node's name.
std::string node_name(const topology::NodeRecord& node, HostNames names);

/// Why each node is in no tree of any flavor, by NodeId; nothing for usable nodes.
std::vector<std::optional<std::string>> left_out_causes(const core::ClusterView& cluster);

bool is_degraded(const topology::NodeRecord& node);

NodeSummary summarize_nodes(const core::ClusterView& cluster, HostNames names);

/// "36 nodes: 33 usable, 131 GPUs (cordoned 1: gb-r01-n05; degraded 1: gb-r01-n12 3/4)"
std::string node_summary_text(const NodeSummary& summary, bool fold);

/// Host names as one list, folded or not.
std::string host_list(const std::vector<std::string>& names, bool fold);

}  // namespace tessera::encode
