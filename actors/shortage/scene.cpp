// SPDX-License-Identifier: Apache-2.0
#include "actors/shortage/scene.h"

#include <utility>
#include <vector>

#include "actors/shortage/unit_room.h"

namespace tessera::core {

namespace {

/// The scene of a group on two flavors is that of its workers, whichever of the two was named.
Scene of_group(const RefusedCase& refused, Scene scene) {
  const solver::Gang& gang = refused.workload().gang;
  const GangUnit unit = unit_of(gang, scene.pod_set);
  if (!unit.leader) return scene;
  std::vector<std::int64_t> counts;
  for (const solver::PodSet& pod_set : gang.pod_sets) counts.push_back(pod_set.count);
  const auto choice = first_choice(refused, counts, refused.worlds->current(), refused.now());
  if (!choice) return scene;
  const std::optional<FlavorId> workers = choice->pod_sets[unit.workers].topology;
  const std::optional<FlavorId> leader = choice->pod_sets[*unit.leader].topology;
  if (!workers || !leader || *workers == *leader) return scene;
  if (scene.flavor != *workers && scene.flavor != *leader) return scene;
  const bool open = !gang.pod_sets[unit.workers].topology.explicit_request();
  // Kueue places the two apart.
  if (refused.profile->leader_filters == topology::LeaderFilters::kWorkers) {
    scene.alone = true;
    return scene;
  }
  return {*workers, open, unit.workers, leader, false};
}

}  // namespace

std::optional<Scene> find_scene(const RefusedCase& refused) {
  const Decision& decision = *refused.decision;
  const Workload& workload = refused.workload();
  const auto scene = [&](FlavorId flavor, std::size_t pod_set) {
    const bool open = !workload.gang.pod_sets[pod_set].topology.explicit_request();
    return of_group(refused, Scene{flavor, open, pod_set, std::nullopt, false});
  };
  std::vector<const std::vector<FlavorRejection>*> lists = {&decision.rejections,
                                                            &decision.never_rejections};
  if (decision.outcome == Outcome::kNever) std::swap(lists[0], lists[1]);
  for (const auto* rejections : lists) {
    for (const FlavorRejection& rejection : *rejections) {
      const std::optional<FlavorId> flavor =
          rejection.refusal ? find_flavor(refused.flavors, rejection.flavor) : std::nullopt;
      if (flavor) return scene(*flavor, rejection.pod_set);
    }
  }
  for (const FlavorRejection& rejection : decision.rejections) {
    const std::optional<FlavorId> flavor = find_flavor(refused.flavors, rejection.flavor);
    if (flavor && refused.flavors[index(*flavor)].topology)
      return scene(*flavor, rejection.pod_set);
  }
  for (const PlanGroup& group : refused.queue->groups) {
    for (const FlavorId flavor : group.flavors) {
      if (refused.flavors[index(flavor)].topology && !workload.gang.pod_sets.empty()) {
        return scene(flavor, decision.failed_pod_set);
      }
    }
  }
  return std::nullopt;
}

}  // namespace tessera::core
