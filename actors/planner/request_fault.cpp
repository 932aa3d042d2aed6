// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/request_fault.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "solver/counting/request.h"

namespace tessera::core {
namespace {

FlavorRejection fault(std::size_t pod_set, solver::Refusal refusal) {
  FlavorRejection rejection;
  rejection.kind = FlavorRejection::Kind::kPlacement;
  rejection.pod_set = refusal.pod_set = static_cast<std::uint32_t>(pod_set);
  rejection.refusal = std::move(refusal);
  return rejection;
}

/// Flavors of the queue that have a topology, in its order.
std::vector<FlavorId> topology_flavors(const PlanQueue& queue, std::span<const Flavor> flavors) {
  std::vector<FlavorId> found;
  for (const PlanGroup& group : queue.groups) {
    for (const FlavorId flavor : group.flavors) {
      if (flavors[index(flavor)].topology) found.push_back(flavor);
    }
  }
  return found;
}

std::string first_name(const PlanQueue& queue, std::span<const Flavor> flavors) {
  const std::vector<FlavorId> found = topology_flavors(queue, flavors);
  return found.empty() ? std::string() : flavors[index(found.front())].record.name;
}

/// A group is one leader and its workers (placement.md 4.9). Nothing: it is, or there is no group.
bool group_is_wrong(const solver::Gang& gang, std::size_t i) {
  const std::string& group = gang.pod_sets[i].unit;
  if (group.empty()) return false;
  std::vector<std::int64_t> counts;
  for (const solver::PodSet& pod_set : gang.pod_sets) {
    if (pod_set.unit == group && pod_set.count > 0) counts.push_back(pod_set.count);
  }
  return counts.size() > 2 || (counts.size() == 2 && std::min(counts[0], counts[1]) != 1);
}

bool same_group_before(const solver::Gang& gang, std::size_t i) {
  const std::string& group = gang.pod_sets[i].unit;
  for (std::size_t j = 0; j < i && !group.empty(); ++j) {
    if (gang.pod_sets[j].unit == group) return true;
  }
  return false;
}

/// The first fault of a request that no flavor can take: each flavor that matches has one.
std::optional<FlavorRejection> level_fault(const Workload& workload, const PlanQueue& queue,
                                           std::span<const Flavor> flavors, std::size_t i) {
  const solver::PodSet& pod_set = workload.gang.pod_sets[i];
  std::optional<FlavorRejection> first;
  for (const FlavorId id : topology_flavors(queue, flavors)) {
    const Flavor& flavor = flavors[index(id)];
    if (mismatch(flavor, pod_set, queue.topology_only, true)) continue;
    auto resolved = solver::resolve(pod_set.topology, *flavor.topology);
    auto* refusal = std::get_if<solver::Refusal>(&resolved);
    if (!refusal) return std::nullopt;
    if (first) continue;
    first = fault(i, std::move(*refusal));
    first->flavor = flavor.record.name;
  }
  return first;
}

}  // namespace

FlavorRejection remainder_fault(const Workload& workload, const PlanQueue& queue,
                                std::span<const Flavor> flavors, std::size_t i) {
  const solver::PodSet& pod_set = workload.gang.pod_sets[i];
  solver::Refusal refusal;
  refusal.obstacle = solver::Obstacle::kSliceRemainder;
  refusal.size_a = refusal.slice_size = slice_size_of(workload.gang, i);
  refusal.need = pod_set.count;
  FlavorRejection rejection = fault(i, std::move(refusal));
  rejection.flavor = first_name(queue, flavors);
  return rejection;
}

std::optional<FlavorRejection> request_fault(const Workload& workload, const PlanQueue& queue,
                                             std::span<const Flavor> flavors, bool partial) {
  const PodCounts counts(workload, partial, topology::SliceRemainder::kReject);
  const solver::Gang& gang = workload.gang;
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    if (gang.pod_sets[i].count == 0 || !gang.pod_sets[i].topology.explicit_request()) continue;
    if (!same_group_before(gang, i) && group_is_wrong(gang, i)) {
      solver::Refusal refusal;
      refusal.obstacle = solver::Obstacle::kGroupShape;
      FlavorRejection rejection = fault(i, std::move(refusal));
      rejection.flavor = first_name(queue, flavors);
      return rejection;
    }
    if (is_leader(gang, i)) continue;  // goes by the request of its workers
    if (auto levels = level_fault(workload, queue, flavors, i)) return levels;
    if (counts.broken() == i) return remainder_fault(workload, queue, flavors, i);
  }
  return std::nullopt;
}

}  // namespace tessera::core
