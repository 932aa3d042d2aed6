// SPDX-License-Identifier: Apache-2.0
// Flavor assignment: which flavor each pod set of a workload takes for each resource it asks
// (queues.md 6 and 7, Fit only).
//
// A pure function of its arguments, called by the planner for every evaluation. Preemption is not
// simulated: a request above what is available does not fit. Flavors whose placement failed earlier
// in the same evaluation are passed over (design.md 3.2, Sequential). Does not know capacity:
// placement comes after, in the planner.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "actors/planner/flat_map.h"
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
  Amounts usage;                     // quota side, all pods, resources with a flavor only
};

struct FlavorChoice {
  std::vector<PodSetFlavors> pod_sets;
  int borrowing_level = 0;  // the highest of all
};

/// The unit that found no flavor.
struct FlavorRefusal {
  std::size_t pod_set = 0;  // its first member
  std::vector<FlavorRejection> rejections;
  std::optional<Symbol> uncovered;  // no group covers it: nothing was tried
};

/// Pod sets that take their flavors together: those of one podSetGroupName, else one alone. In
/// order of their first members.
std::vector<std::vector<std::size_t>> flavor_units(const solver::Gang& gang);

/// The resource group that a resource selects: the first that covers it; null if none does.
const PlanGroup* group_of(const PlanQueue& queue, Symbol resource);

/// What pod set `i` asks with `count` pods: quota side; `pods` iff a group covers it (queues.md 4).
Amounts quota_request(const Workload& workload, const PlanQueue& queue, std::size_t i,
                      std::int64_t count);

/// The part of `request` that `group` covers.
Amounts part_of_group(const PlanQueue& queue, const PlanGroup& group, const Amounts& request);

/// Why a flavor cannot serve a unit (queues.md 7.2 step 2), told of its first member that it cannot
/// serve. `request`: of the unit in the flavor's group.
std::optional<FlavorRejection> unit_mismatch(const FlavorProblem& problem,
                                             const std::vector<std::size_t>& unit, FlavorId flavor,
                                             const Amounts& request);

/// Hands the flavors that a unit found to its members (placement.md 1.6): each gets those of what
/// it asks itself, one that asks nothing the topology flavors of the unit.
void hand_out(const FlavorProblem& problem, const std::vector<std::size_t>& unit,
              const FlavorOfResource& chosen, std::span<const Amounts> requests,
              std::span<PodSetFlavors> result);

/// The topology flavors among those of a pod set, ascending.
std::vector<FlavorId> topology_flavors_of(const FlavorProblem& problem,
                                          const PodSetFlavors& flavors);

/// Why a pod set that needs a topology flavor has none or several (M7).
FlavorRejection topology_flavor_fault(const FlavorProblem& problem, std::size_t pod_set,
                                      const std::vector<FlavorId>& found);

/// A request for one resource of one flavor against quota (queues.md 6).
struct QuotaCheck {
  Symbol resource;
  std::optional<QuotaColumn> column;  // nothing: nobody has quota for the pair
  std::int64_t previous = 0;          // of the workload's earlier pod sets
  std::int64_t request = 0, most = 0, left = 0;

  std::int64_t wanted() const { return topology::saturating_add(previous, request); }
  bool fits() const { return wanted() <= most && wanted() <= left; }
};
/// Quota that the earlier pod sets of the workload take in the evaluation.
using TakenQuota = FlatMap<QuotaColumn, std::int64_t>;
/// Counts what a unit takes; nothing without quota.
void take_quota(const FlavorProblem& problem, const FlavorOfResource& chosen,
                const Amounts& request, TakenQuota& taken);
/// For queues with quota.
QuotaCheck check_quota(const FlavorProblem& problem, FlavorId flavor,
                       const topology::Amount& amount, const TakenQuota& taken);
/// Of a check that does not fit; told of `pod_set`.
FlavorRejection quota_rejection(const FlavorProblem& problem, const QuotaCheck& check,
                                std::size_t pod_set, FlavorId flavor);

bool topology_wanted(const PlanQueue& queue, const solver::PodSet& pod_set);

/// (first member of a unit, flavor): passed over without a word.
using PassedOver = std::set<std::pair<std::size_t, FlavorId>>;

std::variant<FlavorChoice, FlavorRefusal> choose_flavors(const FlavorProblem& problem,
                                                         const PassedOver& passed_over);

/// Ascending 64-bit FNV-1a hash of the name: the order in which a unit's resources look for flavors
/// (queues.md 7.1).
std::vector<Symbol> search_order(std::vector<Symbol> resources);

}  // namespace tessera::core
