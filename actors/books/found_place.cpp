// SPDX-License-Identifier: Apache-2.0
#include "actors/books/found_place.h"

#include <utility>

namespace tessera::core {
namespace {

/// The leaves that `domains` name; nothing if a domain names no leaf.
std::optional<solver::PodSetPlacement> leaves_of(const DomainList& domains,
                                                 const topology::DomainTree& tree) {
  solver::PodSetPlacement placement;
  placement.reserve(domains.size());
  for (const DomainList::Domain domain : domains) {
    const std::optional<topology::LeafId> leaf = tree.find_leaf(domain.values);
    if (!leaf) return std::nullopt;
    placement.push_back({*leaf, domain.pods});
  }
  return placement;
}

}  // namespace

FoundPlace found_place(std::vector<PodSetDecision> pod_sets, const std::string& cluster_queue,
                       const Workload& workload, const Cluster& cluster,
                       std::span<const Flavor> flavors) {
  FoundPlace place;
  for (const PodSetDecision& pod_set : pod_sets) {
    place.trees.push_back({pod_set.topology_flavor, pod_set.open});
  }
  Decision decision;
  decision.cluster_queue = cluster_queue;
  decision.pod_sets = std::move(pod_sets);
  place.admission = admission_of(decision, workload, cluster, flavors);
  return place;
}

std::optional<std::vector<PodSetDecision>> pod_sets_of(const FoundPlace& place,
                                                       const Cluster& cluster,
                                                       std::span<const Flavor> flavors) {
  if (place.trees.size() != place.admission.pod_sets.size()) return std::nullopt;
  std::vector<PodSetDecision> pod_sets;
  for (std::size_t i = 0; i < place.trees.size(); ++i) {
    const PodSetAssignment& assignment = place.admission.pod_sets[i];
    PodSetDecision& pod_set = pod_sets.emplace_back();
    pod_set.count = assignment.count;
    pod_set.flavors = assignment.flavors;
    pod_set.topology_flavor = place.trees[i].flavor;
    pod_set.open = place.trees[i].open;
    pod_set.usage = assignment.usage;
    if (assignment.domains.empty()) continue;
    const std::optional<FlavorId> flavor = find_flavor(flavors, pod_set.topology_flavor);
    const solver::FlavorView* view = flavor ? cluster.view(*flavor, pod_set.open) : nullptr;
    if (!view) return std::nullopt;
    auto leaves = leaves_of(assignment.domains, view->tree());
    if (!leaves) return std::nullopt;
    pod_set.placement = *std::move(leaves);
  }
  return pod_sets;
}

}  // namespace tessera::core
