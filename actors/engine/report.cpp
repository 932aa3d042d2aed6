// SPDX-License-Identifier: Apache-2.0
#include "actors/engine/report.h"

#include <algorithm>
#include <iterator>

#include "actors/queues/admission_checks.h"

namespace tessera::core {
namespace {

/// Pods that are added come to the leaves that are there, in path order.
void add_pods(const solver::PodSetPlacement& added, solver::PodSetPlacement& placement) {
  for (const solver::LeafPods& more : added) {
    const auto at = std::lower_bound(
        placement.begin(), placement.end(), more,
        [](const solver::LeafPods& a, const solver::LeafPods& b) { return a.leaf < b.leaf; });
    if (at != placement.end() && at->leaf == more.leaf) {
      at->pods += more.pods;
    } else {
      placement.insert(at, more);
    }
  }
}

void add_growth(const Decision& added, Decision& decision) {
  for (std::size_t i = 0; i < added.pod_sets.size(); ++i) {
    const PodSetDecision& more = added.pod_sets[i];
    PodSetDecision& pod_set = decision.pod_sets[i];
    if (more.count == 0) continue;
    if (pod_set.count == 0) {
      pod_set = more;
      continue;
    }
    pod_set.count += more.count;
    for (const auto& [resource, flavor] : more.flavors) pod_set.flavors.set(resource, flavor);
    pod_set.usage.add(more.usage);
    add_pods(more.placement, pod_set.placement);
  }
  for (const std::string& check : added.waits_for_checks) {
    std::vector<std::string>& checks = decision.waits_for_checks;
    if (std::find(checks.begin(), checks.end(), check) == checks.end()) checks.push_back(check);
  }
  decision.solver_nanoseconds += added.solver_nanoseconds;
}

}  // namespace

Report::Report(const Inventory& inventory, const Positions& positions, LocalEngine& engine,
               Judge& judge, const std::vector<std::shared_ptr<const CycleRecord>>& records)
    : inventory_(&inventory), positions_(&positions), engine_(&engine), judge_(&judge) {
  for (const auto& record : records) {
    for (const RefusedWorkload& refused : record->refused) {
      refused_.insert_or_assign(refused.gang,
                                std::pair(refused, admitted_ + refused.placed_before));
    }
    admitted_ += record->admitted.size();
  }
}

std::vector<Decision> Report::decisions() {
  std::vector<Decision> decisions = placed();
  for (const auto& queue : engine_->queues()) add_waiting(*queue);
  for (const auto& [gang, entry] : engine_->cycle().look().outside) {
    waiting_.push_back(unplanned(entry));
    waiting_.back().workload = positions_->at(gang);
  }
  std::sort(waiting_.begin(), waiting_.end(), [this](const Decision& a, const Decision& b) {
    const Workload &x = inventory_->workloads[a.workload], &y = inventory_->workloads[b.workload];
    return plans_before({x.created, &x}, {y.created, &y});
  });
  std::move(waiting_.begin(), waiting_.end(), std::back_inserter(decisions));
  return decisions;
}

/// The decision of a gang that grew says what it got in all.
std::vector<Decision> Report::placed() {
  std::vector<Decision> decisions;
  std::map<GangId, std::size_t> trees;  // in `decisions`
  for (LocalEngine::Placed& placed : engine_->take_placed()) {
    const auto before = placed.grows ? trees.find(placed.gang) : trees.end();
    if (before != trees.end()) {
      add_growth(placed.decision, decisions[before->second]);
      continue;
    }
    placed.decision.workload = positions_->at(placed.gang);
    if (workload(placed.gang).gang.is_tree()) trees.emplace(placed.gang, decisions.size());
    decisions.push_back(std::move(placed.decision));
  }
  return decisions;
}

void Report::add_waiting(const QueueState& queue) {
  std::vector<QueueState::Standing> all = queue.standing();
  std::erase_if(all, [](const QueueState::Standing& each) { return each.grows; });
  const bool in_rounds = engine_->planner().options().profile.rounds == config::Rounds::kKueue;
  const auto active = std::find_if(all.begin(), all.end(), [&](const QueueState::Standing& each) {
    return !in_rounds || each.active;
  });
  for (const QueueState::Standing& standing : all) {
    waiting_.push_back(
        waiting_decision(queue, standing, active == all.end() ? standing.gang : active->gang));
  }
}

/// `head`: the first gang of the queue that may be evaluated.
Decision Report::waiting_decision(const QueueState& queue, const QueueState::Standing& standing,
                                  GangId head) {
  const bool in_rounds = engine_->planner().options().profile.rounds == config::Rounds::kKueue;
  Decision decision;
  decision.workload = positions_->at(standing.gang);
  decision.cluster_queue = queue.queue().name;
  if (!standing.evaluated) {
    decision.reason = Reason::kBehindHead;
    if (standing.gang != head || !in_rounds) {
      decision.detail = workload(head).key();
    }
    if (in_rounds) decision.waits_in_rounds.emplace();
    return decision;
  }
  const bool own = refused_.count(standing.gang) > 0;
  const RefusedWorkload& refused =
      refusal(queue.queue(), own ? standing.gang : *standing.evaluated);
  decision.reason = refused.reason;
  decision.detail = refused.detail;
  if (own) decision.solver_nanoseconds = refused.nanoseconds;
  if (in_rounds) {
    decision.waits_in_rounds = own ? refused.round : RoundOutcome{};
    decision.waits_in_rounds->inadmissible = !standing.active;
  }
  if (refused.reason == Reason::kNone) {
    judge_->judge(workload(standing.gang), queue.queue(), refused.attempt, decision);
  }
  return decision;
}

const Workload& Report::workload(GangId gang) const {
  return inventory_->workloads[positions_->at(gang)];
}

const RefusedWorkload& Report::refusal(const PlanQueue& queue, GangId gang) {
  auto& [refused, admitted_before] = refused_.at(gang);
  PlannerState& planner = engine_->planner();
  const bool in_rounds = planner.options().profile.rounds == config::Rounds::kKueue;
  if (in_rounds || refused.reason != Reason::kNone || admitted_before == admitted_) return refused;
  admitted_before = admitted_;
  const QuotaRule rule =
      planner.options().ignore_quota ? QuotaRule::kIgnore : QuotaRule::kAvailable;
  Attempt attempt =
      planner.planner().evaluate(*refused.workload, queue, planner.worlds().current(), rule);
  if (!attempt.placed) refused.attempt = std::move(attempt);
  return refused;
}

}  // namespace tessera::core
