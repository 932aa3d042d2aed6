// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/node_summary.h"

#include <algorithm>
#include <map>

#include "topology/text/hostlist.h"
#include "topology/text/wording.h"

namespace tessera::encode {
namespace {

using topology::DomainTree;
using topology::LeftOut;
using topology::NodeRecord;

constexpr const char* kNoFlavor = "in no flavor";

/// A smaller rank tells more. If several trees leave a node out, the most telling cause is shown.
int rank(LeftOut cause) {
  switch (cause) {
    case LeftOut::kCordoned:
      return 0;
    case LeftOut::kNotReady:
      return 1;
    case LeftOut::kMissingLevel:
      return 2;
    case LeftOut::kFlavorLabels:
      return 3;
  }
  return 3;
}

std::string text_of(const topology::LeftOutNode& node, const DomainTree& tree) {
  switch (node.cause) {
    case LeftOut::kCordoned:
      return "cordoned";
    case LeftOut::kNotReady:
      return "not ready";
    case LeftOut::kMissingLevel:
      return "no " + tree.topology().levels[static_cast<std::size_t>(node.level)].label.str();
    case LeftOut::kFlavorLabels:
      break;
  }
  return kNoFlavor;
}

/// Flavors without a topology count a node by its labels and health alone.
bool in_plain_flavor(std::span<const core::FlavorRecord> flavors, const NodeRecord& node) {
  return std::any_of(flavors.begin(), flavors.end(), [&](const core::FlavorRecord& flavor) {
    return flavor.topology.empty() &&
           std::all_of(flavor.node_labels.begin(), flavor.node_labels.end(),
                       [&](const auto& l) { return node.labels.find(l.first) == l.second; });
  });
}

std::optional<std::string> health_cause(const NodeRecord& node) {
  if (node.unschedulable) return "cordoned";
  if (!node.ready) return "not ready";
  return std::nullopt;
}

std::size_t group_rank(const std::string& text) {
  return text == "cordoned" ? 0u : text == "not ready" ? 1u : 2u;
}

std::vector<NodeGroup> in_order(std::map<std::string, std::vector<std::string>>&& by_text) {
  std::vector<NodeGroup> groups;
  for (auto& [text, names] : by_text) groups.push_back({text, std::move(names)});
  std::stable_sort(groups.begin(), groups.end(), [](const NodeGroup& a, const NodeGroup& b) {
    return group_rank(a.text) < group_rank(b.text);
  });
  return groups;
}

}  // namespace

std::string node_name(const NodeRecord& node, HostNames names) {
  if (names == HostNames::kHostnameLabel) {
    if (auto host = node.labels.find(topology::hostname_label())) return host->str();
  }
  return node.name.str();
}

bool is_degraded(const NodeRecord& node) {
  return node.allocatable.get(topology::gpu_resource()) <
         node.capacity.get(topology::gpu_resource());
}

std::vector<std::optional<std::string>> left_out_causes(const core::ClusterView& cluster) {
  const std::span<const NodeRecord> nodes = cluster.nodes();
  std::vector<std::optional<std::string>> causes(nodes.size(), kNoFlavor);
  std::vector<int> ranks(causes.size(), 4);
  for (const std::string& flavor : cluster.topology_flavors()) {
    // The open tree holds all leaves of the plain one.
    const DomainTree& tree = cluster.view(flavor, true)->tree();
    std::vector<bool> out(causes.size(), false);
    for (const topology::LeftOutNode& node : tree.left_out()) {
      const std::size_t at = index(node.node);
      out[at] = true;
      if (rank(node.cause) >= ranks[at]) continue;
      ranks[at] = rank(node.cause);
      causes[at] = text_of(node, tree);
    }
    for (std::size_t i = 0; i < causes.size(); ++i) {
      if (out[i]) continue;
      // A live tree keeps an unusable node as a hidden leaf.
      causes[i] = health_cause(nodes[i]);
      ranks[i] =
          causes[i] ? rank(nodes[i].unschedulable ? LeftOut::kCordoned : LeftOut::kNotReady) : -1;
    }
  }
  const bool no_trees = cluster.topology_flavors().empty() && cluster.flavors().empty();
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (!causes[i] || *causes[i] != kNoFlavor) continue;
    const NodeRecord& node = nodes[i];
    if (no_trees || in_plain_flavor(cluster.flavors(), node)) causes[i] = health_cause(node);
  }
  return causes;
}

