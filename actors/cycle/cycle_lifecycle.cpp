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

std::optional<GangPhase> Cycle::phase(GangId id) const {
  const auto at = gangs_.find(id);
  return at == gangs_.end() ? std::nullopt : std::optional(at->second.phase);
}

void Cycle::note_admission(const Admitted& admitted) {
  Gang& gang = gangs_.at(admitted.gang);
  move_phase(gang.phase, GangPhase::kPlacing, *gang.workload);
  move_phase(gang.phase, GangPhase::kAdmitted, *gang.workload);
  gang.admission = admitted.admission;
  if (now_ != INT64_MIN) await_pods(admitted.gang, gang, now_);
}

void Cycle::await_pods(GangId id, Gang& gang, std::int64_t since) {
  if (!limits_.pods_ready || gang.phase != GangPhase::kAdmitted) return;
  set_deadline(id, gang, topology::saturating_add(since, limits_.pods_ready->timeout));
}

/// Of whoever was admitted at a time that nobody told.
void Cycle::begin_time() {
  for (auto& [id, gang] : gangs_) {
    if (gang.deadline == INT64_MAX) await_pods(id, gang, now_);
  }
}

void Cycle::take(const Started& input, CycleRecord& record) {
  const auto at = gangs_.find(input.gang);
  if (at == gangs_.end() || at->second.phase != GangPhase::kAdmitted) return;
  move_phase(at->second.phase, GangPhase::kRunning, *at->second.workload);
  set_deadline(input.gang, at->second, INT64_MAX);
  record.changes.push_back({LifeChange::Kind::kStarted, input.gang});
}

/// A workload that waits has nothing to give back: it is put off.
void Cycle::take(const Evict& input, CycleRecord& record) {
  const auto at = gangs_.find(input.gang);
  if (at == gangs_.end() || at->second.phase == GangPhase::kSuspended) return;
  Gang& gang = at->second;
  if (gang.live() && input.pods_run) {
    if (gang.phase == GangPhase::kEvicting) return;  // the first reason stands
    return begin_eviction(input.gang, gang, EvictionReason::kRequested, input.requeue_at, record);
  }
  const bool goes_on = gang.phase == GangPhase::kEvicting;
  gang.not_before = goes_on ? std::max(gang.not_before, input.requeue_at) : input.requeue_at;
  end_eviction(input.gang, gang, record);
}

void Cycle::take(const PodsGone& input, CycleRecord& record) {
  const auto at = gangs_.find(input.gang);
  if (at == gangs_.end() || at->second.phase != GangPhase::kEvicting) return;
  end_eviction(input.gang, at->second, record);
}

void Cycle::take(const Suspend& input, CycleRecord& record) {
  const auto at = gangs_.find(input.gang);
  if (at == gangs_.end() || !at->second.workload->active) return;
  suspend(input.gang, at->second, record);
}

/// One whose pods still run waits as soon as they are gone.
void Cycle::take(const Resume& input, CycleRecord& record) {
  const auto at = gangs_.find(input.gang);
  if (at == gangs_.end() || at->second.workload->active) return;
  Gang& gang = at->second;
  record.changes.push_back({LifeChange::Kind::kResumed, input.gang});
  gang.workload = with_active(*gang.workload, true);
  if (gang.live()) return;
  leave(input.gang, gang);
  enter({input.gang, gang.workload, INT64_MIN}, record);
}

/// Its back-offs are forgotten, as Kueue drops status.requeueState.
void Cycle::suspend(GangId id, Gang& gang, CycleRecord& record) {
  record.changes.push_back({LifeChange::Kind::kSuspended, id});
  gang.workload = with_active(*gang.workload, false);
  gang.requeues = 0;
  if (gang.phase == GangPhase::kEvicting) {
    gang.not_before = INT64_MIN;
  } else if (gang.live()) {
    begin_eviction(id, gang, EvictionReason::kDeactivated, INT64_MIN, record);
  } else {
    leave(id, gang);
    stand_aside(id, gang);
  }
}

/// Suspended: in no queue.
void Cycle::stand_aside(GangId id, Gang& gang) {
  move_phase(gang.phase, GangPhase::kSuspended, *gang.workload);
  set_deadline(id, gang, INT64_MAX);
  gang.queue = kNoQueue;
  gang.not_before = INT64_MIN;
  outside_[id] = {nullptr, false, Reason::kInactive, {}};
}

void Cycle::begin_eviction(GangId id, Gang& gang, EvictionReason reason, std::int64_t requeue_at,
                           CycleRecord& record) {
  move_phase(gang.phase, GangPhase::kEvicting, *gang.workload);
  gang.not_before = requeue_at;
  set_deadline(id, gang, INT64_MAX);
  record.changes.push_back({LifeChange::Kind::kEvicting, id, reason, requeue_at, gang.requeues});
}

/// It holds nothing any more, and waits from the end of its back-off.
void Cycle::end_eviction(GangId id, Gang& gang, CycleRecord& record) {
  record.evicted.push_back(id);
  leave(id, gang);
  if (gang.live()) move_phase(gang.phase, GangPhase::kEvicting, *gang.workload);
  move_phase(gang.phase, GangPhase::kEvicted, *gang.workload);
  gang.admission = nullptr;
  if (!gang.workload->active) return stand_aside(id, gang);
  enter({id, gang.workload, gang.not_before}, record);
}

/// Kueue replaces the pods of a node that was deleted, and evicts where it finds no place for them
/// (placement.md 6); there is no replacement yet.
void Cycle::evict_stranded(std::span<const GangId> gangs, CycleRecord& record) {
  for (const GangId id : gangs) {
    const auto at = gangs_.find(id);
    if (at == gangs_.end()) continue;
    Gang& gang = at->second;
    if (!gang.live() || gang.phase == GangPhase::kEvicting) continue;
    begin_eviction(id, gang, EvictionReason::kNodeFailures, INT64_MIN, record);
  }
}

/// queues.md 3.2.
void Cycle::time_out(GangId id, Gang& gang, CycleRecord& record) {
  const config::PodsReady& rule = *limits_.pods_ready;
  ++gang.requeues;
  if (rule.backoff_limit_count && gang.requeues > *rule.backoff_limit_count) {
    return suspend(id, gang, record);
  }
  if (rule.orders_by_eviction) {
    auto later = std::make_shared<Workload>(*gang.workload);
    later->created = now_;
    gang.workload = std::move(later);
  }
  begin_eviction(id, gang, EvictionReason::kPodsReadyTimeout,
                 topology::saturating_add(now_, rule.backoff(gang.requeues)), record);
}

void Cycle::set_deadline(GangId id, Gang& gang, std::int64_t at) {
  if (gang.deadline == at) return;
  deadlines_.erase({gang.deadline, id});
  gang.deadline = at;
  if (at != INT64_MAX) deadlines_.emplace(at, id);
}

void Cycle::fire_deadlines(CycleRecord& record) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now_) {
    const GangId id = deadlines_.begin()->second;
    Gang& gang = gangs_.at(id);
    set_deadline(id, gang, INT64_MAX);
    if (gang.found) {
      hand_over_found(id, gang);
    } else if (gang.phase == GangPhase::kEvicted) {
      move_phase(gang.phase, GangPhase::kPending, *gang.workload);  // its queue sees the time too
    } else {
      time_out(id, gang, record);
    }
  }
}

}  // namespace tessera::core
