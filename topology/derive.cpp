// SPDX-License-Identifier: Apache-2.0
#include "topology/derive.h"

#include <algorithm>
#include <array>
#include <utility>

#include "topology/topology_graph.h"

namespace tessera::topology {
namespace {

constexpr std::string_view kRegion = "topology.kubernetes.io/region";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kClique = "nvidia.com/gpu.clique";
constexpr std::string_view kAccelerator = "network.topology.nvidia.com/accelerator";
constexpr std::size_t kNamesInNote = 10;

/// The labels of one source (kinds.md C2). Labels of two sources are never mixed.
struct Family {
  std::string_view name;
  std::vector<std::string_view> fabric;  // coarsest first
  std::string_view nvlink;               // label of the NVLink domain; empty: none
  bool ordered = true;                   // false: `fabric` is ordered by refinement
};

/// Ties go to the earlier family. OKE nodes carry both families of Oracle; the RDMA labels say
/// more.
const std::vector<Family>& families() {
  static const std::vector<Family> kTable = {
      {"topograph",
       {"fabric.topograph.run/tier-5", "fabric.topograph.run/tier-4", "fabric.topograph.run/tier-3",
        "fabric.topograph.run/tier-2", "fabric.topograph.run/tier-1",
        "fabric.topograph.run/tier-0"},
       "accelerator.topograph.run/domain"},
      {"network.topology.nvidia.com",
       {"network.topology.nvidia.com/datacenter", "network.topology.nvidia.com/core",
        "network.topology.nvidia.com/spine", "network.topology.nvidia.com/block",
        "network.topology.nvidia.com/leaf"},
       kAccelerator},
      {"AWS",
       {"topology.k8s.aws/network-node-layer-1", "topology.k8s.aws/network-node-layer-2",
        "topology.k8s.aws/network-node-layer-3", "topology.k8s.aws/network-node-layer-4"},
       "topology.k8s.aws/ultraserver-id"},
      // gce-topology-host names the machine below the node, so it is no level between clique and
      // node.
      {"GKE", {"cloud.google.com/gce-topology-block"}, "cloud.google.com/gce-topology-subblock"},
      {"OCI RDMA",
       {"oci.oraclecloud.com/rdma.hpc_island_id", "oci.oraclecloud.com/rdma.network_block_id",
        "oci.oraclecloud.com/rdma.local_block_id"},
       ""},
      {"OCI host",
       {"oci.oraclecloud.com/host.network_block_id", "oci.oraclecloud.com/host.rack_id"},
       ""},
      {"CoreWeave backend",
       {"backend.coreweave.cloud/fabric", "backend.coreweave.cloud/superpod",
        "backend.coreweave.cloud/leafgroup"},
       "ds.coreweave.com/nvlink.domain",
       false},
      {"CoreWeave ib",
       {"ib.coreweave.cloud/fabric", "ib.coreweave.cloud/superpod", "ib.coreweave.cloud/leafgroup"},
       "ds.coreweave.com/nvlink.domain",
       false},
  };
  return kTable;
}

/// How many nodes carry at least one of the labels. A label that no node has is not interned, so
/// Symbol::find() does not know it.
std::size_t count_with_any(const std::vector<const NodeRecord*>& nodes,
                           const std::vector<std::string_view>& labels) {
  std::vector<Symbol> known;
  for (const std::string_view label : labels) {
    if (const Symbol symbol = Symbol::find(label); !symbol.empty()) known.push_back(symbol);
  }
  if (known.empty()) return 0;
  const auto count = std::count_if(nodes.begin(), nodes.end(), [&](const NodeRecord* node) {
    return std::any_of(known.begin(), known.end(),
                       [&](Symbol label) { return node->labels.find(label).has_value(); });
  });
  return static_cast<std::size_t>(count);
}

bool any_has(const std::vector<const NodeRecord*>& nodes, std::string_view label) {
  const Symbol symbol = Symbol::find(label);
  return !symbol.empty() && std::any_of(nodes.begin(), nodes.end(), [&](const NodeRecord* node) {
    return node->labels.find(symbol).has_value();
  });
}

struct FamilyChoice {
  const Family* family = nullptr;  // none: no node has a fabric or NVLink label of any family
  std::size_t nodes = 0;
  std::vector<std::string> passed_over;  // "AWS on 3 nodes"
};

/// The family whose fabric labels are on the most nodes. If no node has a fabric label: the family
/// whose NVLink label is on the most nodes.
FamilyChoice choose_family(const std::vector<const NodeRecord*>& nodes) {
  FamilyChoice choice;
  std::vector<std::size_t> counts;
  for (const Family& family : families()) counts.push_back(count_with_any(nodes, family.fabric));
  if (std::all_of(counts.begin(), counts.end(), [](std::size_t count) { return count == 0; })) {
    counts.clear();
    for (const Family& family : families()) {
      counts.push_back(count_with_any(nodes, {family.nvlink}));
    }
  }
  const auto best = std::max_element(counts.begin(), counts.end());
  if (*best == 0) return choice;
  choice.family = &families()[static_cast<std::size_t>(best - counts.begin())];
  choice.nodes = *best;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0 || &families()[i] == choice.family) continue;
    choice.passed_over.push_back(std::string(families()[i].name) + " on " +
                                 std::to_string(counts[i]));
  }
  return choice;
}

