// SPDX-License-Identifier: Apache-2.0
// QueueTracks: what the coordinator knows of each queue, and the next message to it.
//
// One owner: Cycle. Gathers everything for a queue in one QueueStep until the next cycle; a queue
// with such a step is touched. The queue's last Window decides what is worth a message: a queue
// without sleepers is not woken. Does not know which gangs wait in a queue.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "actors/planner/plan.h"
#include "actors/queues/definitions.h"
#include "actors/queues/window.h"

namespace tessera::core {

class QueueTracks {
 public:
  /// Begins with the queues of these definitions, which are empty: all waiting gangs must be
  /// submitted again.
  void reset(std::shared_ptr<const Definitions> definitions);
  std::size_t size() const { return tracks_.size(); }

  void submit(std::uint32_t queue, Waiting waiting);
  /// The gang waits no longer. If the queue knows the gang, it will hear that the gang has gone.
  void remove(std::uint32_t queue, GangId gang);
  void hand_over(std::uint32_t queue, Found found);
  /// Hands each queue the outcomes of its last window. `placed`: how many workloads were placed.
  void hand_over(std::vector<QueueOutcomes> outcomes, std::size_t placed);
  /// The queue will get all its waiting gangs again. Any other news for it is forgotten.
  void restore(std::uint32_t queue, std::vector<Waiting> waiting);

  /// A gang gave back quota of `queue` (Gang::kNoQueue: of no queue that exists) and its room.
  /// Queues hear of it by wake_for_freed().
  void note_freed(std::uint32_t queue, const Admission* admission);
  void wake_for_freed();
  /// Nodes or pods changed: anything may fit.
  void wake_sleepers();
  /// Anything that was refused may fit now.
  void wake_all();
  /// Touches the queues with a back-off that has ended.
  void wake_due(std::int64_t now);

  /// Queues that will get a message.
  const std::set<std::uint32_t>& touched() const { return touched_; }
  void touch(std::uint32_t queue) { touched_.insert(queue); }
  std::set<std::uint32_t> take_touched();
  QueueStep take_step(std::uint32_t queue);
  void note(const Window& window);
  /// The head of the queue is not tried again until something wakes it.
  void note_sleeper(std::uint32_t queue) { tracks_[queue].sleepers = true; }

  /// Gangs in all queues, by their last windows.
  std::size_t waiting() const { return waiting_; }
  /// The earliest end of a back-off in the queues.
  std::int64_t next_deadline() const;

 private:
  static constexpr std::uint32_t kNoTree = UINT32_MAX;
  struct Track {
    std::uint32_t tree = kNoTree;  // root of the queue's tree in the ledger
    bool sleepers = false, waits_for_placement = false;
    std::int64_t next_deadline = INT64_MAX;
    std::size_t waiting = 0;
    QueueStep next;

    /// Some gang of the queue may wait for a change.
    bool may_sleep() const { return sleepers || !next.outcomes.empty(); }
  };
  /// What the inputs of a cycle freed, until the queues hear of it.
  struct Freed {
    std::vector<FlavorId> flavors;          // ascending
    std::set<std::uint32_t> queues, trees;  // whose quota came free
    bool any = false;
  };

  std::shared_ptr<const Definitions> definitions_;
  std::vector<Track> tracks_;
  std::set<std::uint32_t> touched_;
  std::size_t waiting_ = 0;
  Freed freed_;
};

}  // namespace tessera::core
