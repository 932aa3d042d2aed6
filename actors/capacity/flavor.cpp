// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/flavor.h"

#include <algorithm>

namespace tessera::core {
namespace {

using Kind = FlavorRejection::Kind;

topology::TopologySpec flat_topology() {
  topology::TopologySpec spec;
  spec.name = "derived";
  spec.levels = {{topology::hostname_label(), "host", ""}};
  spec.derived = true;
  spec.unlabelled = topology::UnlabelledNodes::kKept;
  return spec;
}

/// The topology of that name; if there is none, the derived topology.
const topology::TopologySpec* find_topology(const std::vector<topology::TopologySpec>& topologies,
                                            const std::string& name) {
  const topology::TopologySpec* derived = nullptr;
  for (const topology::TopologySpec& each : topologies) {
    if (!each.derived && each.name == name) return &each;
    if (each.derived && !derived) derived = &each;
  }
  return derived;
}

Flavor default_flavor(const Inventory& inventory) {
  Flavor flavor;
  flavor.record.name = "default";
  flavor.name = Symbol(flavor.record.name);
  const auto named = std::find_if(inventory.topologies.begin(), inventory.topologies.end(),
                                  [](const topology::TopologySpec& t) { return !t.derived; });
  if (named != inventory.topologies.end()) {
    flavor.topology = *named;
  } else {
    flavor.topology = inventory.topologies.empty() ? flat_topology() : inventory.topologies.front();
  }
  flavor.record.topology = flavor.topology->name;
  return flavor;
}

std::optional<Symbol> flavor_value(const FlavorRecord& flavor, const topology::AskedText& key) {
  for (const auto& [label, value] : flavor.node_labels) {
    if (key == label) return value;
  }
  return std::nullopt;
}

/// Selector and affinity are tested only on keys that are labels of the flavor (queues.md 7.2).
bool matches_labels(const FlavorRecord& flavor, const topology::NodeFilter& filter) {
  for (const auto& [key, value] : filter.node_selector) {
    const std::optional<Symbol> have = flavor_value(flavor, key);
    if (have && value != *have) return false;
  }
  if (!filter.required || filter.required->empty()) return true;
  return std::any_of(filter.required->begin(), filter.required->end(),
                     [&](const topology::NodeSelectorTerm& term) {
                       return std::all_of(term.expressions.begin(), term.expressions.end(),
                                          [&](const topology::LabelRequirement& expression) {
                                            const auto have = flavor_value(flavor, expression.key);
                                            return !have || expression.matches(have);
                                          });
                     });
}

std::optional<Symbol> first_unknown_level(const topology::TopologySpec& topology,
                                          const solver::TopologyRequest& request) {
  const auto known = [&](Symbol name) { return topology.find_level(name.view()).has_value(); };
  for (const std::optional<Symbol>& label : {request.required, request.preferred}) {
    if (label && !known(*label)) return label;
  }
  for (const solver::SliceLayer& layer : request.layers) {
    if (!known(layer.level)) return layer.level;
  }
  return std::nullopt;
}

std::optional<FlavorRejection> topology_mismatch(const Flavor& flavor,
                                                 const solver::PodSet& pod_set, bool implied,
                                                 bool own_resources) {
  FlavorRejection rejection;
  if (!pod_set.topology.explicit_request()) {
    rejection.kind = Kind::kOnlyTopologyAware;
    return flavor.topology_aware() && !implied ? std::optional(rejection) : std::nullopt;
  }
  if (!flavor.topology_aware()) {
    rejection.kind = Kind::kNotTopologyAware;
    return own_resources ? std::optional(rejection) : std::nullopt;
  }
  if (!flavor.topology) {
    rejection.kind = Kind::kNoTopology;
    return rejection;
  }
  if (const auto unknown = first_unknown_level(*flavor.topology, pod_set.topology)) {
    rejection.kind = Kind::kUnknownLevel;
    rejection.level = *unknown;
    return rejection;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Flavor> resolve_flavors(const Inventory& inventory) {
  if (!inventory.has_flavors) return {default_flavor(inventory)};
  std::vector<Flavor> flavors;
  for (const FlavorRecord& record : inventory.flavors) {
    Flavor flavor{record, Symbol(record.name), std::nullopt};
    if (flavor.topology_aware()) {
      const auto* found = find_topology(inventory.topologies, record.topology);
      if (found) flavor.topology = *found;
    }
    flavors.push_back(std::move(flavor));
  }
  std::sort(flavors.begin(), flavors.end(),
            [](const Flavor& a, const Flavor& b) { return a.record.name < b.record.name; });
  return flavors;
}

std::optional<FlavorRejection> mismatch(const Flavor& flavor, const solver::PodSet& pod_set,
                                        bool implied, bool own_resources) {
  if (auto topology = topology_mismatch(flavor, pod_set, implied, own_resources)) return topology;
  FlavorRejection rejection;
  if (const topology::Taint* taint = topology::first_untolerated(
          flavor.record.node_taints, pod_set.filter.tolerations, flavor.record.tolerations)) {
    rejection.kind = Kind::kTaint;
    rejection.taint = *taint;
    return rejection;
  }
  if (!matches_labels(flavor.record, pod_set.filter)) {
    rejection.kind = Kind::kAffinity;
    return rejection;
  }
  return std::nullopt;
}

std::optional<FlavorId> find_flavor(std::span<const Flavor> flavors, std::string_view name) {
  const auto at = std::lower_bound(
      flavors.begin(), flavors.end(), name,
      [](const Flavor& flavor, std::string_view text) { return flavor.record.name < text; });
  if (at == flavors.end() || at->record.name != name) return std::nullopt;
  return FlavorId{static_cast<std::uint32_t>(at - flavors.begin())};
}

}  // namespace tessera::core
