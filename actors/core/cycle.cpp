// SPDX-License-Identifier: Apache-2.0
#include "actors/core/cycle.h"

#include <algorithm>

#include "actors/core/planted_bug.h"

namespace tessera::core {
namespace {

constexpr int kMostIdleRounds = 30;  // queues.md 11.5

}  // namespace

Cycle::Cycle(std::shared_ptr<const Definitions> definitions, config::Rounds order,
             const CycleLimits& limits, CyclePorts& ports)
    : definitions_(std::move(definitions)), order_(order), limits_(limits), ports_(&ports) {
  reset_tracks();
  const std::vector<Workload>& workloads = definitions_->inventory->workloads;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    if (workloads[i].finished || !workloads[i].admission) continue;
    Gang& gang = gangs_[i];
    gang.live = true;
    gang.workload = {std::shared_ptr<void>(), &workloads[i]};
    gang.admission = {std::shared_ptr<void>(), &*workloads[i].admission};
    const auto queue = definitions_->directory.queues().find(workloads[i].admission->cluster_queue);
    if (queue != definitions_->directory.queues().end()) {
      gang.queue = definitions_->position(queue->second);
    }
  }
}

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
  if (phase_ != Phase::kIdle || flights_.size() >= limits_.in_flight) return false;
  if (read_only_ || (inputs_.empty() && touched_.empty())) return false;
  // New owners know nothing of reservations that may still be aborted.
  if (changes_owners() && !flights_.empty()) return false;
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
  const bool spent = limits_.plans > 0 && plans_ >= limits_.plans;
  if (read_only_) {
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
      !request->definitions) {
    return close_cycle();
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

void Cycle::on_plan(std::shared_ptr<PlanReply> reply) {
  planned_ = plan_is_void_ ? voided(*reply) : std::move(reply);
  counters_.solves += planned_->plan.solves;
  if (!planned_->plan.queues.empty()) {
    counters_.retries_avoided += waiting_ - std::min<std::size_t>(waiting_, planned_->plan.solves);
  }
  accepted_ = UINT32_MAX;
  owners_ = {};
  if (planned_->owners) ports_->replace_owners(planned_->owners);
  awaited_ = planned_->moves.size();
  if (awaited_ > 0) {
    phase_ = Phase::kMoving;
    for (const NodeMove& move : planned_->moves) ports_->move_node(move);
    return;
  }
  to_owners();
}

void Cycle::on_moved() {
  if (--awaited_ == 0) to_owners();
}

/// Step 3.
void Cycle::to_owners() {
  for (const auto& [shard, step] : planned_->shards) owners_.shards.push_back(shard);
  for (const auto& [root, step] : planned_->roots) owners_.roots.push_back(root);
  awaited_ = owners_.shards.size() + owners_.roots.size();
  if (awaited_ == 0) {
    settle();
    return advance();
  }
  phase_ = Phase::kReserving;
  counters_.messages += awaited_;
  // A port may answer at once: the reply is kept alive here.
  const std::shared_ptr<const PlanReply> plan = planned_;
  for (const auto& [shard, step] : plan->shards) ports_->to_shard(shard, step);
  for (const auto& [root, step] : plan->roots) ports_->to_root(root, step);
}

void Cycle::on_owner(const OwnerReply& reply) {
  accepted_ = std::min(accepted_, reply.accepted);
  if (--awaited_ == 0) settle();
  advance();
}

/// Step 4.
void Cycle::settle() {
  const auto placed = static_cast<std::uint32_t>(planned_->plan.admitted.size());
  const std::uint32_t accepted = plan_is_void_ ? 0 : std::min(accepted_, placed);
  plan_is_void_ = false;
  if (accepted < placed) {
    ports_->settle(owners_, cycle_, accepted);
    std::vector<std::size_t> numbers;
    for (std::uint32_t i = placed; i > accepted; --i) {
      numbers.push_back(planned_->plan.admitted[i - 1].number);
    }
    counters_.retracted += numbers.size();
    moved_ = true;  // what was cut off has its turn in another round
    if (!planted(PlantedBug::kLostRetract)) ports_->retract(std::move(numbers));
  }
  hand_over_outcomes(accepted);
  keep_prefix(accepted);
  planned_ = nullptr;
  close_cycle();
}

void Cycle::keep_prefix(std::uint32_t accepted) {
  Plan& plan = planned_->plan;
  moved_ = moved_ || accepted > 0;
  counters_.admitted += accepted;
  for (std::uint32_t i = 0; i < accepted; ++i) {
    Gang& gang = gangs_.at(plan.admitted[i].number);
    gang.live = true;
    gang.admission = plan.admitted[i].admission;
    record_->admitted.push_back(std::move(plan.admitted[i]));
  }
  for (RefusedWorkload& refused : plan.refused) {
    if (refused.placed_before > accepted) continue;
    ++counters_.refused;
    record_->refused.push_back(std::move(refused));
  }
  if (accepted == 0) return;
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    if (!queues_[q].waits_for_placement) continue;
    queues_[q].next.placed = true;
    touched_.insert(q);
  }
}

