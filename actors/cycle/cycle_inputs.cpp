// SPDX-License-Identifier: Apache-2.0
// How the coordinator takes inputs: what each changes at once, and whom it will be told.
#include <algorithm>

#include "actors/cycle/cycle.h"
#include "actors/records/planted_bug.h"

namespace tessera::core {

void Cycle::take_inputs(CycleRecord& record) {
  record.first_input = input_count_ + 1;
  std::size_t room = limits_.inputs;
  // What is enough for two plans does not wait for more to be taken.
  const std::size_t enough =
      limits_.batch < limits_.inputs / 2 ? 2 * limits_.batch : limits_.inputs;
  while (!inputs_.empty() && room > 0 && limits_.inputs - room < enough) {
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
  wake_for_freed();
  record.last_input = input_count_;
  counters_.inputs = input_count_;
  if (record.last_input < record.first_input) return;
  resume_rounds();
  // A round is over all heads: those that were blocked hold back others in it.
  if (touched_.empty()) return;
  touched_.insert(blocked_heads_.begin(), blocked_heads_.end());
  blocked_heads_.clear();
}

void Cycle::take(const Submit& input, CycleRecord& record) {
  const GangId id = next_id();
  record.submitted.push_back({id, input.workload});
  gangs_[id].requeues = input.workload->requeues;
  // Whoever was never told the time (`schedule`) cannot wait for one.
  const bool has_clock = now_ != INT64_MIN;
  enter({id, input.workload, has_clock ? input.workload->requeue_at : INT64_MIN}, record);
}

void Cycle::take(const Finish& input, CycleRecord& record) {
  const auto at = gangs_.find(input.gang);
  if (at == gangs_.end()) return;
  record.finished.push_back(input.gang);
  leave(input.gang, at->second);
  set_deadline(input.gang, at->second, INT64_MAX);
  gangs_.erase(at);
}

void Cycle::take(const Advance& input, CycleRecord& record) {
  const bool begins = now_ == INT64_MIN;
  now_ = std::max(now_, input.now);
  if (begins) begin_time();
  fire_deadlines(record);
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

void Cycle::take(const Redefine& input, CycleRecord& record) {
  redefine(std::make_shared<const Definitions>(input.definitions), record);
}

/// All that wait enter the queues as they are now; all that hold something keep it.
void Cycle::redefine(std::shared_ptr<const Definitions> definitions, CycleRecord& record) {
  definitions_ = std::move(definitions);
  new_definitions_ = definitions_;
  freed_ = {};  // all that wait enter anew
  reset_tracks();
  outside_.clear();
  ports_->replace_queues(definitions_);
  std::map<GangId, Gang> gangs(gangs_.begin(), gangs_.end());
  for (auto& [id, gang] : gangs) {
    if (gang.live()) {
      gangs_[id].queue = queue_of(*gang.admission);
    } else {
      enter({id, gang.workload, gang.not_before}, record);
    }
  }
}

std::uint32_t Cycle::queue_of(const Admission& admission) const {
  const auto& queues = definitions_->directory.queues();
  const auto queue = queues.find(admission.cluster_queue);
  return queue == queues.end() ? kNoQueue : definitions_->position(queue->second);
}

bool Cycle::comes(bool (*such)(const Input& input)) const {
  std::size_t room = limits_.inputs;
  for (const std::vector<Input>& instant : inputs_) {
    for (const Input& input : instant) {
      if (room-- == 0) return false;
      if (such(input)) return true;
    }
  }
  return false;
}

/// The next inputs may give owners other cells, or replace them.
bool Cycle::changes_owners() const {
  return comes([](const Input& input) {
    return std::holds_alternative<NodeUpdate>(input) || std::holds_alternative<NodeDelete>(input) ||
           std::holds_alternative<PodUpdate>(input) || std::holds_alternative<PodDelete>(input) ||
           std::holds_alternative<Redefine>(input);
  });
}

void Cycle::enter(Waiting waiting, CycleRecord& record) {
  Gang& gang = gangs_[waiting.gang];
  gang.search = 0;
  gang.found = nullptr;
  gang.workload = waiting.workload;
  gang.not_before = waiting.not_before;
  gang.queue = kNoQueue;
  const bool put_off = waiting.workload->active && waiting.not_before > now_;
  move_phase(gang.phase,
             !waiting.workload->active ? GangPhase::kSuspended
             : put_off                 ? GangPhase::kEvicted
                                       : GangPhase::kPending,
             *waiting.workload);
  set_deadline(waiting.gang, gang, put_off ? waiting.not_before : INT64_MAX);
  const Directory::Entry entry = definitions_->directory.enter(*waiting.workload);
  // In rounds a namespace that does not match is found only when the workload is the head.
  const bool in_rounds = order_ == config::Rounds::kKueue;
  if (entry.stands || (in_rounds && entry.reason == Reason::kNamespace)) {
    gang.queue = definitions_->position(*entry.queue);
    touched_.insert(gang.queue);
    queues_[gang.queue].next.submitted.push_back(std::move(waiting));
    return;
  }
  outside_[waiting.gang] = entry;
  RefusedWorkload refused;
  refused.gang = waiting.gang;
  refused.workload = std::move(waiting.workload);
  if (entry.queue) refused.cluster_queue = entry.queue->name;
  refused.reason = entry.reason;
  refused.detail = entry.detail;
  record.refused.push_back(std::move(refused));
}

/// It holds nothing and waits for nothing any more.
void Cycle::leave(GangId id, Gang& gang) {
  outside_.erase(id);
  if (gang.live()) {
    if (!planted(PlantedBug::kSkippedRelease)) released_.push_back(id);
    note_freed(gang);
    return;
  }
  drop_search(id, gang);
  if (gang.queue == kNoQueue) return;
  Track& track = queues_[gang.queue];
  touched_.insert(gang.queue);
  std::vector<Waiting>& submitted = track.next.submitted;
  const auto same = std::find_if(submitted.begin(), submitted.end(),
                                 [&](const Waiting& each) { return each.gang == id; });
  if (same != submitted.end()) {
    submitted.erase(same);
  } else {
    track.next.removed.push_back(id);
  }
}

/// The end of a live gang makes room in its flavors and in the quota of its tree.
void Cycle::note_freed(const Gang& gang) {
  freed_.any = true;
  if (gang.queue != kNoQueue) {
    freed_.queues.insert(gang.queue);
    freed_.trees.insert(queues_[gang.queue].tree);
  }
  if (gang.admission) definitions_->add_room(*gang.admission, freed_.flavors);
}

void Cycle::wake_for_freed() {
  if (!freed_.any) return;
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    Track& track = queues_[q];
    if (!track.sleepers && track.next.outcomes.empty()) continue;
    touched_.insert(q);
    Wake& wake = track.next.wake;
    wake.quota = wake.quota || freed_.queues.count(q) > 0 ||
                 (track.tree != kNoTree && freed_.trees.count(track.tree) > 0);
    wake.add_room(freed_.flavors);
  }
  freed_ = {};
}

}  // namespace tessera::core
