// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/node_check.h"

#include <unordered_map>

#include "ingest/fields/field_text.h"
#include "ingest/fields/shown_names.h"
#include "topology/text/wording.h"

namespace tessera::ingest {
namespace {

using topology::NodeRecord;
using topology::Symbol;

constexpr std::size_t kHostnamesShown = 5;

void warn(ReadContext& context, std::string message) {
  context.warnings.push_back({ErrorCode::kInvalidInput, std::move(message)});
}

/// Nodes that share a hostname are one host: its labels, taints and place are those of the node
/// with the smallest name.
void warn_of_shared_hostnames(ReadContext& context) {
  const std::vector<NodeRecord>& nodes = context.inventory.nodes;
  std::unordered_map<Symbol, std::size_t> first;  // position of the first node of each hostname
  first.reserve(nodes.size());
  std::map<std::size_t, std::vector<std::string_view>> shared;  // by that position: the others
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto hostname = nodes[i].labels.find(topology::hostname_label());
    if (!hostname) continue;
    const auto [at, added] = first.try_emplace(*hostname, i);
    if (!added) shared[at->second].push_back(nodes[i].name.view());
  }
  std::size_t told = 0;
  for (const auto& [position, others] : shared) {
    if (told++ == kHostnamesShown) {
      return warn(context, counted(static_cast<std::int64_t>(shared.size() - kHostnamesShown),
                                   "more hostname is", "more hostnames are") +
                               " shared by several nodes");
    }
    const NodeRecord& node = nodes[position];
    const std::string hostname = node.labels.find(topology::hostname_label())->str();
    warn(context, "nodes " + node.name.str() + " and " + shown_names(others) +
                      " have the same kubernetes.io/hostname " + quoted(hostname) +
                      ": they count as one host, with the labels and taints of " + node.name.str());
  }
}

void warn_of_nodes_without_pods(ReadContext& context) {
  std::vector<std::string_view> names;
  for (const NodeRecord& node : context.inventory.nodes) {
    if (node.allocatable.get(topology::pods_resource()) <= 0) names.push_back(node.name.view());
  }
  if (names.empty()) return;
  warn(context, counted(static_cast<std::int64_t>(names.size()),
                        "node has no allocatable pods and takes none: ",
                        "nodes have no allocatable pods and take none: ") +
                    shown_names(names));
}

}  // namespace

void check_nodes(ReadContext& context) {
  warn_of_shared_hostnames(context);
  warn_of_nodes_without_pods(context);
}

}  // namespace tessera::ingest