namespace {

/// Cells may overlap: a node counts with the first of its cells.
std::int64_t count_gpus_in_use(const core::ClusterView& cluster,
                               const std::vector<std::optional<std::string>>& causes) {
  const topology::Capacity& capacity = cluster.capacity();
  const topology::CellMap& cells = capacity.cells();
  std::vector<bool> counted(causes.size(), false);
  std::int64_t in_use = 0;
  for (std::uint32_t i = 0; i < cells.cell_count(); ++i) {
    const topology::CellId cell{i};
    const auto nodes = cells.nodes(cell);
    const bool skip = std::any_of(nodes.begin(), nodes.end(), [&](topology::NodeId node) {
      return causes[index(node)].has_value() || counted[index(node)];
    });
    if (skip || nodes.empty()) continue;
    std::int64_t gpus = 0;
    for (const topology::NodeId node : nodes) {
      counted[index(node)] = true;
      gpus += cluster.nodes()[index(node)].allocatable.get(topology::gpu_resource());
    }
    const std::int64_t free =
        capacity.amount(topology::Basis::kFree, topology::gpu_resource(), cell);
    in_use += std::clamp<std::int64_t>(topology::saturating_sub(gpus, free), 0, gpus);
  }
  return in_use;
}

}  // namespace

NodeSummary summarize_nodes(const core::ClusterView& cluster, HostNames names) {
  const std::span<const NodeRecord> nodes = cluster.nodes();
  const std::vector<std::optional<std::string>> causes = left_out_causes(cluster);
  NodeSummary summary;
  summary.nodes = static_cast<std::int64_t>(nodes.size());
  std::map<std::string, std::vector<std::string>> left_out, degraded;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (causes[i]) {
      left_out[*causes[i]].push_back(node_name(nodes[i], names));
      continue;
    }
    const std::int64_t gpus = nodes[i].allocatable.get(topology::gpu_resource());
    ++summary.usable;
    summary.gpus = topology::saturating_add(summary.gpus, gpus);
    if (is_degraded(nodes[i])) {
      const std::int64_t built = nodes[i].capacity.get(topology::gpu_resource());
      degraded[std::to_string(gpus) + "/" + std::to_string(built)].push_back(
          node_name(nodes[i], names));
    }
  }
  summary.gpus_in_use = count_gpus_in_use(cluster, causes);
  summary.left_out = in_order(std::move(left_out));
  summary.degraded = in_order(std::move(degraded));
  return summary;
}

std::string host_list(const std::vector<std::string>& names, bool fold) {
  return shown_hosts(names, fold, fold ? kMostHostText : SIZE_MAX);
}

std::string node_summary_text(const NodeSummary& summary, bool fold) {
  std::string out = counted(summary.nodes, "node: ", "nodes: ") + std::to_string(summary.usable) +
                    " usable, " + std::to_string(summary.gpus) + " GPUs";
  std::string why;
  for (const NodeGroup& group : summary.left_out) {
    why += (why.empty() ? "" : "; ") + group.text + " " + std::to_string(group.names.size()) +
           ": " + host_list(group.names, fold);
  }
  if (!summary.degraded.empty()) {
    std::size_t count = 0;
    std::string list;
    for (const NodeGroup& group : summary.degraded) {
      count += group.names.size();
      list += (list.empty() ? "" : ", ") + host_list(group.names, fold) + " " + group.text;
    }
    why += (why.empty() ? "" : "; ") + ("degraded " + std::to_string(count)) + ": " + list;
  }
  return why.empty() ? out : out + " (" + why + ")";
}

}  // namespace tessera::encode