void Cycle::hand_over_outcomes(std::uint32_t accepted) {
  std::set<std::size_t> cut_off;
  for (std::size_t i = accepted; i < planned_->plan.admitted.size(); ++i) {
    cut_off.insert(planned_->plan.admitted[i].number);
  }
  for (QueueOutcomes& queue : planned_->plan.queues) {
    QueueStep& next = queues_[queue.queue].next;
    next.outcomes = std::move(queue.outcomes);
    for (TurnOutcome& outcome : next.outcomes) {
      const bool is_void = outcome.turn == Turn::kAdmitted ? cut_off.count(outcome.number) > 0
                                                           : outcome.placed_before > accepted;
      if (is_void) outcome.turn = Turn::kNotReached;
      outcome.stale = outcome.hope.placements && outcome.placed_before < accepted;
    }
    touched_.insert(queue.queue);
  }
}

/// Step 5.
void Cycle::close_cycle() {
  phase_ = Phase::kIdle;
  const bool empty = record_->last_input < record_->first_input && record_->admitted.empty() &&
                     record_->refused.empty();
  if (!empty && read_only_) {
    carry(*record_);
  } else if (!empty) {
    append({record_, owners_, false});
  }
  record_ = nullptr;
  owners_ = {};
}

void Cycle::append(Flight flight) {
  ++counters_.messages;
  flights_.push_back(std::move(flight));
  ports_->append(flights_.back().record);
  if (planted(PlantedBug::kCommitBeforeDurable)) {
    flights_.back().durable = true;
    publish();
  }
}

void Cycle::on_durable(CycleNumber cycle, const std::array<std::uint8_t, 32>& hash) {
  for (Flight& flight : flights_) {
    if (flight.record->cycle != cycle) continue;
    flight.durable = true;
    flight.record->hash = hash;
    if (flight.record->recovers) read_only_ = false;
  }
  publish();
  advance();
}

/// Step 6.
void Cycle::publish() {
  while (!flights_.empty() && flights_.front().durable) {
    const Flight& flight = flights_.front();
    counters_.messages += flight.owners.shards.size() + flight.owners.roots.size();
    ports_->commit(flight.owners, flight.record->cycle);
    ports_->publish(flight.record);
    flights_.pop_front();
  }
}

bool Cycle::settled() const {
  if (phase_ != Phase::kIdle || !flights_.empty()) return false;
  return read_only_ ? !may_retry_ : inputs_.empty() && touched_.empty();
}

std::int64_t Cycle::next_deadline() const {
  std::int64_t next = INT64_MAX;
  for (const Track& track : queues_) next = std::min(next, track.next_deadline);
  return next;
}

}  // namespace tessera::core
