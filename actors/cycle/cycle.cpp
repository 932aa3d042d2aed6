// SPDX-License-Identifier: Apache-2.0
#include "actors/cycle/cycle.h"

#include <algorithm>

#include "actors/records/held_at_start.h"

namespace tessera::core {
namespace {

constexpr int kMostIdleRounds = 30;  // queues.md 11.5

}  // namespace

Cycle::Cycle(std::shared_ptr<const Definitions> definitions, config::Rounds order,
             const CycleLimits& limits, CyclePorts& ports)
    : definitions_(std::move(definitions)), order_(order), limits_(limits), ports_(&ports) {
  reset_tracks();
  for (const HeldAtStart& held : held_at_start(*definitions_->inventory)) {
    last_id_ = held.admitted.gang;
    const Workload& workload = *held.admitted.workload;
    Gang& gang = gangs_[last_id_];
    gang.phase = workload.pods_ready ? GangPhase::kRunning : GangPhase::kAdmitted;
    gang.workload = held.admitted.workload;
    gang.admission = held.admitted.admission;
    gang.queue = queue_of(*gang.admission);
    gang.requeues = workload.requeues;
    if (workload.admitted_at != INT64_MIN) await_pods(last_id_, gang, workload.admitted_at);
  }
}

GangId Cycle::next_id() { return last_id_ = GangId{index(last_id_) + 1}; }

void Cycle::reset_tracks() {
  queues_.clear();
  queues_.resize(definitions_->queues.size());
  touched_.clear();
  blocked_heads_.clear();
  waiting_ = 0;
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    const std::optional<QuotaNode>& quota = definitions_->queues[q]->quota;
    if (quota) queues_[q].tree = static_cast<std::uint32_t>(definitions_->ledger.root(*quota));
  }
}

void Cycle::submit(std::vector<Input> inputs) {
  if (!inputs.empty()) inputs_.push_back(std::move(inputs));
  may_retry_ = true;
  advance();
}

void Cycle::advance() {
  retry_append();
  while (begin()) {
  }
}

/// Step 1. False: nothing to do, or not now.
bool Cycle::begin() {
  const std::size_t on_their_way = flights_.size() + (reserving_ ? 1 : 0);
  if (phase_ != Phase::kIdle || on_their_way >= limits_.in_flight) return false;
  const bool searches_wait = !to_search_.empty() && may_search();
  if (read_only_ || (inputs_.empty() && touched_.empty() && !searches_wait)) return false;
  if (reserving_ && !overlaps(*reserving_)) return false;
  if (waits_for_searches()) return false;
  // New owners know nothing of reservations that may still be aborted.
  if (changes_owners() && on_their_way > 0) return false;
  ++cycle_;
  record_ = std::make_shared<CycleRecord>();
  record_->cycle = cycle_;
  take_inputs(*record_);
  record_->now = now_;
  send_steps();
  return true;
}

/// A plan takes `batch` workloads from all windows together. Where there are many, each shows its
/// share and some more; a plan stops where the next in order may be one that is not shown.
std::size_t Cycle::items_wanted(std::size_t queues) const {
  if (order_ == config::Rounds::kKueue) return 1;
  constexpr std::size_t kLeast = 16;
  const std::size_t share = limits_.batch / std::max<std::size_t>(1, queues);
  if (share >= limits_.batch / 2) return limits_.batch;
  return std::max(kLeast, 2 * share);
}

void Cycle::send_steps() {
  phase_ = Phase::kWindows;
  windows_.clear();
  awaited_ = touched_.size();
  const std::size_t most = items_wanted(touched_.size());
  asked_ = std::move(touched_);
  touched_.clear();
  // A port may not answer at once, but it may hand out the next step: the set stays as it is.
  for (const std::uint32_t q : asked_) {
    auto step = std::make_shared<QueueStep>(std::move(queues_[q].next));
    queues_[q].next = {};
    step->cycle = cycle_;
    step->now = now_;
    step->most = most;
    ++counters_.messages;
    ports_->to_queue(q, std::move(step));
  }
  if (asked_.empty()) plan();
}

void Cycle::on_window(CycleNumber cycle, Window window) {
  // A queue that was restored answers twice.
  if (cycle != cycle_ || phase_ != Phase::kWindows || windows_.count(window.queue) > 0) return;
  Track& track = queues_[window.queue];
  waiting_ += window.waiting - track.waiting;
  track.waiting = window.waiting;
  track.sleepers = window.sleepers;
  track.waits_for_placement = window.waits_for_placement;
  track.next_deadline = window.next_deadline;
  moved_ = moved_ || window.moved;
  const std::uint32_t queue = window.queue;
  windows_[queue] = std::move(window);
  if (--awaited_ == 0) plan();
  advance();
}

/// Step 2.
void Cycle::plan() {
  auto request = std::make_shared<PlanRequest>();
  request->cycle = cycle_;
  request->released = std::move(released_);
  released_.clear();
  request->updates = std::move(updates_);
  updates_.clear();
  request->definitions = std::move(new_definitions_);
  new_definitions_ = nullptr;
  request->most = limits_.batch;
  request->may_search = may_search();
  request->searches_wait = !to_search_.empty();
  const bool spent = limits_.plans > 0 && plans_ >= limits_.plans;
  if (read_only_ || plan_is_void_) {
    for (const auto& [queue, window] : windows_) {
      if (!window.items.empty()) touched_.insert(queue);
    }
  } else if (!spent && order_ == config::Rounds::kKueue && rounds_are_over()) {
    for (const auto& [queue, window] : windows_) {
      if (window.items.empty()) continue;
      blocked_heads_.insert(queue);
      queues_[queue].sleepers = true;
    }
  } else if (!spent) {
    for (auto& [queue, window] : windows_) {
      if (!window.items.empty()) request->windows.push_back(std::move(window));
    }
  }
  if (request->windows.empty() && request->released.empty() && request->updates.empty() &&
      !request->definitions && !(request->may_search && request->searches_wait)) {
    return take_plan(std::make_shared<PlanReply>());
  }
  if (!request->windows.empty()) {
    ++plans_;
    ++counters_.cycles;
    if (order_ == config::Rounds::kKueue) request->round = ++round_;
  }
  phase_ = Phase::kPlanning;
  ++counters_.messages;
  ports_->to_planner(std::move(request));
}

/// Without releases inadmissible sets only grow, so that a state can return only between moves, and
/// then the scan records are all that differs (queues.md 11.5).
bool Cycle::rounds_are_over() {
  if (over_) return true;
  if (round_ == 0) return false;
  if (moved_) {
    moved_ = false;
    idle_rounds_ = 0;
    seen_.clear();
    return false;
  }
  std::string records;
  for (const auto& [queue, window] : windows_) {
    records += std::to_string(queue) + '=' + window.unfinished;
  }
  over_ = ++idle_rounds_ >= kMostIdleRounds || !seen_.insert(records).second;
  return over_;
}

void Cycle::resume_rounds() {
  over_ = false;
  idle_rounds_ = 0;
  seen_.clear();
}

}  // namespace tessera::core
