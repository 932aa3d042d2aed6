// SPDX-License-Identifier: Apache-2.0
// Step 1: what each input changes at once, what follows for gangs and queues, and the messages to
// the queues.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "actors/cycle/cycle.h"
#include "actors/records/broken_invariant.h"
#include "actors/records/planted_bug.h"

namespace tessera::core {

void Cycle::take_inputs() {
  if (searches_.any_held() && inputs_.comes(waits_for_searches)) {
    inputs_.add_first(searches_.take_held());
  }
  record_->first_input = inputs_.taken() + 1;
  record_->inputs = inputs_.take();
  counters_.inputs = inputs_.taken();
  for (Input& input : record_->inputs) take(input);
  tracks_.wake_for_freed();
  if (record_->inputs.empty()) return;
  rounds_.resume();
  // A round takes the heads of all queues. Blocked heads take part too, since they may hold back
  // others.
  if (tracks_.touched().empty()) return;
  for (const std::uint32_t queue : rounds_.take_blocked()) tracks_.touch(queue);
}

/// Takes one input, whole. The state afterwards depends on nothing else.
void Cycle::take(Input& input) {
  std::visit(
      [&](auto& each) {
        using Kind = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<Kind, Submit>) {
          const LifeStep step = gangs_.submit(each.workload);
          if (each.gang != kNoGang && each.gang != step.gang) {
            throw BrokenInvariant("a record submits gang " + text(each.gang) +
                                  ", but this engine gives it id " + text(step.gang));
          }
          each.gang = step.gang;
          apply(step, *record_);
        } else if constexpr (std::is_constructible_v<LifeInput, Kind>) {
          apply(gangs_.take(each), *record_);
        } else if constexpr (std::is_same_v<Kind, Advance>) {
          take_time(each);
        } else if constexpr (std::is_same_v<Kind, Redefine>) {
          redefine(each);
        } else if constexpr (std::is_same_v<Kind, SearchEnded>) {
          take_result(each);
        } else {
          updates_.emplace_back(each);  // of a node or pod: the planner follows it
          tracks_.wake_sleepers();
        }
      },
      input);
}

void Cycle::take_time(const Advance& input) {
  gangs_.advance(input.now);
  while (const std::optional<GangId> id = gangs_.pop_due()) {
    if (std::optional<Found> found = searches_.take_found(*id)) {
      tracks_.hand_over(gangs_.find(*id)->queue, std::move(*found));
    } else {
      apply(gangs_.fall_due(*id), *record_);
    }
  }
  tracks_.wake_due(gangs_.now());
}

/// All waiting gangs enter the new queues. All gangs that hold something keep it.
void Cycle::redefine(const Redefine& input) {
  definitions_ = std::make_shared<const Definitions>(input.definitions);
  new_definitions_ = definitions_;
  tracks_.reset(definitions_);
  rounds_.take_blocked();
  outside_.clear();
  ports_->replace_queues(definitions_);
  for (const GangId id : gangs_.ids()) {
    const Gang& gang = *gangs_.find(id);
    if (gang.live()) {
      gangs_.put_in_queue(id, queue_of(*gang.admission));
      offer_growth(id);
    } else {
      apply(gangs_.enter_again(id), *record_);
    }
  }
}

std::uint32_t Cycle::queue_of(const Admission& admission) const {
  const auto& queues = definitions_->directory.queues();
  const auto queue = queues.find(admission.cluster_queue);
  return queue == queues.end() ? Gang::kNoQueue : definitions_->position(queue->second);
}

/// Tells the record, the planner and the queues what a step of a gang's life means for them.
void Cycle::apply(const LifeStep& step, CycleRecord& record) {
  record.changes.insert(record.changes.end(), step.changes.begin(), step.changes.end());
  if (step.evicted) record.evicted.push_back(step.gang);
  if (step.stopped_growing && step.queue != Gang::kNoQueue) tracks_.remove(step.queue, step.gang);
  if (step.left != LifeStep::Left::kNothing) leave(step);
  switch (step.next) {
    case LifeStep::Next::kStays:
      return;
    case LifeStep::Next::kWaits:
      return enter(step.gang, record);
    case LifeStep::Next::kGrows:
      return offer_growth(step.gang);
    case LifeStep::Next::kStandsAside:
      outside_[step.gang] = {nullptr, false, Reason::kInactive, {}};
      return;
    case LifeStep::Next::kEnds:
      record.finished.push_back(step.gang);
  }
}

void Cycle::leave(const LifeStep& step) {
  outside_.erase(step.gang);
  if (step.left == LifeStep::Left::kHoldings) {
    if (!planted(PlantedBug::kSkippedRelease)) released_.push_back(step.gang);
    return tracks_.note_freed(step.queue, step.admission.get());
  }
  searches_.drop(step.gang);
  if (step.queue != Gang::kNoQueue) tracks_.remove(step.queue, step.gang);
}

