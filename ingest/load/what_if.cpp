// SPDX-License-Identifier: Apache-2.0
#include "ingest/load/what_if.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "topology/text/nearest.h"

namespace tessera::ingest {
namespace {

using topology::Symbol;

void override_levels(const WhatIf& what_if, solver::TopologyRequest& request) {
  if (what_if.required || what_if.preferred) {
    request.unconstrained.reset();
    request.required.reset();
    request.preferred.reset();
    if (what_if.required) request.required = Symbol(*what_if.required);
    if (what_if.preferred) request.preferred = Symbol(*what_if.preferred);
  }
}

/// In place of what the whole gang tree asks for. Its groups keep their levels.
void override_levels(const WhatIf& what_if, solver::GangGroup& root) {
  if (!what_if.required && !what_if.preferred) return;
  root.topology.required.reset();
  root.topology.preferred.reset();
  if (what_if.required) root.topology.required = Symbol(*what_if.required);
  if (what_if.preferred) root.topology.preferred = Symbol(*what_if.preferred);
}

/// The label of a level by any of its names, in the first topology that knows it.
std::optional<std::string> label_of(const std::string& level, const core::Inventory& inventory) {
  for (const topology::TopologySpec& topology : inventory.topologies) {
    if (const auto found = topology.find_level(level)) {
      return topology.levels[static_cast<std::size_t>(*found)].label.str();
    }
  }
  return std::nullopt;
}

Error unknown_level(const std::string& level, const core::Inventory& inventory) {
  std::string topologies;
  std::vector<std::string> names;
  for (const topology::TopologySpec& topology : inventory.topologies) {
    std::string levels;
    for (const topology::TopologyLevel& one : topology.levels) {
      names.push_back(one.alias.empty() ? one.label.str() : one.alias);
      levels += (levels.empty() ? "" : ", ") + names.back();
    }
    topologies += (topologies.empty() ? "" : ", ") + topology.name + " (levels: " + levels + ")";
  }
  return {ErrorCode::kUsage,
          "level \"" + level + "\" is not in topology " + topologies + did_you_mean(level, names)};
}

void override_replicas(std::int64_t replicas, solver::PodSet& pod_set) {
  std::int64_t pods_each = 1;
  if (pod_set.index && pod_set.index->sub_count > 0) {
    pods_each = std::max<std::int64_t>(1, pod_set.count / pod_set.index->sub_count);
    pod_set.index->sub_count = replicas;
  }
  pod_set.count = topology::saturating_mul(replicas, pods_each);
  if (pod_set.min_count) pod_set.min_count = std::min(*pod_set.min_count, pod_set.count);
}

}  // namespace

Result<std::pair<std::string, std::int64_t>> parse_slice(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::int64_t size = 0;
  if (colon != std::string::npos && colon > 0) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, size);
    if (error == std::errc() && stop == end && size > 0)
      return std::pair{text.substr(0, colon), size};
  }
  return fail(ErrorCode::kUsage,
              "--slice \"" + text + "\" is not LEVEL:PODS (for example rack:16)");
}

Result<WhatIf> resolve_levels(WhatIf what_if, const core::Inventory& inventory) {
  std::vector<std::string*> named;
  if (what_if.required) named.push_back(&*what_if.required);
  if (what_if.preferred) named.push_back(&*what_if.preferred);
  if (what_if.slice) named.push_back(&what_if.slice->first);
  for (std::string* level : named) {
    if (inventory.topologies.empty()) break;
    const std::optional<std::string> label = label_of(*level, inventory);
    if (!label) return fail(unknown_level(*level, inventory));
    *level = *label;
  }
  return what_if;
}

void apply(const WhatIf& what_if, core::Workload& workload) {
  std::vector<solver::PodSet>& pod_sets = workload.gang.pod_sets;
  const bool is_tree = workload.gang.is_tree();
  if (is_tree) override_levels(what_if, workload.gang.groups[0]);
  const bool some = std::any_of(pod_sets.begin(), pod_sets.end(), [](const solver::PodSet& p) {
    return p.topology.explicit_request();
  });
  for (solver::PodSet& pod_set : pod_sets) {
    if (is_tree || (some && !pod_set.topology.explicit_request())) continue;
    override_levels(what_if, pod_set.topology);
  }
  const auto largest = std::max_element(
      pod_sets.begin(), pod_sets.end(),
      [](const solver::PodSet& a, const solver::PodSet& b) { return a.count < b.count; });
  if (largest == pod_sets.end()) return;
  if (what_if.replicas) override_replicas(*what_if.replicas, *largest);
  if (what_if.slice) {
    largest->topology.layers = {
        solver::SliceLayer{Symbol(what_if.slice->first), what_if.slice->second}};
  }
}

}  // namespace tessera::ingest
