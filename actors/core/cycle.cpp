// SPDX-License-Identifier: Apache-2.0
#include "actors/core/cycle.h"

#include <algorithm>
#include <queue>

#include "actors/core/admission_checks.h"
#include "actors/core/shape.h"

namespace tessera::core {
Cycle::Cycle(const Inventory& inventory, const Directory& directory, const Planner& planner,
             Judge& judge, Worlds& worlds, const EngineOptions& options)
    : inventory_(&inventory),
      directory_(&directory),
      planner_(&planner),
      judge_(&judge),
      worlds_(&worlds),
      options_(&options) {}

std::vector<Decision> Cycle::run(const std::vector<std::size_t>& to_place) {
  submit(to_place);
  for (int round = 0; options_->rounds == 0 || round < options_->rounds; ++round) {
    if (!pass()) break;
  }
  for (Standing& standing : standing_) finish_queue(standing);
  std::sort(refused_.begin(), refused_.end(), [this](const Decision& a, const Decision& b) {
    return plans_before(inventory_->workloads[a.workload], inventory_->workloads[b.workload]);
  });
  std::vector<Decision> decisions = std::move(placed_);
  std::move(refused_.begin(), refused_.end(), std::back_inserter(decisions));
  return decisions;
}

void Cycle::submit(const std::vector<std::size_t>& to_place) {
  std::vector<std::size_t> ordered = to_place;
  std::sort(ordered.begin(), ordered.end(), [this](std::size_t a, std::size_t b) {
    return plans_before(inventory_->workloads[a], inventory_->workloads[b]);
  });
  std::map<const PlanQueue*, std::size_t> position;
  for (const auto& [name, queue] : directory_->queues()) {
    position.emplace(&queue, standing_.size());
    standing_.push_back({&queue, QueueState(inventory_->workloads, queue.strategy), {}, {}});
  }
  for (const std::size_t id : ordered) {
    const Directory::Entry entry = directory_->enter(inventory_->workloads[id]);
    if (entry.stands) {
      standing_[position.at(entry.queue)].state.submit(id);
      continue;
    }
    refused_.push_back(unplanned(id, entry));
  }
}

bool Cycle::pass() {
  const auto later = [this](const auto& a, const auto& b) {
    return plans_before(inventory_->workloads[b.first], inventory_->workloads[a.first]);
  };
  using Head = std::pair<std::size_t, Standing*>;
  std::priority_queue<Head, std::vector<Head>, decltype(later)> heads(later);
  const auto push_head = [&heads](Standing& standing) {
    if (const auto head = standing.state.head()) heads.push({*head, &standing});
  };
  for (Standing& standing : standing_) push_head(standing);
  const std::size_t before = placed_.size();
  while (!heads.empty()) {
    const auto [workload, standing] = heads.top();
    heads.pop();
    if (plan(*standing, workload)) {
      standing->state.placed();
    } else {
      standing->state.refused();
    }
    push_head(*standing);
  }
  for (Standing& standing : standing_) standing.state.end_pass();
  return placed_.size() > before;
}

bool Cycle::plan(Standing& standing, std::size_t id) {
  const Workload& workload = inventory_->workloads[id];
  if (directory_->enter(workload).reason != Reason::kNone) return false;
  const std::string shape = shape_of(workload, *standing.queue);
  if (refuse_alike(standing, id, shape)) return false;

  const std::int64_t start = options_->clock ? options_->clock() : 0;
  const QuotaRule rule = options_->ignore_quota ? QuotaRule::kIgnore : QuotaRule::kAvailable;
  Attempt attempt = planner_->evaluate(workload, *standing.queue, worlds_->current(), rule);
  const std::int64_t spent = options_->clock ? options_->clock() - start : 0;
  if (!attempt.placed) {
    standing.refused[id] = {std::move(attempt), placed_.size(), spent};
    standing.refused_shapes[shape] = id;
    return false;
  }
  Decision decision = decision_for(id, standing.queue);
  decision.outcome = Outcome::kPlaced;
  decision.pod_sets = std::move(attempt.pod_sets);
  decision.waits_for_checks = open_checks(workload, *standing.queue, decision.pod_sets);
  decision.solver_nanoseconds = spent;
  worlds_->place(decision);
  standing.refused.erase(id);
  standing.refused_shapes.erase(shape);
  placed_.push_back(std::move(decision));
  return true;
}

bool Cycle::refuse_alike(Standing& standing, std::size_t id, const std::string& shape) {
  const auto alike = standing.refused_shapes.find(shape);
  if (alike == standing.refused_shapes.end()) return false;
  const Refused& refused = standing.refused.at(alike->second);
  if (refused.placed_before != placed_.size()) return false;
  if (alike->second != id) standing.refused[id] = {refused.attempt, refused.placed_before, 0};
  return true;
}

void Cycle::finish_queue(Standing& standing) {
  for (const std::size_t id : standing.state.waiting()) {
    const Workload& workload = inventory_->workloads[id];
    Decision decision = decision_for(id, standing.queue);
    const Directory::Entry entry = directory_->enter(workload);
    const auto refused = standing.refused.find(id);
    if (entry.reason != Reason::kNone) {
      decision.reason = entry.reason;
      decision.detail = entry.detail;
    } else if (refused != standing.refused.end()) {
      decision.solver_nanoseconds = refused->second.nanoseconds;
      judge_->judge(workload, *standing.queue, std::move(refused->second.attempt), decision);
    } else {
      decision.reason = Reason::kBehindHead;
      decision.detail = inventory_->workloads[standing.state.waiting().front()].key();
    }
    refused_.push_back(std::move(decision));
  }
}

Decision Cycle::decision_for(std::size_t workload, const PlanQueue* queue) const {
  Decision decision;
  decision.workload = workload;
  if (queue) decision.cluster_queue = queue->name;
  return decision;
}

}  // namespace tessera::core
