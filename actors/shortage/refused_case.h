// SPDX-License-Identifier: Apache-2.0
// RefusedCase: one refusal with everything that an explanation of it may read.
//
// Made by Engine::explain() and handed down to Explainer, UnitRoom and find_remedies(). It owns
// nothing; everything it points to outlives the explanation.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>

#include "actors/books/worlds.h"
#include "actors/planner/planner.h"
#include "actors/queues/directory.h"

namespace tessera::core {

/// Where the gangs of an engine stand in Inventory::workloads.
using Positions = std::unordered_map<GangId, std::size_t>;

/// The flavor whose tree a refusal is about, and the pod set that fails there.
struct Scene {
  FlavorId flavor{};
  bool open = false;
  std::size_t pod_set = 0;
  /// Of a group on two flavors: that of the leader. `flavor` is that of the workers.
  std::optional<FlavorId> leader_flavor;
  bool alone = false;  // a member of a group that is placed apart from the others
};

class CountedPods;
class HeldParts;
struct LastEnding;

struct RefusedCase {
  const Inventory* inventory = nullptr;
  std::span<const Flavor> flavors;
  const Planner* planner = nullptr;
  const config::Profile* profile = nullptr;
  Worlds* worlds = nullptr;
  const Positions* positions = nullptr;
  const CountedPods* counted_pods = nullptr;
  const HeldParts* held_parts = nullptr;
  LastEnding* last_ending = nullptr;
  const Decision* decision = nullptr;
  const PlanQueue* queue = nullptr;
  bool ignore_quota = false;

  const Workload& workload() const { return inventory->workloads[decision->workload]; }
  QuotaRule now() const { return ignore_quota ? QuotaRule::kIgnore : QuotaRule::kAvailable; }
  QuotaRule ever() const { return ignore_quota ? QuotaRule::kIgnore : QuotaRule::kMaximum; }
};

}  // namespace tessera::core