/// The gang enters the queue that takes it now, or stays outside, and the record says why.
void Cycle::enter(GangId id, CycleRecord& record) {
  searches_.drop(id);
  const Gang& gang = *gangs_.find(id);
  Directory::Entry entry = definitions_->directory.enter(*gang.workload);
  if (!gang.active && entry.reason != Reason::kInvalid) {
    entry = {nullptr, false, Reason::kInactive, {}};
  }
  // The gang table ends a back-off whose end is known. Without a clock, or without that time, only
  // a new version of the workload ends it (queues.md 3).
  const WorkloadStatus& status = gang.workload->status;
  const bool end_unknown = gangs_.now() == INT64_MIN || status.requeue_at == INT64_MIN;
  if (entry.stands && status.backs_off && end_unknown) {
    entry = {entry.queue, false, Reason::kBackoff, "condition Requeued is False"};
  }
  // In rounds a namespace that does not match is found only when the workload is the head.
  const bool in_rounds = order_ == config::Rounds::kKueue;
  if (entry.stands || (in_rounds && entry.reason == Reason::kNamespace)) {
    const std::uint32_t queue = definitions_->position(*entry.queue);
    gangs_.put_in_queue(id, queue);
    return tracks_.submit(queue, {id, gang.workload, gang.not_before, gang.evicted_at});
  }
  outside_[id] = entry;
  RefusedWorkload refused;
  refused.gang = id;
  refused.workload = gang.workload;
  if (entry.queue) refused.cluster_queue = entry.queue->name;
  refused.reason = entry.reason;
  refused.detail = entry.detail;
  record.refused.push_back(std::move(refused));
}

/// The queue whose quota the gang holds offers it again. In rounds, gangs do not grow.
void Cycle::offer_growth(GangId id) {
  const Gang& gang = *gangs_.find(id);
  if (!gang.grows || gang.queue == Gang::kNoQueue || order_ == config::Rounds::kKueue) return;
  tracks_.submit(gang.queue, {id, gang.workload, INT64_MIN, gang.evicted_at, true});
}

/// If time is virtual, it has stood still since the search began.
void Cycle::take_result(const SearchEnded& input) {
  if (!searches_.is_awaited(input.gang, input.ticket)) return;
  searches_.keep(input.gang, input.result);
  if (const auto due = searches_.due(*input.result, gangs_.now())) {
    gangs_.set_deadline(input.gang, *due);
  } else {
    tracks_.hand_over(gangs_.find(input.gang)->queue, *searches_.take_found(input.gang));
  }
}

/// Every result reaches the gangs as an input. In virtual time the results wait for the next input
/// that moves time or nodes, and enter before it by ticket: the order and the cycle in which they
/// enter do not depend on how long a search really takes.
void Cycle::on_found(const SearchRequest& request, std::shared_ptr<const SearchResult> result) {
  if (searches_.end(request)) {
    SearchEnded ended{request.gang, request.ticket, std::move(result)};
    if (searches_.due(*ended.result, gangs_.now())) {
      searches_.hold(std::move(ended));
    } else {
      inputs_.add({std::move(ended)});
    }
  }
  advance();
}

/// How many items each queue shows. A plan takes `batch` workloads from all windows together. If
/// there are many queues, each shows its share and some more. A plan stops where the next workload
/// in order may be one that is not shown.
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
  asked_ = tracks_.take_touched();
  // While a port runs, the set must not change: a port may call back with the next step.
  const std::size_t most = items_wanted(asked_.size());
  for (const std::uint32_t queue : asked_) send_step(queue, most);
  if (asked_.empty()) plan();
}

void Cycle::send_step(std::uint32_t queue, std::size_t most) {
  auto step = std::make_shared<QueueStep>(tracks_.take_step(queue));
  step->cycle = cycle_;
  step->now = gangs_.now();
  step->most = most;
  ++counters_.messages;
  ports_->to_queue(queue, std::move(step));
}

void Cycle::on_window(CycleNumber cycle, Window window) {
  // A queue that was restored answers twice.
  if (cycle != cycle_ || phase_ != Phase::kWindows || windows_.count(window.queue) > 0) return;
  tracks_.note(window);
  if (window.moved) rounds_.note_move();
  const std::uint32_t queue = window.queue;
  windows_[queue] = std::move(window);
  if (windows_.size() == asked_.size()) plan();
  advance();
}

void Cycle::on_queue_lost(std::uint32_t queue) {
  std::vector<Waiting> waiting;
  for (const GangId id : gangs_.ids()) {
    const Gang& gang = *gangs_.find(id);
    if (gang.queue != queue) continue;
    if (gang.live()) {
      const bool offered = gang.grows && order_ == config::Rounds::kSequential;
      if (offered) waiting.push_back({id, gang.workload, INT64_MIN, gang.evicted_at, true});
      continue;
    }
    if (searches_.drop(id)) gangs_.set_deadline(id, INT64_MAX);
    waiting.push_back({id, gang.workload, gang.not_before, gang.evicted_at});
  }
  tracks_.restore(queue, std::move(waiting));
  if (phase_ == Phase::kWindows && asked_.count(queue) > 0 && windows_.count(queue) == 0) {
    return send_step(queue, items_wanted(asked_.size()));
  }
  tracks_.touch(queue);
  advance();
}

}  // namespace tessera::core
