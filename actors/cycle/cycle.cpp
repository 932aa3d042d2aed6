// SPDX-License-Identifier: Apache-2.0
#include "actors/cycle/cycle.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "actors/records/broken_invariant.h"
#include "actors/records/held_at_start.h"
#include "actors/records/planted_bug.h"

namespace tessera::core {
namespace {

/// Inputs for two plans are enough: a cycle does not wait for more.
std::size_t enough_inputs(const CycleLimits& limits) {
  return limits.batch < limits.inputs / 2 ? 2 * limits.batch : limits.inputs;
}

/// The part of a plan that still counts if the cycle before it was aborted: releases and changes.
/// Owners have given back the aborted cycle by then, so the hashes of the plan do not count.
std::shared_ptr<PlanReply> voided(const PlanReply& reply) {
  auto out = std::make_shared<PlanReply>(reply);
  out->plan.refused.clear();
  out->plan.deferred.clear();
  for (QueueOutcomes& queue : out->plan.queues) {
    for (TurnOutcome& outcome : queue.outcomes) {
      outcome.turn = Turn::kNotReached;
      outcome.grows = false;
    }
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

/// Drops the starts of gangs that are not running now: they started in an admission that is void.
void drop_void_starts(CycleRecord& record, const GangTable& gangs) {
  std::erase_if(record.changes, [&gangs](const LifeChange& change) {
    const Gang* gang = gangs.find(change.gang);
    const bool runs = gang != nullptr && gang->phase == GangPhase::kRunning;
    return change.kind == LifeChange::Kind::kStarted && !runs;
  });
}

/// What the record admitted, with the workloads that the gangs have now.
std::shared_ptr<const std::vector<Admitted>> recorded_of(const CycleRecord& record,
                                                         const GangTable& gangs) {
  auto out = std::make_shared<std::vector<Admitted>>(record.admitted);
  for (Admitted& admitted : *out) {
    const Gang* gang = gangs.find(admitted.gang);
    if (gang == nullptr) {
      throw BrokenInvariant("the record of cycle " + std::to_string(record.cycle) +
                            " admits gang " + text(admitted.gang) + ", which is unknown");
    }
    admitted.workload = gang->workload;
  }
  return out;
}

/// True if an input may give owners other cells, or replace owners.
bool changes_owners(const Input& input) {
  return std::holds_alternative<NodeUpdate>(input) || std::holds_alternative<NodeDelete>(input) ||
         std::holds_alternative<PodUpdate>(input) || std::holds_alternative<PodDelete>(input) ||
         std::holds_alternative<Redefine>(input);
}

}  // namespace

Cycle::Cycle(std::shared_ptr<const Definitions> definitions, config::Rounds order,
             const CycleLimits& limits, CyclePorts& ports)
    : definitions_(std::move(definitions)),
      order_(order),
      limits_(limits),
      ports_(&ports),
      inputs_(limits.inputs, enough_inputs(limits)),
      gangs_(limits.pods_ready),
      searches_(limits.searches, limits.step_time),
      pipeline_(ports, limits.in_flight, counters_) {
  tracks_.reset(definitions_);
  for (const HeldAtStart& held : held_at_start(definitions_->inventory)) {
    gangs_.adopt(held.admitted);
    gangs_.put_in_queue(held.admitted.gang, queue_of(*held.admitted.admission));
    offer_growth(held.admitted.gang);
  }
}

void Cycle::submit(std::vector<Input> inputs) {
  if (rerun_.is_on()) {
    rerun_.end();
    tracks_.wake_all();
  }
  inputs_.add(std::move(inputs));
  pipeline_.allow_retry();
  advance();
}

void Cycle::advance() {
  retry_append();
  while (begin()) {
  }
}

bool Cycle::may_begin() const {
  if (phase_ != Phase::kIdle || pipeline_.is_full() || pipeline_.read_only()) return false;
  if (rerun_.mode() == Rerun::Mode::kRecovery) return may_recover();
  if (rerun_.mode() == Rerun::Mode::kReplay && rerun_.next() == nullptr) return false;
  const bool search_may_begin = searches_.any_waits() && searches_.may_begin();
  if (inputs_.empty() && tracks_.touched().empty() && !search_may_begin) return false;
  // The next cycle may be planned while this one is reserved. An owner refuses only by a fault,
  // which voids the plan made meanwhile. In rounds, the end of one decides whether there is
  // another.
  const bool overlaps = order_ == config::Rounds::kSequential && !pipeline_.changes_owners();
  if (!pipeline_.is_free() && !overlaps) return false;
  if (searches_.holds_time() && (!searches_.may_begin() || inputs_.comes(waits_for_searches))) {
    return false;
  }
  if (pipeline_.on_their_way() == 0) return true;
  // New owners know nothing of reservations that may still be aborted.
  return !inputs_.comes(changes_owners) && !may_be_late();
}

/// True if the next inputs end the time for the pods of a gang whose admission may still become
/// void. Then the timeout would be void too, but no record would say so. So these inputs wait until
/// the admission is durable.
bool Cycle::may_be_late() const {
  if (!limits_.pods_ready) return false;
  std::int64_t first = INT64_MAX;
  for (const GangId id : pipeline_.admitted()) {
    const Gang* gang = gangs_.find(id);
    if (gang != nullptr && gang->live()) first = std::min(first, gang->deadline);
  }
  return inputs_.comes([first](const Input& input) {
    const auto* time = std::get_if<Advance>(&input);
    return time != nullptr && time->now >= first;
  });
}

/// Step 1. False: nothing to do, or not now.
bool Cycle::begin() {
  if (rerun_.is_on()) prepare_rerun();
  if (!may_begin()) return false;
  record_ = std::make_shared<CycleRecord>();
  record_->cycle = ++cycle_;
  take_inputs();
  record_->now = gangs_.now();
  send_steps();
  return true;
}

/// Step 2.
void Cycle::plan() {
  auto request = std::make_shared<PlanRequest>();
  request->cycle = cycle_;
  request->released = std::exchange(released_, {});
  request->updates = std::exchange(updates_, {});
  request->definitions = std::exchange(new_definitions_, nullptr);
  request->most = limits_.batch;
  request->may_search = searches_.may_begin();
  request->searches_wait = searches_.any_waits();
  choose_windows(*request);
  const CycleRecord* again = rerun_.at(cycle_);
  if (again != nullptr && rerun_.mode() == Rerun::Mode::kRecovery) {
    request->recorded = recorded_of(*again, gangs_);
  }
  if (again != nullptr) rerun_.pop();
  if (request->windows.empty() && !request->recorded && request->released.empty() &&
      request->updates.empty() && !request->definitions &&
      !(request->may_search && request->searches_wait)) {
    return take_plan(std::make_shared<PlanReply>());
  }
  if (!request->windows.empty()) {
    ++plans_;
    ++counters_.cycles;
    if (order_ == config::Rounds::kKueue) request->round = rounds_.begin_round();
  }
  phase_ = Phase::kPlanning;
  ++counters_.messages;
  ports_->to_planner(std::move(request));
}

/// Takes the windows that came, unless this cycle must not plan.
void Cycle::choose_windows(PlanRequest& request) {
  if (rerun_.mode() == Rerun::Mode::kRecovery) return;
  const CycleRecord* again = rerun_.at(cycle_);
  const bool decided_nothing = again != nullptr && again->recovers;
  const bool not_now = pipeline_.read_only() || plan_is_void_ || decided_nothing;
  const bool spent = limits_.plans > 0 && plans_ >= limits_.plans;
  if (!not_now && spent) return;
  const bool over = !not_now && order_ == config::Rounds::kKueue && rounds_.are_over(windows_);
  for (auto& [queue, window] : windows_) {
    if (window.items.empty()) continue;
    if (not_now) {
      tracks_.touch(queue);
    } else if (over) {
      rounds_.block(queue);
      tracks_.note_sleeper(queue);
    } else {
      request.windows.push_back(std::move(window));
    }
  }
}

void Cycle::on_plan(std::shared_ptr<PlanReply> reply) {
  take_plan(std::move(reply));
  advance();
}

void Cycle::take_plan(std::shared_ptr<PlanReply> reply) {
  planned_ = plan_is_void_ ? voided(*reply) : std::move(reply);
  counters_.solves += planned_->plan.solves;
  if (!planned_->plan.queues.empty()) {
    const std::size_t waiting = tracks_.waiting();
    counters_.retries_avoided += waiting - std::min<std::size_t>(waiting, planned_->plan.solves);
  }
  phase_ = Phase::kPlanned;
  reserve();
}

/// Step 3.
void Cycle::reserve() {
  if (phase_ != Phase::kPlanned || !pipeline_.is_free()) return;
  phase_ = Phase::kIdle;
  const std::shared_ptr<CycleRecord> record = std::move(record_);
  const std::shared_ptr<PlanReply> reply = std::move(planned_);
  if (std::exchange(plan_is_void_, false)) retract_from(reply->plan, 0);
  hand_over(*reply, *record);
  if (pipeline_.begin(cycle_, record, reply)) return;
  begin();  // the next plan comes first: everything else waits for it
  settle(pipeline_.to_owners());
}

/// Hands a plan on to gangs, queues and searches, as if all of it were accepted.
void Cycle::hand_over(PlanReply& reply, CycleRecord& record) {
  Plan& plan = reply.plan;
  admit(plan.admitted);
  record.planned = static_cast<std::uint32_t>(plan.admitted.size());
  tracks_.hand_over(std::move(plan.queues), plan.admitted.size());
  for (const Deferred& deferred : plan.deferred) searches_.defer(deferred);
  counters_.deferred += plan.deferred.size();
  if (reply.snapshot) {
    for (SearchRequest& request : searches_.begin(reply.snapshot)) {
      counters_.messages += 2;  // the request and its reply
      if (rerun_.is_on()) {
        searches_.end(request);  // the records have what the search found
      } else {
        ports_->search(std::move(request));
      }
    }
  }
  for (const GangId id : reply.stranded) apply(gangs_.take(Stranded{id}), record);
}

void Cycle::admit(const std::vector<Admitted>& admitted) {
  for (const Admitted& each : admitted) gangs_.admit(each);
}

void Cycle::on_moved() {
  settle(pipeline_.on_moved());
  advance();
}

void Cycle::on_owner(const OwnerReply& reply) {
  settle(pipeline_.on_owner(reply));
  advance();
}

/// Step 4, once all owners have answered.
void Cycle::settle(std::optional<Settlement> done) {
  if (!done) return;
  if (done->accepted < done->reply->plan.admitted.size()) {
    void_plan();
    CycleRecord& record = record_ ? *record_ : *done->record;
    return_to_queues(retract_from(done->reply->plan, done->accepted), record);
    drop_void_starts(record, gangs_);
  }
  record_decisions(*done);
  pipeline_.close(*done, outside_);
  reserve();
}

/// Refusals behind the accepted prefix are void: they depend on placements that do not count.
void Cycle::record_decisions(Settlement& done) {
  Plan& plan = done.reply->plan;
  if (done.accepted > 0) rounds_.note_move();
  counters_.admitted += done.accepted;
  done.record->admitted = std::move(plan.admitted);
  for (RefusedWorkload& refused : plan.refused) {
    if (done.is_void || refused.placed_before > done.accepted) continue;
    if (refused.reason != Reason::kDeferred) ++counters_.refused;
    done.record->refused.push_back(std::move(refused));
  }
}

/// Steps 5 and 6.
void Cycle::on_durable(CycleNumber cycle, const std::array<std::uint8_t, 32>& hash) {
  pipeline_.on_durable(cycle, hash);
  advance();
}

void Cycle::on_append_failed(CycleNumber cycle) {
  const std::optional<std::vector<Admitted>> admitted = pipeline_.abort(cycle, outside_);
  if (!admitted) return;
  void_plan();
  // Done even if nothing was admitted: refusals that the journal lacks are decided and recorded
  // again.
  retract(*admitted);
  return_to_queues(*admitted, pipeline_.carried());
  advance();
}

void Cycle::retry_append() {
  CycleRecord* carried = phase_ == Phase::kIdle ? pipeline_.ready_to_retry() : nullptr;
  if (carried == nullptr) return;
  drop_void_starts(*carried, gangs_);
  pipeline_.retry(++cycle_);
}

/// Marks the plan that is being made as void: it counts on room that was given back.
void Cycle::void_plan() {
  plan_is_void_ = phase_ != Phase::kIdle;
  if (phase_ == Phase::kPlanned) planned_ = voided(*planned_);
}

/// Takes the placements from `accepted` on out of the plan and off the planner's copy. Returns
/// them, the latest first.
std::vector<Admitted> Cycle::retract_from(Plan& plan, std::size_t accepted) {
  std::vector<Admitted> admitted;
  for (; plan.admitted.size() > accepted; plan.admitted.pop_back()) {
    admitted.push_back(std::move(plan.admitted.back()));
  }
  retract(admitted);
  return admitted;
}

/// Takes back the latest placement first. In rounds, the gangs have their turn in another round.
void Cycle::retract(const std::vector<Admitted>& admitted) {
  if (admitted.empty()) return;
  rounds_.note_move();
  counters_.retracted += admitted.size();
  if (planted(PlantedBug::kLostRetract)) return;
  std::vector<GangId> gangs;
  for (const Admitted& each : admitted) gangs.push_back(each.gang);
  ports_->retract(std::move(gangs));
}

/// Room is free again, so every gang that was refused since may fit. `record`: the record of what
/// became of the gangs since.
void Cycle::return_to_queues(const std::vector<Admitted>& admitted, CycleRecord& record) {
  for (const Admitted& each : admitted) apply(gangs_.void_admission(each), record);
  tracks_.wake_all();
  rounds_.resume();
}

bool Cycle::settled() const {
  if (phase_ != Phase::kIdle || pipeline_.on_their_way() > 0 || searches_.running() > 0) {
    return false;
  }
  if (pipeline_.read_only()) return !pipeline_.may_retry();
  return inputs_.empty() && tracks_.touched().empty() && !searches_.any_waits();
}

std::int64_t Cycle::next_deadline() const {
  return std::min(
      {gangs_.next_deadline(), tracks_.next_deadline(), searches_.next_due(gangs_.now())});
}

}  // namespace tessera::core
