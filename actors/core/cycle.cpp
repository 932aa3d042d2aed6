// SPDX-License-Identifier: Apache-2.0
#include "actors/core/cycle.h"

#include <algorithm>
#include <iterator>

namespace tessera::core {
namespace {

constexpr int kMostIdleRounds = 30;  // queues.md 11.5

void merge(std::vector<FlavorId>& into, const std::vector<FlavorId>& from) {
  std::vector<FlavorId> all;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(all));
  into = std::move(all);
}

}  // namespace

Cycle::Cycle(std::shared_ptr<const Definitions> definitions, config::Rounds order,
             const CycleLimits& limits, CyclePorts& ports)
    : definitions_(std::move(definitions)), order_(order), limits_(limits), ports_(&ports) {
  queues_.resize(definitions_->queues.size());
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    const std::optional<QuotaNode>& quota = definitions_->queues[q]->quota;
    if (quota) queues_[q].tree = static_cast<std::uint32_t>(definitions_->ledger.root(*quota));
  }
  const std::vector<Workload>& workloads = definitions_->inventory->workloads;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    if (workloads[i].finished || !workloads[i].admission) continue;
    Gang& gang = gangs_[i];
    gang.live = true;
    gang.workload = {std::shared_ptr<void>(), &workloads[i]};
    gang.room = definitions_->room_of(*workloads[i].admission);
    const auto queue = definitions_->directory.queues().find(workloads[i].admission->cluster_queue);
    if (queue != definitions_->directory.queues().end()) {
      gang.queue = definitions_->position(queue->second);
    }
  }
}

void Cycle::submit(std::vector<Input> inputs) {
  if (!inputs.empty()) inputs_.push_back(std::move(inputs));
  advance();
}

void Cycle::advance() {
  while (begin()) {
  }
}

/// Step 1. False: nothing to do, or not now.
bool Cycle::begin() {
  if (phase_ != Phase::kIdle || flights_.size() >= limits_.in_flight) return false;
  if (read_only_ || (inputs_.empty() && touched_.empty())) return false;
  ++cycle_;
  record_ = std::make_shared<CycleRecord>();
  record_->cycle = cycle_;
  take_inputs(*record_);
  record_->now = now_;
  send_steps();
  return true;
}

void Cycle::take_inputs(CycleRecord& record) {
  record.first_input = input_count_ + 1;
  std::size_t room = limits_.inputs;
  while (!inputs_.empty() && room > 0) {
    std::vector<Input>& instant = inputs_.front();
    // An instant is cut only where it is larger than a cycle.
    if (instant.size() > room && room < limits_.inputs) break;
    const std::size_t count = std::min(instant.size(), room);
    for (std::size_t i = 0; i < count; ++i) {
      ++input_count_;
      std::visit([&](const auto& input) { take(input, record); }, instant[i]);
    }
    room -= count;
    if (count == instant.size()) {
      inputs_.pop_front();
    } else {
      instant.erase(instant.begin(), instant.begin() + static_cast<std::ptrdiff_t>(count));
    }
  }
  record.last_input = input_count_;
  counters_.inputs = input_count_;
  if (record.last_input >= record.first_input) {
    over_ = false;
    idle_rounds_ = 0;
    seen_.clear();
  }
}

void Cycle::take(const Submit& input, CycleRecord& record) {
  if (gangs_.count(input.number) == 0) enter({input.number, input.workload, INT64_MIN}, record);
}

void Cycle::take(const Finish& input, CycleRecord& record) {
  const auto at = gangs_.find(input.number);
  if (at == gangs_.end()) return;
  record.finished.push_back(input.number);
  leave(input.number, at->second);
  gangs_.erase(at);
}

void Cycle::take(const Evict& input, CycleRecord& record) {
  const auto at = gangs_.find(input.number);
  if (at == gangs_.end()) return;
  record.evicted.push_back(input.number);
  leave(input.number, at->second);
  const std::shared_ptr<const Workload> workload = at->second.workload;
  gangs_.erase(at);
  enter({input.number, workload, input.requeue_at}, record);
}

