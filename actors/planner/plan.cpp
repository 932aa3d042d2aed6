// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/plan.h"

#include <algorithm>

#include "actors/queues/admission_checks.h"
#include "actors/records/wants_more.h"

namespace tessera::core {
namespace {

using Kind = FlavorRejection::Kind;

/// True if the evaluation has one way to search. Then another placement can only make it fail, and
/// its rejections name everything that stands in the way.
bool is_monotone(const Workload& workload, const PlanQueue& queue, bool partial_admission) {
  const std::vector<solver::PodSet>& pod_sets = workload.gang.pod_sets;
  if (pod_sets.size() != 1 || queue.groups.size() > 1) return false;
  return !partial_admission || !pod_sets[0].min_count ||
         *pod_sets[0].min_count >= pod_sets[0].count;
}

}  // namespace

/// Another placement only takes room from it.
Hope hope_of_growth(const PlanContext& context) {
  Hope hope;
  hope.quota = true;
  for (std::uint32_t f = 0; f < context.definitions->flavors.size(); ++f) {
    hope.flavors.push_back(FlavorId{f});
  }
  return hope;
}

Hope hope_of(const Workload& workload, const PlanQueue& queue, const Attempt& attempt,
             const PlanContext& context) {
  Hope hope;
  if (!is_monotone(workload, queue, context.options->profile.partial_admission)) {
    hope = hope_of_growth(context);
    hope.placements = true;
    return hope;
  }
  for (const FlavorRejection& rejection : attempt.rejections) {
    if (rejection.kind == Kind::kNoUnusedQuota) hope.quota = true;
    if (rejection.kind != Kind::kPlacement) continue;
    hope.flavors.push_back(*find_flavor(context.definitions->flavors, rejection.flavor));
  }
  std::sort(hope.flavors.begin(), hope.flavors.end());
  return hope;
}

QuotaUse quota_use_of(const std::vector<PodSetDecision>& pod_sets, const Ledger& ledger,
                      QuotaNode queue) {
  QuotaUse use;
  for (const PodSetDecision& pod_set : pod_sets) {
    for (const auto& [resource, flavor] : pod_set.flavors) {
      const std::optional<QuotaColumn> column = ledger.column(queue, flavor, resource);
      if (!column) continue;
      std::int64_t& amount = use[*column];
      amount = topology::saturating_add(amount, pod_set.usage.get(resource));
    }
  }
  return use;
}

bool has_quota(const PlanContext& context, const PlanQueue& queue,
               const std::vector<PodSetDecision>& pod_sets) {
  if (!queue.quota || context.options->ignore_quota) return true;
  const Ledger& ledger = context.worlds->current().ledger();
  const QuotaUse use = quota_use_of(pod_sets, ledger, *queue.quota);
  return std::all_of(use.begin(), use.end(), [&](const auto& taken) {
    return taken.second <= ledger.available(*queue.quota, taken.first);
  });
}

PlanBuilder::PlanBuilder(const PlanContext& context, const std::vector<Window>& windows)
    : context_(&context), windows_(&windows) {
  for (const Window& window : windows) {
    QueueOutcomes outcomes{window.queue, {}};
    for (const WindowItem& item : window.items) {
      outcomes.outcomes.emplace_back().gang = item.gang;
    }
    plan_.queues.push_back(std::move(outcomes));
  }
}

void PlanBuilder::admit(std::size_t window, std::size_t item, std::vector<PodSetDecision> pod_sets,
                        int round, std::int64_t nanoseconds) {
  Decision decision;
  decision.round = round;
  decision.pod_sets = std::move(pod_sets);
  decision.solver_nanoseconds = nanoseconds;
  add(window, item, std::move(decision), false);
}

void PlanBuilder::grow(std::size_t window, std::size_t item, std::vector<PodSetDecision> added,
                       std::int64_t nanoseconds) {
  Decision decision;
  decision.pod_sets = std::move(added);
  decision.solver_nanoseconds = nanoseconds;
  add(window, item, std::move(decision), true);
}

void PlanBuilder::add(std::size_t window, std::size_t item, Decision decision, bool grows) {
  const WindowItem& waiting = (*windows_)[window].items[item];
  const PlanQueue& queue = *context_->definitions->queues[(*windows_)[window].queue];
  decision.outcome = Outcome::kPlaced;
  decision.cluster_queue = queue.name;
  decision.waits_for_checks = open_checks(*waiting.workload, queue, decision.pod_sets);
  Admitted admitted{waiting.gang, waiting.workload,
                    std::make_shared<const Admission>(admission_of(decision, *waiting.workload,
                                                                   context_->worlds->cluster(),
                                                                   context_->definitions->flavors)),
                    decision.waits_for_checks, grows};
  grows ? context_->worlds->grow(decision, admitted) : context_->worlds->place(decision, admitted);
  outcome(window, item).turn = Turn::kAdmitted;
  outcome(window, item).grows = held_by(waiting) != nullptr;
  plan_.admitted.push_back(std::move(admitted));
  plan_.placed.push_back(std::move(decision));
  ++plan_.solves;
}

const Admission* PlanBuilder::held_by(const WindowItem& item) const {
  // In rounds, gangs do not grow.
  if (context_->options->profile.rounds != config::Rounds::kSequential) return nullptr;
  if (!item.workload->gang.is_tree()) return nullptr;
  const auto live = context_->worlds->live().find(item.gang);
  if (live == context_->worlds->live().end()) return nullptr;
  return wants_more(*item.workload, *live->second.admission) ? live->second.admission.get()
                                                             : nullptr;
}

void PlanBuilder::refuse_growth(std::size_t window, std::size_t item) {
  TurnOutcome outcome;
  outcome.turn = Turn::kRefused;
  outcome.grows = true;
  outcome.evaluated = (*windows_)[window].items[item].gang;
  outcome.hope = hope_of_growth(*context_);
  turn(window, item, std::move(outcome));
  ++plan_.solves;
}

void PlanBuilder::refuse(std::size_t window, std::size_t item, RefusedWorkload refused,
                         TurnOutcome outcome) {
  add_refused(window, item, std::move(refused));
  turn(window, item, std::move(outcome));
  ++plan_.solves;
}

void PlanBuilder::defer(std::size_t window, std::size_t item, int stale) {
  const WindowItem& waiting = (*windows_)[window].items[item];
  plan_.deferred.push_back({waiting.gang, (*windows_)[window].queue, waiting.workload, stale});
  RefusedWorkload refused;
  refused.reason = Reason::kDeferred;
  refused.detail = "its search takes more than " + std::to_string(context_->max_steps()) +
                   " steps and goes on in the background";
  add_refused(window, item, std::move(refused));
  TurnOutcome outcome;
  outcome.turn = Turn::kDeferred;
  outcome.is_long = true;
  outcome.evaluated = waiting.gang;
  turn(window, item, std::move(outcome));
}

void PlanBuilder::add_refused(std::size_t window, std::size_t item, RefusedWorkload refused) {
  const WindowItem& waiting = (*windows_)[window].items[item];
  refused.gang = waiting.gang;
  refused.workload = waiting.workload;
  refused.cluster_queue = context_->definitions->queues[(*windows_)[window].queue]->name;
  refused.placed_before = static_cast<std::uint32_t>(placed());
  plan_.refused.push_back(std::move(refused));
}

void PlanBuilder::turn(std::size_t window, std::size_t item, TurnOutcome outcome) {
  outcome.gang = (*windows_)[window].items[item].gang;
  outcome.placed_before = static_cast<std::uint32_t>(placed());
  this->outcome(window, item) = std::move(outcome);
}

void PlanBuilder::refuse_unplanned(std::size_t window, std::size_t item,
                                   const Directory::Entry& entry,
                                   const std::optional<RoundOutcome>& round) {
  RefusedWorkload refused;
  refused.reason = entry.reason;
  refused.detail = entry.detail;
  refused.round = round;
  add_refused(window, item, std::move(refused));
  TurnOutcome outcome;
  outcome.turn = entry.reason == Reason::kNamespace ? Turn::kNamespace : Turn::kNotNominated;
  turn(window, item, std::move(outcome));
}

Plan PlanBuilder::finish(CycleNumber cycle) {
  plan_.cycle = cycle;
  return std::move(plan_);
}

}  // namespace tessera::core
