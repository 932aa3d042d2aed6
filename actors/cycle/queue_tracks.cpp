// SPDX-License-Identifier: Apache-2.0
#include "actors/cycle/queue_tracks.h"

#include <algorithm>
#include <utility>

#include "actors/gangs/gang_table.h"

namespace tessera::core {

void QueueTracks::reset(std::shared_ptr<const Definitions> definitions) {
  definitions_ = std::move(definitions);
  tracks_.clear();
  tracks_.resize(definitions_->queues.size());
  touched_.clear();
  waiting_ = 0;
  freed_ = {};  // all waiting gangs are submitted again
  for (std::size_t q = 0; q < tracks_.size(); ++q) {
    const std::optional<QuotaNode>& quota = definitions_->queues[q]->quota;
    if (quota) tracks_[q].tree = static_cast<std::uint32_t>(definitions_->ledger.root(*quota));
  }
}

void QueueTracks::submit(std::uint32_t queue, Waiting waiting) {
  touched_.insert(queue);
  tracks_[queue].next.submitted.push_back(std::move(waiting));
}

void QueueTracks::remove(std::uint32_t queue, GangId gang) {
  touched_.insert(queue);
  QueueStep& next = tracks_[queue].next;
  const auto same = std::find_if(next.submitted.begin(), next.submitted.end(),
                                 [gang](const Waiting& each) { return each.gang == gang; });
  if (same != next.submitted.end()) {
    next.submitted.erase(same);
  } else {
    next.removed.push_back(gang);
  }
}

void QueueTracks::hand_over(std::uint32_t queue, Found found) {
  tracks_[queue].next.found.push_back(std::move(found));
  touched_.insert(queue);
}

void QueueTracks::hand_over(std::vector<QueueOutcomes> outcomes, std::size_t placed) {
  for (QueueOutcomes& queue : outcomes) {
    QueueStep& next = tracks_[queue.queue].next;
    next.outcomes = std::move(queue.outcomes);
    for (TurnOutcome& outcome : next.outcomes) {
      outcome.stale = outcome.hope.placements && outcome.placed_before < placed;
    }
    touched_.insert(queue.queue);
  }
  if (placed == 0) return;
  for (std::uint32_t q = 0; q < tracks_.size(); ++q) {
    if (!tracks_[q].waits_for_placement) continue;
    tracks_[q].next.placed = true;
    touched_.insert(q);
  }
}

void QueueTracks::restore(std::uint32_t queue, std::vector<Waiting> waiting) {
  tracks_[queue].next = {};
  tracks_[queue].next.submitted = std::move(waiting);
}

/// The end of a gang makes room in its flavors, and in the quota of its tree.
void QueueTracks::note_freed(std::uint32_t queue, const Admission* admission) {
  freed_.any = true;
  if (queue != Gang::kNoQueue) {
    freed_.queues.insert(queue);
    freed_.trees.insert(tracks_[queue].tree);
  }
  if (admission != nullptr) definitions_->add_room(*admission, freed_.flavors);
}

void QueueTracks::wake_for_freed() {
  if (!freed_.any) return;
  for (std::uint32_t q = 0; q < tracks_.size(); ++q) {
    Track& track = tracks_[q];
    if (!track.may_sleep()) continue;
    touched_.insert(q);
    Wake& wake = track.next.wake;
    wake.quota = wake.quota || freed_.queues.count(q) > 0 ||
                 (track.tree != kNoTree && freed_.trees.count(track.tree) > 0);
    wake.add_room(freed_.flavors);
  }
  freed_ = {};
}

void QueueTracks::wake_sleepers() {
  for (std::uint32_t q = 0; q < tracks_.size(); ++q) {
    if (!tracks_[q].may_sleep()) continue;
    tracks_[q].next.wake.all = true;
    touched_.insert(q);
  }
}

void QueueTracks::wake_all() {
  for (std::uint32_t q = 0; q < tracks_.size(); ++q) {
    tracks_[q].next.wake.all = tracks_[q].next.wake.quota = true;
    touched_.insert(q);
  }
}

void QueueTracks::wake_due(std::int64_t now) {
  for (std::uint32_t q = 0; q < tracks_.size(); ++q) {
    if (tracks_[q].next_deadline <= now) touched_.insert(q);
  }
}

std::set<std::uint32_t> QueueTracks::take_touched() { return std::exchange(touched_, {}); }

QueueStep QueueTracks::take_step(std::uint32_t queue) {
  return std::exchange(tracks_[queue].next, {});
}

void QueueTracks::note(const Window& window) {
  Track& track = tracks_[window.queue];
  waiting_ += window.waiting - track.waiting;
  track.waiting = window.waiting;
  track.sleepers = window.sleepers;
  track.waits_for_placement = window.waits_for_placement;
  track.next_deadline = window.next_deadline;
}

std::int64_t QueueTracks::next_deadline() const {
  std::int64_t next = INT64_MAX;
  for (const Track& track : tracks_) next = std::min(next, track.next_deadline);
  return next;
}

}  // namespace tessera::core