void Cycle::take(const Advance& input, CycleRecord&) {
  now_ = std::max(now_, input.now);
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    if (queues_[q].next_deadline <= now_) touched_.insert(q);
  }
}

/// Nodes, pods: the planner follows them, and anything may fit now.
template <class Update>
void Cycle::take_update(const Update& input) {
  updates_.emplace_back(input);
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    if (!queues_[q].sleepers && queues_[q].next.outcomes.empty()) continue;
    queues_[q].next.wake.all = true;
    touched_.insert(q);
  }
}
void Cycle::take(const NodeUpdate& input, CycleRecord&) { take_update(input); }
void Cycle::take(const NodeDelete& input, CycleRecord&) { take_update(input); }
void Cycle::take(const PodUpdate& input, CycleRecord&) { take_update(input); }
void Cycle::take(const PodDelete& input, CycleRecord&) { take_update(input); }
void Cycle::take(const Redefine& input, CycleRecord&) { take_update(input); }

void Cycle::enter(Waiting waiting, CycleRecord& record) {
  Gang& gang = gangs_[waiting.number];
  gang.workload = waiting.workload;
  const Directory::Entry entry = definitions_->directory.enter(*waiting.workload);
  // In rounds a namespace that does not match is found only when the workload is the head.
  const bool in_rounds = order_ == config::Rounds::kKueue;
  if (entry.stands || (in_rounds && entry.reason == Reason::kNamespace)) {
    gang.queue = definitions_->position(*entry.queue);
    touched_.insert(gang.queue);
    queues_[gang.queue].next.submitted.push_back(std::move(waiting));
    return;
  }
  outside_[waiting.number] = entry;
  RefusedWorkload refused;
  refused.number = waiting.number;
  refused.workload = std::move(waiting.workload);
  if (entry.queue) refused.cluster_queue = entry.queue->name;
  refused.reason = entry.reason;
  refused.detail = entry.detail;
  record.refused.push_back(std::move(refused));
}

/// It holds nothing and waits for nothing any more.
void Cycle::leave(std::size_t number, Gang& gang) {
  outside_.erase(number);
  if (gang.live) {
    released_.push_back(number);
    wake(gang);
    return;
  }
  if (gang.queue == kNoQueue) return;
  Track& track = queues_[gang.queue];
  touched_.insert(gang.queue);
  std::vector<Waiting>& submitted = track.next.submitted;
  const auto same = std::find_if(submitted.begin(), submitted.end(),
                                 [&](const Waiting& each) { return each.number == number; });
  if (same != submitted.end()) {
    submitted.erase(same);
  } else {
    track.next.removed.push_back(number);
  }
}

/// The end of a live gang makes room in its flavors and in the quota of its tree.
void Cycle::wake(const Gang& gang) {
  const std::uint32_t tree = gang.queue == kNoQueue ? kNoTree : queues_[gang.queue].tree;
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    Track& track = queues_[q];
    if (!track.sleepers && track.next.outcomes.empty()) continue;
    touched_.insert(q);
    Wake& wake = track.next.wake;
    wake.quota = wake.quota || q == gang.queue || (tree != kNoTree && track.tree == tree);
    merge(wake.flavors, gang.room);
  }
}

void Cycle::send_steps() {
  phase_ = Phase::kWindows;
  windows_.clear();
  awaited_ = touched_.size();
  const std::size_t most = order_ == config::Rounds::kKueue ? 1 : limits_.batch;
  const std::set<std::uint32_t> touched = std::move(touched_);
  touched_.clear();
  for (const std::uint32_t q : touched) {
    auto step = std::make_shared<QueueStep>(std::move(queues_[q].next));
    queues_[q].next = {};
    step->cycle = cycle_;
    step->now = now_;
    step->most = most;
    ++counters_.messages;
    ports_->to_queue(q, std::move(step));
  }
  if (touched.empty()) plan();
}

