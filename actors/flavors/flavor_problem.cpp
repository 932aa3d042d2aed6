// SPDX-License-Identifier: Apache-2.0
#include "actors/flavors/flavor_problem.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace tessera::core {
namespace {

using Kind = FlavorRejection::Kind;
using Unit = std::vector<std::size_t>;

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return hash;
}

}  // namespace

std::size_t first_of_unit(const solver::Gang& gang, std::size_t i) {
  const std::string& group = gang.pod_sets[i].unit;
  if (group.empty()) return i;
  std::size_t first = 0;
  while (gang.pod_sets[first].unit != group) ++first;
  return first;
}

std::vector<Symbol> search_order(std::vector<Symbol> resources) {
  if (resources.size() < 2) return resources;
  std::vector<std::pair<std::uint64_t, Symbol>> by_hash;
  by_hash.reserve(resources.size());
  for (const Symbol resource : resources) by_hash.emplace_back(fnv1a(resource.view()), resource);
  std::sort(by_hash.begin(), by_hash.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.view() < b.second.view();
  });
  for (std::size_t i = 0; i < resources.size(); ++i) resources[i] = by_hash[i].second;
  return resources;
}

bool topology_wanted(const PlanQueue& queue, const solver::PodSet& pod_set) {
  return pod_set.topology.explicit_request() || queue.topology_only;
}

const PlanGroup* group_of(const PlanQueue& queue, Symbol resource) {
  for (const PlanGroup& group : queue.groups) {
    if (group.covers(resource)) return &group;
  }
  return nullptr;
}

Amounts quota_request(const Workload& workload, const PlanQueue& queue, std::size_t i,
                      std::int64_t count) {
  const std::vector<Amounts>& given = workload.quota_requests;
  const Amounts& per_pod = i < given.size() ? given[i] : workload.gang.pod_sets[i].request;
  Amounts request = per_pod.times(count);
  request.erase(topology::pods_resource());
  if (group_of(queue, topology::pods_resource())) request.set(topology::pods_resource(), count);
  return request;
}

Amounts part_of_group(const PlanQueue& queue, const PlanGroup& group, const Amounts& request) {
  Amounts part;
  for (const topology::Amount& amount : request) {
    if (group_of(queue, amount.resource) == &group) part.set(amount.resource, amount.value);
  }
  return part;
}

std::optional<FlavorRejection> unit_mismatch(const FlavorProblem& problem, const Unit& unit,
                                             FlavorId flavor, const Amounts& request) {
  for (const std::size_t i : unit) {
    const solver::PodSet& pod_set = problem.workload->gang.pod_sets[i];
    const bool own = std::any_of(request.begin(), request.end(), [&](const auto& amount) {
      return amount.resource == topology::pods_resource() ||
             pod_set.request.find(amount.resource) != nullptr;
    });
    auto rejection =
        mismatch(problem.flavors[index(flavor)], pod_set, problem.queue->topology_only, own);
    if (!rejection) continue;
    rejection->pod_set = i;
    rejection->flavor = problem.flavors[index(flavor)].record.name;
    return rejection;
  }
  return std::nullopt;
}

std::vector<FlavorId> topology_flavors_of(const FlavorProblem& problem,
                                          const PodSetFlavors& flavors) {
  std::vector<FlavorId> found;
  for (const auto& [resource, flavor] : flavors.by_resource) {
    if (!problem.flavors[index(flavor)].topology_aware()) continue;
    const auto at = std::lower_bound(found.begin(), found.end(), flavor);
    if (at == found.end() || *at != flavor) found.insert(at, flavor);
  }
  return found;
}

FlavorRejection topology_flavor_fault(const FlavorProblem& problem, std::size_t pod_set,
                                      const std::vector<FlavorId>& found) {
  FlavorRejection rejection;
  rejection.kind = found.empty() ? Kind::kNoTopologyFlavor : Kind::kSeveralTopologyFlavors;
  rejection.pod_set = pod_set;
  for (const FlavorId flavor : found) {  // FlavorId is in byte order of names
    if (!rejection.flavor.empty()) rejection.flavor += ", ";
    rejection.flavor += problem.flavors[index(flavor)].record.name;
  }
  return rejection;
}

}  // namespace tessera::core
