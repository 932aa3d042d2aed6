// SPDX-License-Identifier: Apache-2.0
#include "actors/gangs/gang_table.h"

#include <algorithm>

#include "actors/capacity/state_hash.h"
#include "actors/records/grown.h"
#include "actors/records/wants_more.h"
#include "topology/nodes/amounts.h"

namespace tessera::core {

GangTable::GangTable(std::optional<config::PodsReady> rule) : rule_(rule) {}

void GangTable::adopt(const Admitted& held) {
  last_id_ = std::max(last_id_, held.gang);
  const Workload& workload = *held.workload;
  Entry& entry = *gangs_.try_emplace(held.gang).first;
  Gang& gang = entry.second;
  gang.phase = workload.status.pods_ready ? GangPhase::kRunning : GangPhase::kAdmitted;
  gang.workload = held.workload;
  gang.active = workload.active;
  gang.admission = held.admission;
  gang.grows = wants_more(workload, *held.admission);
  gang.requeues = workload.status.requeues;
  if (workload.status.admitted_at != INT64_MIN) await_pods(entry, workload.status.admitted_at);
}

LifeStep GangTable::submit(std::shared_ptr<const Workload> workload) {
  last_id_ = GangId{index(last_id_) + 1};
  Entry& entry = *gangs_.try_emplace(last_id_).first;
  entry.second.requeues = workload->status.requeues;
  entry.second.active = workload->active;
  // An engine that was never told the time (`schedule`) cannot wait for a time.
  const std::int64_t not_before = now_ == INT64_MIN ? INT64_MIN : workload->status.requeue_at;
  entry.second.workload = std::move(workload);
  LifeStep out{last_id_};
  wait_again(entry, not_before, out);
  return out;
}

LifeStep GangTable::take(const LifeInput& input) {
  return std::visit(
      [this](const auto& each) {
        const auto at = gangs_.find(each.gang);
        return at == gangs_.end() ? LifeStep{each.gang} : step(each, *at);
      },
      input);
}

LifeStep GangTable::step(const Started&, Entry& entry) {
  LifeStep out{entry.first};
  Gang& gang = entry.second;
  if (gang.phase != GangPhase::kAdmitted) return out;
  move_phase(gang.phase, GangPhase::kRunning, *gang.workload);
  set_deadline(entry, INT64_MAX);
  out.changes.push_back({LifeChange::Kind::kStarted, entry.first});
  return out;
}

LifeStep GangTable::step(const Finish&, Entry& entry) {
  LifeStep out{entry.first};
  leave(entry, out);
  set_deadline(entry, INT64_MAX);
  out.next = LifeStep::Next::kEnds;
  gangs_.erase(out.gang);
  return out;
}

/// A waiting gang has nothing to give back: it only waits longer.
LifeStep GangTable::step(const Evict& input, Entry& entry) {
  LifeStep out{entry.first};
  Gang& gang = entry.second;
  if (gang.phase == GangPhase::kSuspended) return out;
  const bool goes_on = gang.phase == GangPhase::kEvicting;
  if (gang.live() && input.pods_run) {
    // The first reason stands.
    if (!goes_on) begin_eviction(entry, EvictionReason::kRequested, input.requeue_at, out);
    return out;
  }
  gang.not_before = goes_on ? std::max(gang.not_before, input.requeue_at) : input.requeue_at;
  end_eviction(entry, out);
  return out;
}

LifeStep GangTable::step(const PodsGone&, Entry& entry) {
  LifeStep out{entry.first};
  if (entry.second.phase == GangPhase::kEvicting) end_eviction(entry, out);
  return out;
}

LifeStep GangTable::step(const Suspend&, Entry& entry) {
  LifeStep out{entry.first};
  if (entry.second.active) suspend(entry, out);
  return out;
}

/// A gang whose pods still run returns to its queue when they are gone.
LifeStep GangTable::step(const Resume&, Entry& entry) {
  LifeStep out{entry.first};
  Gang& gang = entry.second;
  if (gang.active) return out;
  out.changes.push_back({LifeChange::Kind::kResumed, entry.first});
  gang.active = true;
  if (gang.live()) return out;
  leave(entry, out);
  wait_again(entry, INT64_MIN, out);
  return out;
}

/// The gang's back-offs are forgotten, as Kueue drops status.requeueState.
void GangTable::suspend(Entry& entry, LifeStep& out) {
  Gang& gang = entry.second;
  out.changes.push_back({LifeChange::Kind::kSuspended, entry.first});
  gang.active = false;
  gang.requeues = 0;
  if (gang.phase == GangPhase::kEvicting) {
    gang.not_before = INT64_MIN;
  } else if (gang.live()) {
    begin_eviction(entry, EvictionReason::kDeactivated, INT64_MIN, out);
  } else {
    leave(entry, out);
    stand_aside(entry, out);
  }
}

/// Kueue replaces the pods of a deleted node, and evicts where it finds no place for them
/// (placement.md 6). There is no replacement yet.
LifeStep GangTable::step(const Stranded&, Entry& entry) {
  LifeStep out{entry.first};
  if (!entry.second.live() || entry.second.phase == GangPhase::kEvicting) return out;
  begin_eviction(entry, EvictionReason::kNodeFailures, INT64_MIN, out);
  return out;
}

void GangTable::admit(const Admitted& admitted) {
  Entry& entry = *gangs_.find(admitted.gang);
  Gang& gang = entry.second;
  if (admitted.grows) {
    gang.admission =
        std::make_shared<const Admission>(merged(*gang.admission, *admitted.admission));
    gang.grows = wants_more(*gang.workload, *gang.admission);
    return;
  }
  move_phase(gang.phase, GangPhase::kPlacing, *gang.workload);
  move_phase(gang.phase, GangPhase::kAdmitted, *gang.workload);
  gang.admission = admitted.admission;
  gang.grows = wants_more(*gang.workload, *gang.admission);
  gang.not_before = INT64_MIN;  // an earlier back-off is over
  if (now_ != INT64_MIN) await_pods(entry, now_);
}

/// A gang that is being evicted does not grow again.
LifeStep GangTable::void_growth(const Admitted& added) {
  LifeStep out{added.gang};
  const auto at = gangs_.find(added.gang);
  if (at == gangs_.end() || !at->second.live()) return out;
  Gang& gang = at->second;
  gang.admission = std::make_shared<const Admission>(unmerged(*gang.admission, *added.admission));
  if (gang.grows || gang.phase == GangPhase::kEvicting) return out;
  gang.grows = true;
  out.next = LifeStep::Next::kGrows;
  return out;
}

void GangTable::stop_growing(Gang& gang, LifeStep& out) {
  if (!std::exchange(gang.grows, false)) return;
  out.stopped_growing = true;
  out.queue = gang.queue;
}

LifeStep GangTable::void_admission(const Admitted& admitted) {
  if (admitted.grows) return void_growth(admitted);
  LifeStep out{admitted.gang};
  const auto at = gangs_.find(admitted.gang);
  if (at == gangs_.end() || !at->second.live()) return out;
  Gang& gang = at->second;
  stop_growing(gang, out);
  out.evicted = gang.phase == GangPhase::kEvicting;
  gang.phase = GangPhase::kPlacing;  // as if it had never been admitted
  move_phase(gang.phase, GangPhase::kPending, *gang.workload);
  gang.admission = nullptr;
  if (gang.active) {
    wait_again(*at, out.evicted ? gang.not_before : INT64_MIN, out);
  } else {
    stand_aside(*at, out);
  }
  return out;
}

LifeStep GangTable::enter_again(GangId id) {
  LifeStep out{id};
  Entry& entry = *gangs_.find(id);
  wait_again(entry, entry.second.not_before, out);
  return out;
}

void GangTable::begin_eviction(Entry& entry, EvictionReason reason, std::int64_t requeue_at,
                               LifeStep& out) {
  Gang& gang = entry.second;
  move_phase(gang.phase, GangPhase::kEvicting, *gang.workload);
  stop_growing(gang, out);
  gang.not_before = requeue_at;
  set_deadline(entry, INT64_MAX);
  out.changes.push_back(
      {LifeChange::Kind::kEvicting, entry.first, reason, requeue_at, gang.requeues});
}

/// The gang gives everything back and waits again when its back-off ends.
void GangTable::end_eviction(Entry& entry, LifeStep& out) {
  Gang& gang = entry.second;
  out.evicted = true;
  leave(entry, out);
  if (gang.live()) move_phase(gang.phase, GangPhase::kEvicting, *gang.workload);
  move_phase(gang.phase, GangPhase::kEvicted, *gang.workload);
  gang.admission = nullptr;
  if (gang.active) {
    wait_again(entry, gang.not_before, out);
  } else {
    stand_aside(entry, out);
  }
}

void GangTable::leave(Entry& entry, LifeStep& out) {
  Gang& gang = entry.second;
  stop_growing(gang, out);
  out.left = gang.live() ? LifeStep::Left::kHoldings : LifeStep::Left::kQueue;
  out.queue = gang.queue;
  out.admission = gang.admission;
}

void GangTable::stand_aside(Entry& entry, LifeStep& out) {
  Gang& gang = entry.second;
  move_phase(gang.phase, GangPhase::kSuspended, *gang.workload);
  set_deadline(entry, INT64_MAX);
  gang.queue = Gang::kNoQueue;
  gang.not_before = INT64_MIN;
  out.next = LifeStep::Next::kStandsAside;
}

void GangTable::wait_again(Entry& entry, std::int64_t not_before, LifeStep& out) {
  Gang& gang = entry.second;
  const bool put_off = gang.active && not_before > now_;
  gang.not_before = put_off ? not_before : INT64_MIN;
  gang.queue = Gang::kNoQueue;
  move_phase(gang.phase,
             !gang.active ? GangPhase::kSuspended
             : put_off    ? GangPhase::kEvicted
                          : GangPhase::kPending,
             *gang.workload);
  set_deadline(entry, put_off ? not_before : INT64_MAX);
  out.next = LifeStep::Next::kWaits;
}

void GangTable::await_pods(Entry& entry, std::int64_t since) {
  if (!rule_ || entry.second.phase != GangPhase::kAdmitted) return;
  set_deadline(entry, topology::saturating_add(since, rule_->timeout));
}

/// The first known time starts the deadline of gangs whose admission time is unknown.
void GangTable::advance(std::int64_t now) {
  const bool begins = now_ == INT64_MIN;
  now_ = std::max(now_, now);
  if (!begins) return;
  for (Entry& entry : gangs_) {
    if (entry.second.deadline == INT64_MAX) await_pods(entry, now_);
  }
}

std::optional<GangId> GangTable::pop_due() {
  if (deadlines_.empty() || deadlines_.begin()->first > now_) return std::nullopt;
  const GangId id = deadlines_.begin()->second;
  set_deadline(id, INT64_MAX);
  return id;
}

LifeStep GangTable::fall_due(GangId id) {
  Entry& entry = *gangs_.find(id);
  Gang& gang = entry.second;
  if (gang.phase != GangPhase::kEvicted) return time_out(entry);
  gang.not_before = INT64_MIN;
  move_phase(gang.phase, GangPhase::kPending, *gang.workload);  // its queue sees the time too
  return {id};
}

/// The pods were not ready in time (queues.md 3.2).
LifeStep GangTable::time_out(Entry& entry) {
  LifeStep out{entry.first};
  Gang& gang = entry.second;
  ++gang.requeues;
  if (rule_->backoff_limit_count && gang.requeues > *rule_->backoff_limit_count) {
    suspend(entry, out);
    return out;
  }
  if (rule_->orders_by_eviction) gang.evicted_at = now_;
  begin_eviction(entry, EvictionReason::kPodsReadyTimeout,
                 topology::saturating_add(now_, rule_->backoff(gang.requeues)), out);
  return out;
}

void GangTable::set_deadline(GangId id, std::int64_t at) { set_deadline(*gangs_.find(id), at); }

void GangTable::set_deadline(Entry& entry, std::int64_t at) {
  Gang& gang = entry.second;
  if (gang.deadline == at) return;
  deadlines_.erase({gang.deadline, entry.first});
  gang.deadline = at;
  if (at != INT64_MAX) deadlines_.emplace(at, entry.first);
}

std::int64_t GangTable::next_deadline() const {
  return deadlines_.empty() ? INT64_MAX : deadlines_.begin()->first;
}

const Gang* GangTable::find(GangId id) const {
  const auto at = gangs_.find(id);
  return at == gangs_.end() ? nullptr : &at->second;
}

void GangTable::put_in_queue(GangId id, std::uint32_t queue) { gangs_.at(id).queue = queue; }

std::vector<GangId> GangTable::ids() const {
  std::vector<GangId> ids;
  ids.reserve(gangs_.size());
  for (const auto& [id, gang] : gangs_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::uint64_t GangTable::hash() const {
  std::uint64_t sum = text_hash(std::to_string(now_));
  for (const auto& [id, gang] : gangs_) {
    const bool waits_for_time = gang.phase == GangPhase::kEvicted || holds(gang.phase);
    const std::int64_t numbers[] = {
        gang.not_before, gang.requeues, gang.evicted_at.value_or(gang.workload->created),
        waits_for_time ? gang.deadline : INT64_MAX, gang.active ? 1 : 0};
    std::string row = text(id) + ' ' + std::string(phase_name(gang.phase));
    for (const std::int64_t number : numbers) row += ' ' + std::to_string(number);
    sum += text_hash(row);
  }
  return sum;
}

}  // namespace tessera::core