void Cycle::on_window(Window window) {
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
  request->most = limits_.batch;
  const bool spent = limits_.plans > 0 && plans_ >= limits_.plans;
  if (!spent && !(order_ == config::Rounds::kKueue && rounds_are_over())) {
    for (auto& [queue, window] : windows_) {
      if (!window.items.empty()) request->windows.push_back(std::move(window));
    }
  }
  if (request->windows.empty() && request->released.empty() && request->updates.empty()) {
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

void Cycle::on_plan(std::shared_ptr<const PlanReply> reply) {
  planned_ = std::move(reply);
  counters_.solves += planned_->plan.solves;
  if (!planned_->plan.queues.empty()) {
    counters_.retries_avoided += waiting_ - std::min<std::size_t>(waiting_, planned_->plan.solves);
  }
  accepted_ = UINT32_MAX;
  owners_ = {};
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
  const std::uint32_t accepted = std::min(accepted_, placed);
  if (accepted < placed) {
    ports_->settle(owners_, cycle_, accepted);
    std::vector<std::size_t> numbers;
    for (std::uint32_t i = placed; i > accepted; --i) {
      numbers.push_back(planned_->plan.admitted[i - 1].number);
    }
    counters_.retracted += numbers.size();
    ports_->retract(std::move(numbers));
  }
  keep_prefix(accepted);
  hand_over_outcomes(accepted);
  planned_ = nullptr;
  close_cycle();
}

void Cycle::keep_prefix(std::uint32_t accepted) {
  const Plan& plan = planned_->plan;
  moved_ = moved_ || accepted > 0;
  counters_.admitted += accepted;
  for (std::uint32_t i = 0; i < accepted; ++i) {
    Gang& gang = gangs_.at(plan.admitted[i].number);
    gang.live = true;
    gang.room = definitions_->room_of(plan.admitted[i].admission);
    record_->admitted.push_back(plan.admitted[i]);
  }
  for (const RefusedWorkload& refused : plan.refused) {
    if (refused.placed_before > accepted) continue;
    ++counters_.refused;
    record_->refused.push_back(refused);
  }
  if (accepted == 0) return;
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    if (!queues_[q].waits_for_placement) continue;
    queues_[q].next.placed = true;
    touched_.insert(q);
  }
}

void Cycle::hand_over_outcomes(std::uint32_t accepted) {
  std::uint32_t item = 0;
  std::map<std::size_t, std::uint32_t> items;  // number -> item, of those that are void
  for (const Admitted& admitted : planned_->plan.admitted) {
    if (item >= accepted) items.emplace(admitted.number, item);
    ++item;
  }
  for (const QueueOutcomes& queue : planned_->plan.queues) {
    QueueStep& next = queues_[queue.queue].next;
    next.outcomes = queue.outcomes;
    for (TurnOutcome& outcome : next.outcomes) {
      const bool is_void = outcome.turn == Turn::kAdmitted ? items.count(outcome.number) > 0
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
  if (!empty) {
    flights_.push_back({record_, owners_, false});
    ++counters_.messages;
    ports_->append(record_);
  }
  record_ = nullptr;
  owners_ = {};
}

void Cycle::on_durable(CycleNumber cycle, const std::array<std::uint8_t, 32>& hash) {
  for (Flight& flight : flights_) {
    if (flight.record->cycle != cycle) continue;
    flight.durable = true;
    flight.record->hash = hash;
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
  return phase_ == Phase::kIdle && inputs_.empty() && touched_.empty() && flights_.empty();
}

std::int64_t Cycle::next_deadline() const {
  std::int64_t next = INT64_MAX;
  for (const Track& track : queues_) next = std::min(next, track.next_deadline);
  return next;
}

}  // namespace tessera::core
