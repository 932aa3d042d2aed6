// SPDX-License-Identifier: Apache-2.0
// Explainer: the evidence of one refusal: what each level needs and has, nodes by cause, and which
// workloads hold the best domain.
//
// Called by Engine::explain(), never on the decision path. Reads worlds; changes nothing. Counts
// for the pod set that failed, alone: earlier pod sets, and a leader beside it, are part of the
// refusal but not of these counts. Remedies are in remedies.h.
#pragma once

#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "actors/books/worlds.h"
#include "actors/explain/evidence.h"
#include "actors/explain/leaf_room.h"
#include "actors/queues/directory.h"

namespace tessera::core {

/// Where the gangs of an engine stand in Inventory::workloads.
using Positions = std::unordered_map<GangId, std::size_t>;

/// The flavor whose tree a refusal is about.
struct Scene {
  FlavorId flavor{};
  bool open = false;
  std::size_t pod_set = 0;
};

/// Takes the first of these flavors that exists: that of the first placement that failed now; that
/// of the first placement that failed in the healthy, empty cluster; the first topology flavor that
/// was tried; the queue's first topology flavor. Nothing if the refusal has to do with no topology.
std::optional<Scene> find_scene(const Decision& decision, const Workload& workload,
                                const PlanQueue& queue, std::span<const Flavor> flavors);

class Explainer {
 public:
  /// All outlive the explainer.
  Explainer(const Workload& workload, const Scene& scene, std::span<const Flavor> flavors,
            Worlds& worlds, const Positions& positions);

  Evidence explain() const;
  /// The domain whose holders stand in the way: the best domain of the finest level that is short.
  /// Nothing if the pods may spread.
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
  const Positions* positions_;
  const solver::FlavorView* view_;
  const solver::FlavorView* healthy_view_;
  LeafRoom room_;
  std::vector<std::int64_t> now_, empty_,
      healthy_;  // pods by DomainId, the last of the healthy tree
  std::vector<LevelEvidence> levels_;
  std::optional<topology::DomainId> contested_;
};

}  // namespace tessera::core
