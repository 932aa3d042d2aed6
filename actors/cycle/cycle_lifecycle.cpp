// SPDX-License-Identifier: Apache-2.0
// How the coordinator moves gangs through their lives beside placing them (design.md 3): pods that
// get ready or are not in time, evictions in one step or two, suspension, deadlines.
#include "actors/cycle/cycle.h"

#include "topology/amounts.h"

namespace tessera::core {
namespace {

std::shared_ptr<const Workload> with_active(const Workload& workload, bool active) {
  auto changed = std::make_shared<Workload>(workload);
  changed->active = active;
  return changed;
}

}  // namespace

std::optional<GangPhase> Cycle::phase(std::size_t number) const {
  const auto at = gangs_.find(number);
  return at == gangs_.end() ? std::nullopt : std::optional(at->second.phase);
}

void Cycle::note_admission(const Admitted& admitted) {
  Gang& gang = gangs_.at(admitted.number);
  move_phase(gang.phase, GangPhase::kPlacing, *gang.workload);
  move_phase(gang.phase, GangPhase::kAdmitted, *gang.workload);
  gang.admission = admitted.admission;
  if (now_ != INT64_MIN) await_pods(admitted.number, gang, now_);
}

void Cycle::await_pods(std::size_t number, Gang& gang, std::int64_t since) {
  if (!limits_.pods_ready || gang.phase != GangPhase::kAdmitted) return;
  set_deadline(number, gang, topology::saturating_add(since, limits_.pods_ready->timeout));
}

/// Of whoever was admitted at a time that nobody told.
void Cycle::begin_time() {
  for (auto& [number, gang] : gangs_) {
    if (gang.deadline == INT64_MAX) await_pods(number, gang, now_);
  }
}

void Cycle::take(const Started& input, CycleRecord& record) {
  const auto at = gangs_.find(input.number);
  if (at == gangs_.end() || at->second.phase != GangPhase::kAdmitted) return;
  move_phase(at->second.phase, GangPhase::kRunning, *at->second.workload);
  set_deadline(input.number, at->second, INT64_MAX);
  record.changes.push_back({LifeChange::Kind::kStarted, input.number});
}

/// A workload that waits has nothing to give back: it is put off.
void Cycle::take(const Evict& input, CycleRecord& record) {
  const auto at = gangs_.find(input.number);
  if (at == gangs_.end() || at->second.phase == GangPhase::kSuspended) return;
  Gang& gang = at->second;
  if (gang.live() && input.pods_run) {
    if (gang.phase == GangPhase::kEvicting) return;  // the first reason stands
    return begin_eviction(input.number, gang, EvictionReason::kRequested, input.requeue_at, record);
  }
  const bool goes_on = gang.phase == GangPhase::kEvicting;
  gang.not_before = goes_on ? std::max(gang.not_before, input.requeue_at) : input.requeue_at;
  end_eviction(input.number, gang, record);
}

void Cycle::take(const PodsGone& input, CycleRecord& record) {
  const auto at = gangs_.find(input.number);
  if (at == gangs_.end() || at->second.phase != GangPhase::kEvicting) return;
  end_eviction(input.number, at->second, record);
}

void Cycle::take(const Suspend& input, CycleRecord& record) {
  const auto at = gangs_.find(input.number);
  if (at == gangs_.end() || !at->second.workload->active) return;
  suspend(input.number, at->second, record);
}

/// One whose pods still run waits as soon as they are gone.
void Cycle::take(const Resume& input, CycleRecord& record) {
  const auto at = gangs_.find(input.number);
  if (at == gangs_.end() || at->second.workload->active) return;
  Gang& gang = at->second;
  record.changes.push_back({LifeChange::Kind::kResumed, input.number});
  gang.workload = with_active(*gang.workload, true);
  if (gang.live()) return;
  leave(input.number, gang);
  enter({input.number, gang.workload, INT64_MIN}, record);
}

/// Its back-offs are forgotten, as Kueue drops status.requeueState.
void Cycle::suspend(std::size_t number, Gang& gang, CycleRecord& record) {
  record.changes.push_back({LifeChange::Kind::kSuspended, number});
  gang.workload = with_active(*gang.workload, false);
  gang.requeues = 0;
  if (gang.phase == GangPhase::kEvicting) {
    gang.not_before = INT64_MIN;
  } else if (gang.live()) {
    begin_eviction(number, gang, EvictionReason::kDeactivated, INT64_MIN, record);
  } else {
    leave(number, gang);
    stand_aside(number, gang);
  }
}

/// Suspended: in no queue.
void Cycle::stand_aside(std::size_t number, Gang& gang) {
  move_phase(gang.phase, GangPhase::kSuspended, *gang.workload);
  set_deadline(number, gang, INT64_MAX);
  gang.queue = kNoQueue;
  gang.not_before = INT64_MIN;
  outside_[number] = {nullptr, false, Reason::kInactive, {}};
}

void Cycle::begin_eviction(std::size_t number, Gang& gang, EvictionReason reason,
                           std::int64_t requeue_at, CycleRecord& record) {
  move_phase(gang.phase, GangPhase::kEvicting, *gang.workload);
  gang.not_before = requeue_at;
  set_deadline(number, gang, INT64_MAX);
  record.changes.push_back(
      {LifeChange::Kind::kEvicting, number, reason, requeue_at, gang.requeues});
}

/// It holds nothing any more, and waits from the end of its back-off.
void Cycle::end_eviction(std::size_t number, Gang& gang, CycleRecord& record) {
  record.evicted.push_back(number);
  leave(number, gang);
  if (gang.live()) move_phase(gang.phase, GangPhase::kEvicting, *gang.workload);
  move_phase(gang.phase, GangPhase::kEvicted, *gang.workload);
  gang.admission = nullptr;
  if (!gang.workload->active) return stand_aside(number, gang);
  enter({number, gang.workload, gang.not_before}, record);
}

/// Kueue replaces the pods of a node that was deleted, and evicts where it finds no place for them
/// (placement.md 6); there is no replacement yet.
void Cycle::evict_stranded(std::span<const std::size_t> numbers, CycleRecord& record) {
  for (const std::size_t number : numbers) {
    const auto at = gangs_.find(number);
    if (at == gangs_.end()) continue;
    Gang& gang = at->second;
    if (!gang.live() || gang.phase == GangPhase::kEvicting) continue;
    begin_eviction(number, gang, EvictionReason::kNodeFailures, INT64_MIN, record);
  }
}

/// queues.md 3.2.
void Cycle::time_out(std::size_t number, Gang& gang, CycleRecord& record) {
  const config::PodsReady& rule = *limits_.pods_ready;
  ++gang.requeues;
  if (rule.backoff_limit_count && gang.requeues > *rule.backoff_limit_count) {
    return suspend(number, gang, record);
  }
  if (rule.orders_by_eviction) {
    auto later = std::make_shared<Workload>(*gang.workload);
    later->created = now_;
    gang.workload = std::move(later);
  }
  begin_eviction(number, gang, EvictionReason::kPodsReadyTimeout,
                 topology::saturating_add(now_, rule.backoff(gang.requeues)), record);
}

void Cycle::set_deadline(std::size_t number, Gang& gang, std::int64_t at) {
  if (gang.deadline == at) return;
  deadlines_.erase({gang.deadline, number});
  gang.deadline = at;
  if (at != INT64_MAX) deadlines_.emplace(at, number);
}

void Cycle::fire_deadlines(CycleRecord& record) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now_) {
    const std::size_t number = deadlines_.begin()->second;
    Gang& gang = gangs_.at(number);
    set_deadline(number, gang, INT64_MAX);
    if (gang.found) {
      hand_over_found(number, gang);
    } else if (gang.phase == GangPhase::kEvicted) {
      move_phase(gang.phase, GangPhase::kPending, *gang.workload);  // its queue sees the time too
    } else {
      time_out(number, gang, record);
    }
  }
}

}  // namespace tessera::core
