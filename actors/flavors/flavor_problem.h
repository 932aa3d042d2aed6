// SPDX-License-Identifier: Apache-2.0
// Flavor problem: a workload that looks for flavors in its queue, and what does not depend on the
// search: its units, what they ask, which flavors can serve them at all (queues.md 7.1, 7.2).
//
// Pure functions of their arguments, called by FlavorWalk and by the readers of its result. Do not
// know what else is in use (quota_check.h) or in which order flavors are tried (flavor_walk.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "actors/flavors/flat_map.h"
#include "actors/queues/directory.h"

namespace tessera::core {

/// What a request is judged against.
enum class QuotaRule : std::uint8_t {
  kAvailable,  // what is left now
  kMaximum,    // what the queue could get with its whole cohort idle
  kIgnore,     // --ignore-quota: uncovered resources pass as well
};

struct FlavorProblem {
  const Workload* workload = nullptr;
  std::span<const std::int64_t> counts;  // pods of each pod set
  const PlanQueue* queue = nullptr;
  std::span<const Flavor> flavors;
  const Ledger* ledger = nullptr;
  QuotaRule rule = QuotaRule::kAvailable;
};

/// The flavor of each resource, in byte order of the resources.
using FlavorOfResource = FlatMap<Symbol, FlavorId, topology::ByText>;

/// Flavors of one pod set.
struct PodSetFlavors {
  FlavorOfResource by_resource;
  std::optional<FlavorId> topology;  // the one topology flavor among them
  bool open = false;                 // no topology request: unlabelled nodes may serve it
  Amounts usage;                     // as quota counts it, all pods, resources with a flavor only
};

struct FlavorChoice {
  std::vector<PodSetFlavors> pod_sets;
  int borrowing_level = 0;  // the highest of all
};

/// The first pod set of the unit of pod set `i`. Pod sets of one podSetGroupName are a unit and
/// take their flavors together; any other is a unit of its own.
std::size_t first_of_unit(const solver::Gang& gang, std::size_t i);

/// Sorts resources by the 64-bit FNV-1a hash of their names, ascending. A unit's resources look for
/// flavors in this order (queues.md 7.1).
std::vector<Symbol> search_order(std::vector<Symbol> resources);

/// The resource group that a resource selects: the first that covers it; null if none does.
const PlanGroup* group_of(const PlanQueue& queue, Symbol resource);

/// What pod set `i` asks of quota with `count` pods. The resource `pods` is in it only if a group
/// covers it (queues.md 4).
Amounts quota_request(const Workload& workload, const PlanQueue& queue, std::size_t i,
                      std::int64_t count);

/// The part of `request` that `group` covers.
Amounts part_of_group(const PlanQueue& queue, const PlanGroup& group, const Amounts& request);

/// Why a flavor cannot serve a unit (queues.md 7.2 step 2). The rejection names the first member
/// that the flavor cannot serve. `request`: what the unit asks of the flavor's group.
std::optional<FlavorRejection> unit_mismatch(const FlavorProblem& problem,
                                             const std::vector<std::size_t>& unit, FlavorId flavor,
                                             const Amounts& request);

bool topology_wanted(const PlanQueue& queue, const solver::PodSet& pod_set);

/// The topology flavors among those of a pod set, ascending.
std::vector<FlavorId> topology_flavors_of(const FlavorProblem& problem,
                                          const PodSetFlavors& flavors);

/// Why a pod set that needs a topology flavor has none or several (placement.md M7).
FlavorRejection topology_flavor_fault(const FlavorProblem& problem, std::size_t pod_set,
                                      const std::vector<FlavorId>& found);

}  // namespace tessera::core
