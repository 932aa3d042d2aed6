// SPDX-License-Identifier: Apache-2.0
// Explainer: the evidence of one refusal: need and have per level, nodes by cause, who holds the
// best domain (ux.md rule 3).
//
// Called by Engine::explain(), never on the decision path. Reads worlds; changes nothing. Looks at
// the workload's failed pod set alone: earlier pod sets and a leader beside it are part of the
// refusal, not of these counts. Remedies are in remedies.h.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "actors/queues/directory.h"
#include "actors/explain/leaf_room.h"
#include "actors/planner/worlds.h"

namespace tessera::core {

/// The tree that a refusal is about.
struct Scene {
  FlavorId flavor{};
  bool open = false;
  std::size_t pod_set = 0;
};

/// The flavor of the first failing placement (now, else in the best world), else the first topology
/// flavor that was tried, else the queue's first. Nothing if no topology is in play.
std::optional<Scene> find_scene(const Decision& decision, const Workload& workload,
                                const PlanQueue& queue, std::span<const Flavor> flavors);

class Explainer {
 public:
  /// All outlive the explainer.
  Explainer(const Workload& workload, const Scene& scene, std::span<const Flavor> flavors,
            Worlds& worlds);

  Evidence explain() const;
  /// The domain whose holders stand in the way: the best one of the finest level that is short;
  /// none: pods may spread.
  std::optional<topology::DomainId> contested_domain() const { return contested_; }

 private:
  struct Need {
    int level = 0;
    std::int64_t pods = 0;
    bool spread = false;
  };
  static std::vector<Need> needs(const solver::ResolvedRequest& request, std::int64_t count);
  LevelEvidence level_evidence(const Need& need) const;
  void node_causes(Evidence& evidence) const;
  std::vector<Blocker> blockers() const;

  const Workload* workload_;
  Scene scene_;
  const Flavor* flavor_;
  Worlds* worlds_;
  const solver::FlavorView* view_;
  const solver::FlavorView* healthy_view_;
  LeafRoom room_;
  std::vector<std::int64_t> now_, empty_,
      healthy_;  // pods by DomainId, the last of the healthy tree
  std::vector<LevelEvidence> levels_;
  std::optional<topology::DomainId> contested_;
};

}  // namespace tessera::core
