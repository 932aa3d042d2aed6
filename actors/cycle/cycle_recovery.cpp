// SPDX-License-Identifier: Apache-2.0
// What the coordinator does when something under it fails: the journal, or a queue.
#include <algorithm>
#include <type_traits>

#include "actors/cycle/cycle.h"
#include "actors/records/planted_bug.h"

namespace tessera::core {

/// What was decided since is void; what was put in stays applied, and is the first thing to be
/// appended again (design.md 3.1).
void Cycle::on_append_failed(CycleNumber cycle) {
  std::size_t first = 0;
  while (first < flights_.size() && flights_[first].record->cycle != cycle) ++first;
  if (first == flights_.size()) return;  // aborted with an earlier one
  read_only_ = true;
  // At once after the first failure, then with each instant that is handed over.
  may_retry_ = !flights_[first].record->recovers;
  abort(first);
  advance();
}

void Cycle::abort(std::size_t first) {
  carried_ = std::make_shared<CycleRecord>();
  carried_->recovers = true;
  carried_->first_input = flights_[first].record->first_input;
  std::vector<GangId> gangs;
  for (std::size_t f = first; f < flights_.size(); ++f) {
    carry(*flights_[f].record);
    for (const Admitted& admitted : flights_[f].record->admitted) {
      gangs.push_back(admitted.gang);
    }
  }
  for (std::size_t f = flights_.size(); f > first; --f) {
    const Flight& flight = flights_[f - 1];
    ports_->abort(flight.owners, flight.record->cycle);
  }
  flights_.resize(first);
  // No node moves meanwhile: changes of owners wait until nothing is on its way (begin()).
  if (reserving_) reserving_->is_void = true;
  void_plan();
  if (gangs.empty()) return;
  std::reverse(gangs.begin(), gangs.end());
  retract(gangs);
  return_to_queues(gangs, *carried_);
}

/// Its inputs are to be appended again; what it decided is not.
void Cycle::carry(const CycleRecord& record) {
  carried_->now = record.now;
  carried_->last_input = record.last_input;
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(carried_->submitted, record.submitted);
  add(carried_->finished, record.finished);
  add(carried_->evicted, record.evicted);
  add(carried_->changes, record.changes);
  // That no queue takes a workload is no decision: nobody says it again.
  for (const RefusedWorkload& refused : record.refused) {
    if (outside_.count(refused.gang) > 0) carried_->refused.push_back(refused);
  }
}

/// The plan on its way is made on what was given back.
void Cycle::void_plan() {
  plan_is_void_ = phase_ != Phase::kIdle;
  if (phase_ == Phase::kPlanned) planned_ = voided(*planned_);
}

/// What still counts of a plan that was made on what was aborted: releases and changes. Owners gave
/// back what was aborted before they hear of it, so its hashes are of no use.
std::shared_ptr<PlanReply> Cycle::voided(const PlanReply& reply) {
  auto out = std::make_shared<PlanReply>(reply);
  out->plan.refused.clear();
  out->plan.deferred.clear();
  for (QueueOutcomes& queue : out->plan.queues) {
    for (TurnOutcome& outcome : queue.outcomes) outcome.turn = Turn::kNotReached;
  }
  const auto strip = [](auto& steps) {
    for (auto& [owner, step] : steps) {
      auto rest = std::make_shared<std::decay_t<decltype(*step)>>(*step);
      rest->reserve.clear();
      rest->hash.reset();
      step = std::move(rest);
    }
  };
  strip(out->shards);
  strip(out->roots);
  return out;
}

/// Room that was taken is free again: whatever was refused since may fit. `record`: of what became
/// of them since.
void Cycle::return_to_queues(const std::vector<GangId>& gangs, CycleRecord& record) {
  for (const GangId id : gangs) {
    const auto at = gangs_.find(id);
    if (at == gangs_.end() || !at->second.live()) continue;  // ended or was evicted since
    Gang& gang = at->second;
    const bool was_evicted = gang.phase == GangPhase::kEvicting;
    gang.phase = GangPhase::kPending;  // its admission never was
    gang.admission = nullptr;
    if (was_evicted) record.evicted.push_back(id);
    if (!gang.workload->active) {
      stand_aside(id, gang);
    } else {
      enter({id, gang.workload, was_evicted ? gang.not_before : INT64_MIN}, record);
    }
  }
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    queues_[q].next.wake.all = queues_[q].next.wake.quota = true;
    touched_.insert(q);
  }
  resume_rounds();
}

/// The latest placed first. In rounds they have their turn in another one.
void Cycle::retract(const std::vector<GangId>& gangs) {
  if (gangs.empty()) return;
  moved_ = true;
  counters_.retracted += gangs.size();
  if (!planted(PlantedBug::kLostRetract)) ports_->retract(gangs);
}

/// Who is not running now had started in an admission that is void.
void Cycle::drop_void_starts(CycleRecord& record) const {
  std::erase_if(record.changes, [this](const LifeChange& change) {
    return change.kind == LifeChange::Kind::kStarted && phase(change.gang) != GangPhase::kRunning;
  });
}

/// Behind the cycles that are still on their way.
void Cycle::retry_append() {
  if (!carried_ || !may_retry_ || !flights_.empty() || reserving_ || phase_ != Phase::kIdle) {
    return;
  }
  may_retry_ = false;
  drop_void_starts(*carried_);
  carried_->cycle = ++cycle_;
  append({std::move(carried_), {}, false});
  carried_ = nullptr;
}

void Cycle::on_queue_lost(std::uint32_t queue) {
  QueueStep& next = queues_[queue].next;
  next = {};
  for (auto& [id, gang] : gangs_) {
    if (gang.live() || gang.queue != queue) continue;
    drop_search(id, gang);
    next.submitted.push_back({id, gang.workload, gang.not_before});
  }
  std::sort(next.submitted.begin(), next.submitted.end(),
            [](const Waiting& a, const Waiting& b) { return a.gang < b.gang; });
  if (phase_ != Phase::kWindows || asked_.count(queue) == 0 || windows_.count(queue) > 0) {
    touched_.insert(queue);
    return advance();
  }
  auto step = std::make_shared<QueueStep>(std::move(next));
  next = {};
  step->cycle = cycle_;
  step->now = now_;
  step->most = items_wanted(asked_.size());
  ++counters_.messages;
  ports_->to_queue(queue, std::move(step));
}

}  // namespace tessera::core
