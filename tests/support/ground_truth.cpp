// SPDX-License-Identifier: Apache-2.0
#include "tests/support/ground_truth.h"

#include <algorithm>

namespace tessera::test {
namespace {

using topology::NodeRecord;
using topology::Symbol;

bool carries(const NodeRecord& node, const WorldSpec& spec) {
  return std::all_of(spec.flavor_labels.begin(), spec.flavor_labels.end(), [&](const auto& label) {
    return node.labels.find(label.first) == label.second;
  });
}

std::optional<Path> path_of(const NodeRecord& node, const WorldSpec& spec) {
  Path path;
  for (const topology::TopologyLevel& level : spec.topology.levels) {
    const auto value = node.labels.find(level.label);
    if (!value) return std::nullopt;
    path.push_back(value->str());
  }
  return path;
}

/// Whether a booking of the sibling flavor lowers what the own flavor sees (placement.md 2.4).
bool sees_sibling(const WorldSpec& spec) {
  return spec.topology.host_level() ? spec.policy.overlapping_flavors
                                    : !spec.policy.own_usage_above_host;
}

}  // namespace

void add_amounts(AmountsByName& to, const topology::Amounts& amounts, std::int64_t factor) {
  for (const topology::Amount& amount : amounts) {
    std::int64_t& value = to[amount.resource.str()];
    value = topology::saturating_add(value, topology::saturating_mul(amount.value, factor));
  }
}

GroundTruth::GroundTruth(const WorldSpec& spec, topology::Basis basis) : spec_(spec) {
  std::map<std::string, Path> path_by_node;
  for (const NodeRecord& node : spec.nodes) {
    const auto path = path_of(node, spec);
    if (!node.ready || node.unschedulable || !path || !carries(node, spec)) continue;
    GroundLeaf& leaf = leaves_[*path];
    leaf.nodes.push_back(&node);
    add_amounts(leaf.free, node.allocatable, 1);
    path_by_node[node.name.str()] = *path;
  }
  for (const BoundPod& pod : spec.pods) {
    const auto path = path_by_node.find(pod.node.str());
    if (path != path_by_node.end()) add_amounts(leaves_[path->second].free, pod.total, -1);
  }
  if (basis == topology::Basis::kFree) take_holdings();
}

void GroundTruth::take_holdings() {
  for (const Holding& holding : spec_.holdings) {
    if (holding.sibling && !sees_sibling(spec_)) continue;
    for (auto& [path, leaf] : leaves_) {
      if (names(holding, path)) add_amounts(leaf.free, holding.total, -1);
    }
  }
}

bool GroundTruth::names(const Holding& holding, const Path& path) const {
  if (spec_.topology.host_level()) return path.back() == holding.domain.back().view();
  return std::equal(path.begin(), path.end(), holding.domain.begin(), holding.domain.end(),
                    [](const std::string& a, Symbol b) { return a == b.view(); });
}

const GroundLeaf* GroundTruth::find(const Path& path) const {
  const auto found = leaves_.find(path);
  return found == leaves_.end() ? nullptr : &found->second;
}

bool GroundTruth::accepts(const GroundLeaf& leaf, const topology::NodeFilter& filter) const {
  return !spec_.topology.host_level() ||
         topology::test_node(*leaf.nodes.front(), filter, {}).cause == topology::FilterCause::kNone;
}

std::optional<std::size_t> level_index(const WorldSpec& spec, Symbol label) {
  for (std::size_t l = 0; l < spec.topology.levels.size(); ++l) {
    if (spec.topology.levels[l].label == label) return l;
  }
  return std::nullopt;
}

Path domain_at(const Path& leaf, std::size_t level) {
  return Path(leaf.begin(), leaf.begin() + static_cast<std::ptrdiff_t>(level) + 1);
}

}  // namespace tessera::test
