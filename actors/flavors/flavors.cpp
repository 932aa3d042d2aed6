// SPDX-License-Identifier: Apache-2.0
#include "actors/flavors/flavors.h"

namespace tessera::core {
namespace {

using Unit = std::vector<std::size_t>;

/// Nobody makes room: what is not free does not fit.
class NothingFreed final : public ShortagePolicy {
 public:
  FlavorRank rank(const FlavorProblem&, const QuotaCheck&) const override {
    return {FlavorFit::kNone, 0};
  }
};

/// With quota ignored, a pod set whose resources lead to no topology flavor takes the first one
/// that matches.
std::optional<FlavorId> any_topology_flavor(const FlavorProblem& problem,
                                            const PassedOver& passed_over, const Unit& unit) {
  for (const PlanGroup& group : problem.queue->groups) {
    for (const FlavorId flavor : group.flavors) {
      if (problem.flavors[index(flavor)].topology_aware() &&
          passed_over.count({unit.front(), flavor}) == 0 &&
          !unit_mismatch(problem, unit, flavor, {})) {
        return flavor;
      }
    }
  }
  return std::nullopt;
}

/// Finds the one topology flavor of pod set `i` (placement.md M7).
std::optional<FlavorRefusal> find_topology_flavor(const FlavorProblem& problem,
                                                  const PassedOver& passed_over, const Unit& unit,
                                                  std::size_t i, PodSetFlavors& result) {
  std::vector<FlavorId> found = topology_flavors_of(problem, result);
  if (found.empty() && problem.rule == QuotaRule::kIgnore) {
    if (const auto any = any_topology_flavor(problem, passed_over, unit)) {
      found.push_back(*any);
      result.by_resource.emplace(topology::pods_resource(), *any);
    }
  }
  if (found.size() == 1) result.topology = found.front();
  if (found.size() == 1 || problem.counts[i] == 0) return std::nullopt;
  return FlavorRefusal{i, {topology_flavor_fault(problem, i, found)}, std::nullopt};
}

}  // namespace

std::variant<FlavorChoice, FlavorRefusal> choose_flavors(const FlavorProblem& problem,
                                                         const PassedOver& passed_over) {
  const NothingFreed policy;
  FlavorWalk walk(problem, {&passed_over, nullptr, nullptr}, policy);
  while (UnitFinding* found = walk.next()) {
    if (!found->complete) {
      return FlavorRefusal{found->pod_sets.front(), std::move(found->reasons), found->uncovered};
    }
    for (const std::size_t i : found->pod_sets) {
      if (!topology_wanted(*problem.queue, problem.workload->gang.pod_sets[i])) continue;
      auto refusal =
          find_topology_flavor(problem, passed_over, found->pod_sets, i, walk.choice().pod_sets[i]);
      if (refusal) return *std::move(refusal);
    }
  }
  return std::move(walk.choice());
}

}  // namespace tessera::core