Result<std::vector<Symbol>> level_labels(const std::vector<const NodeRecord*>& usable,
                                         std::span<const NodeRecord> nodes, const Family* family) {
  std::vector<Symbol> labels;
  const auto keep = [&](std::string_view label) {
    const bool kept = any_has(usable, label);
    if (kept) labels.emplace_back(label);
    return kept;
  };
  keep(kRegion);
  keep(kZone);
  if (family != nullptr) {
    const std::size_t begin = labels.size();
    for (const std::string_view label : family->fabric) keep(label);
    if (!family->ordered) {
      const auto fabric = labels.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto ordered = order_by_refinement({fabric, labels.end()}, nodes);
      if (!ordered) return tl::unexpected(ordered.error());
      std::copy(ordered->begin(), ordered->end(), fabric);
    }
  }
  if (!keep(kClique) && family != nullptr) keep(family->nvlink);
  labels.push_back(hostname_label());
  return labels;
}

std::string join(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

std::string counted_nodes(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " node" : " nodes");
}

/// "a, b, c and 4 more"
std::string folded(const std::vector<std::string>& names) {
  if (names.size() <= kNamesInNote) return join(names);
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(kNamesInNote);
  return join({names.begin(), end}) + " and " + std::to_string(names.size() - kNamesInNote) +
         " more";
}

void sort_out_nodes(DerivedTopology& derived, std::span<const NodeRecord> nodes) {
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].usable()) continue;
    const int missing = derived.spec.first_missing(nodes[i]);
    if (missing < 0) continue;
    if (derived.spec.allows_unlabelled(nodes[i].labels)) {
      derived.unlabelled.push_back(NodeId{i});
    } else {
      derived.out.push_back({NodeId{i}, LeftOut::kMissingLevel, missing});
    }
  }
}

void add_notes(DerivedTopology& derived, const FamilyChoice& choice,
               std::span<const NodeRecord> nodes) {
  std::vector<std::string> levels;
  for (const TopologyLevel& level : derived.spec.levels) levels.push_back(level.label.str());
  std::string first =
      "topology \"default\" is derived from node labels, coarsest first: " + join(levels);
  if (choice.family != nullptr) {
    first += "; fabric labels of " + std::string(choice.family->name) + " (on " +
             counted_nodes(choice.nodes) + ")";
    if (!choice.passed_over.empty()) first += ", not of " + join(choice.passed_over);
  }
  derived.notes.push_back(first);

  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::vector<std::string> names;
    for (const LeftOutNode& node : derived.out) {
      if (node.level == static_cast<int>(level))
        names.push_back(nodes[index(node.node)].name.str());
    }
    if (names.empty()) continue;
    derived.notes.push_back(counted_nodes(names.size()) + " left out, no label " + levels[level] +
                            ": " + folded(names));
  }
  if (derived.unlabelled.empty()) return;
  std::vector<std::string> names;
  for (const NodeId node : derived.unlabelled) names.push_back(nodes[index(node)].name.str());
  derived.notes.push_back(
      counted_nodes(names.size()) +
      " without fabric labels, only for pods without a topology request: " + folded(names));
}

}  // namespace

