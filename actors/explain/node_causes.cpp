// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/node_causes.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tessera::core {
namespace {

std::string cause_text(const solver::CauseCount& cause) {
  switch (cause.kind) {
    case solver::CauseCount::Kind::kResource:
      return "resource " + cause.detail;
    case solver::CauseCount::Kind::kTaint:
      return "taint " + cause.detail;
    case solver::CauseCount::Kind::kNodeSelector:
      return "node selector";
    case solver::CauseCount::Kind::kAffinity:
      return "node affinity";
  }
  return "";
}

std::string left_out_text(const topology::LeftOutNode& node, const Flavor& flavor) {
  switch (node.cause) {
    case topology::LeftOut::kCordoned:
      return "cordoned";
    case topology::LeftOut::kNotReady:
      return "not ready";
    case topology::LeftOut::kFlavorLabels:
      return "not of flavor " + flavor.record.name;
    case topology::LeftOut::kMissingLevel:
      return "no " + flavor.topology->levels[static_cast<std::size_t>(node.level)].label.str();
  }
  return "";
}

/// Nodes that a cause excludes. Nodes of a view stand in the order of their names.
struct Excluded {
  std::string text;
  std::vector<topology::NodeId> nodes;
};

/// Those that exclude nodes, in the order of their texts. Causes of one text are one cause.
std::vector<NodeCause> in_order(const std::vector<Excluded>& causes,
                                std::span<const topology::NodeRecord> records,
                                std::size_t most_named) {
  std::map<std::string_view, std::vector<topology::NodeId>> by_text;
  for (const Excluded& cause : causes) {
    if (cause.nodes.empty()) continue;
    std::vector<topology::NodeId>& all = by_text[cause.text];
    all.insert(all.end(), cause.nodes.begin(), cause.nodes.end());
  }
  std::vector<NodeCause> out;
  for (auto& [text, nodes] : by_text) {
    NodeCause& cause = out.emplace_back();
    cause.text = text;
    cause.count = nodes.size();
    if (most_named < nodes.size()) {
      const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(most_named);
      std::partial_sort(nodes.begin(), end, nodes.end());
      nodes.erase(end, nodes.end());
    } else {
      std::sort(nodes.begin(), nodes.end());
    }
    cause.nodes.reserve(nodes.size());
    for (const topology::NodeId node : nodes) {
      cause.nodes.push_back(records[topology::index(node)].name);
    }
  }
  return out;
}

}  // namespace

std::vector<NodeCause> nodes_without_room(const UnitRoom& now, const Amounts& per_pod,
                                          std::size_t most_named) {
  const LimitingResource limiting(now.capacity(), per_pod);
  const solver::FlavorView& view = now.view();
  const solver::FilterClass& filter = now.filter();
  std::vector<Excluded> causes;
  for (const solver::CauseCount& cause : filter.causes) causes.push_back({cause_text(cause), {}});
  for (const LimitingResource::Resource& each : limiting.resources()) {
    causes.push_back({"resource " + each.name.str(), {}});
  }
  for (std::uint32_t leaf = 0; leaf < filter.verdict.size(); ++leaf) {
    const std::uint16_t verdict = filter.verdict[leaf];
    if (verdict == solver::FilterClass::kAbsentLeaf || now.on_leaf(leaf) > 0) continue;
    const std::size_t cause =
        verdict != 0 ? verdict - 1U : filter.causes.size() + limiting.at(view.cells()[leaf]);
    const auto nodes = view.tree().nodes(topology::LeafId{leaf});
    causes[cause].nodes.insert(causes[cause].nodes.end(), nodes.begin(), nodes.end());
  }
  return in_order(causes, view.nodes(), most_named);
}

std::vector<NodeCause> nodes_left_out(const solver::FlavorView& view, const Flavor& flavor,
                                      std::size_t most_named) {
  std::map<std::pair<topology::LeftOut, int>, Excluded> causes;
  for (const topology::LeftOutNode& node : view.tree().left_out()) {
    Excluded& cause = causes[{node.cause, node.level}];
    if (cause.nodes.empty()) cause.text = left_out_text(node, flavor);
    cause.nodes.push_back(node.node);
  }
  std::vector<Excluded> list;
  for (auto& [key, cause] : causes) list.push_back(std::move(cause));
  return in_order(list, view.nodes(), most_named);
}

}  // namespace tessera::core
