// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/topologies.h"

#include <algorithm>

#include "topology/derive.h"

namespace tessera::ingest {
namespace {

using topology::TopologySpec;

const TopologySpec* find(const std::vector<TopologySpec>& topologies, const std::string& name) {
  const auto found = std::find_if(topologies.begin(), topologies.end(),
                                  [&](const TopologySpec& one) { return one.name == name; });
  return found == topologies.end() ? nullptr : &*found;
}

bool same_levels(const TopologySpec& a, const TopologySpec& b) {
  return std::equal(a.levels.begin(), a.levels.end(), b.levels.begin(), b.levels.end(),
                    [](const auto& x, const auto& y) { return x.label == y.label; });
}

/// KAI places pods on nodes, whatever the last level of a topology is, and keeps nodes that lack
/// its labels for groups without a level (gangs.md 6.1).
void end_at_nodes(TopologySpec& kai) {
  if (!kai.host_level()) kai.levels.push_back({topology::hostname_label(), {}, {}});
  kai.unlabelled = topology::UnlabelledNodes::kKept;
}

/// A flavor names a topology without its API group. If Kueue and KAI both have a topology of that
/// name, Kueue's counts.
void add_kai_topologies(ReadContext& context) {
  for (TopologySpec& kai : context.kai_topologies) {
    const TopologySpec* kueue = find(context.inventory.topologies, kai.name);
    if (kueue == nullptr) {
      end_at_nodes(kai);
      context.inventory.topologies.push_back(std::move(kai));
    } else if (!same_levels(*kueue, kai)) {
      Error warning{ErrorCode::kConflict,
                    "kueue.x-k8s.io and kai.scheduler have different levels: Kueue's are used"};
      warning.where.object = "Topology " + kai.name;
      context.warnings.push_back(std::move(warning));
    }
  }
  context.kai_topologies.clear();
}

void derive(ReadContext& context) {
  auto derived = topology::derive_topology(context.inventory.nodes);
  if (!derived) {
    context.errors.push_back(derived.error());
    return;
  }
  if (derived->spec.levels.empty()) return;
  for (std::string& note : derived->notes) {
    context.warnings.push_back({ErrorCode::kInvalidInput, std::move(note)});
  }
  context.inventory.topologies.push_back(std::move(derived->spec));
}

}  // namespace

void settle_topologies(ReadContext& context, const config::Settings& settings,
                       bool named_by_input) {
  std::vector<TopologySpec>& all = context.inventory.topologies;
  add_kai_topologies(context);
  std::sort(all.begin(), all.end(),
            [](const TopologySpec& a, const TopologySpec& b) { return a.name < b.name; });
  for (const TopologySpec& configured : settings.topologies) {
    if (find(all, configured.name) == nullptr) all.push_back(configured);
  }
  if (all.empty() && !named_by_input && !context.inventory.nodes.empty()) derive(context);
  for (TopologySpec& one : all) topology::add_default_names(one, context.inventory.nodes);
}

}  // namespace tessera::ingest