Result<DerivedTopology> derive_topology(std::span<const NodeRecord> nodes) {
  std::vector<const NodeRecord*> usable;
  for (const NodeRecord& node : nodes) {
    if (node.usable()) usable.push_back(&node);
  }
  const FamilyChoice choice = choose_family(usable);
  const Result<std::vector<Symbol>> labels = level_labels(usable, nodes, choice.family);
  if (!labels) return tl::unexpected(labels.error());

  DerivedTopology derived;
  derived.spec.name = "default";
  // Without any label of a fabric the cluster is flat: a node needs no label of its name either.
  const bool flat = labels->size() == 1;
  derived.spec.unlabelled = flat ? UnlabelledNodes::kKept : UnlabelledNodes::kUnconstrainedOnly;
  derived.spec.derived = true;
  for (const Symbol label : *labels) derived.spec.levels.push_back({label, "", ""});
  add_default_names(derived.spec, nodes);
  sort_out_nodes(derived, nodes);
  add_notes(derived, choice, nodes);
  return derived;
}

std::string default_alias(std::string_view label) {
  using Pair = std::pair<std::string_view, std::string_view>;
  static constexpr auto kAliases = std::to_array<Pair>({
      {kRegion, "region"},
      {kZone, "zone"},
      {kClique, "rack"},
      {"kubernetes.io/hostname", "host"},
      {"fabric.topograph.run/tier-2", "core"},
      {"fabric.topograph.run/tier-1", "spine"},
      {"fabric.topograph.run/tier-0", "leaf"},
      {"accelerator.topograph.run/domain", "rack"},
      {"network.topology.nvidia.com/datacenter", "datacenter"},
      {"network.topology.nvidia.com/core", "core"},
      {"network.topology.nvidia.com/spine", "spine"},
      {"network.topology.nvidia.com/block", "block"},
      {"network.topology.nvidia.com/leaf", "leaf"},
      {kAccelerator, "rack"},
      {"topology.k8s.aws/network-node-layer-1", "layer-1"},
      {"topology.k8s.aws/network-node-layer-2", "layer-2"},
      {"topology.k8s.aws/network-node-layer-3", "layer-3"},
      {"topology.k8s.aws/network-node-layer-4", "layer-4"},
      {"topology.k8s.aws/ultraserver-id", "rack"},
      {"cloud.google.com/gce-topology-block", "block"},
      {"cloud.google.com/gce-topology-subblock", "rack"},
      {"oci.oraclecloud.com/rdma.hpc_island_id", "island"},
      {"oci.oraclecloud.com/rdma.network_block_id", "block"},
      {"oci.oraclecloud.com/rdma.local_block_id", "local-block"},
      {"oci.oraclecloud.com/host.network_block_id", "block"},
      {"oci.oraclecloud.com/host.rack_id", "rack"},
      {"ds.coreweave.com/nvlink.domain", "rack"},
      {"backend.coreweave.cloud/fabric", "fabric"},
      {"backend.coreweave.cloud/superpod", "superpod"},
      {"backend.coreweave.cloud/leafgroup", "leafgroup"},
      {"ib.coreweave.cloud/fabric", "fabric"},
      {"ib.coreweave.cloud/superpod", "superpod"},
      {"ib.coreweave.cloud/leafgroup", "leafgroup"},
      {"cloud.provider.com/topology-block", "block"},
      {"cloud.provider.com/topology-rack", "rack"},
  });
  const auto found = std::find_if(kAliases.begin(), kAliases.end(),
                                  [&](const auto& pair) { return pair.first == label; });
  return found == kAliases.end() ? std::string() : std::string(found->second);
}

void add_default_names(TopologySpec& topology, std::span<const NodeRecord> nodes) {
  const auto taken = [&](std::string_view alias) {
    return std::any_of(topology.levels.begin(), topology.levels.end(),
                       [&](const TopologyLevel& level) { return level.alias == alias; });
  };
  for (auto level = topology.levels.rbegin(); level != topology.levels.rend(); ++level) {
    if (const std::string alias = default_alias(level->label.view());
        level->alias.empty() && !alias.empty() && !taken(alias)) {
      level->alias = alias;
    }
    if (level->display.empty() && level->label.view() == kClique) {
      const Symbol accelerator = Symbol::find(kAccelerator);
      const bool carried = !accelerator.empty() &&
                           std::any_of(nodes.begin(), nodes.end(), [&](const NodeRecord& node) {
                             return node.labels.find(accelerator).has_value();
                           });
      if (carried) level->display = kAccelerator;
    }
  }
}

}  // namespace tessera::topology
