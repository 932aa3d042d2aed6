// SPDX-License-Identifier: Apache-2.0
// GangTable: every gang of the engine, and where it is in its life: the one truth about phases.
//
// One owner: Cycle, which passes on each numbered input and each admission. Phases move only here,
// along the table of gang_phase.h. Deadlines (the end of a back-off, the last moment for pods to be
// ready, the end of a search in virtual time) are one ordered set of (time, gang). The table
// returns what an input means for queues, owners and the record as a value, LifeStep; it sends no
// messages. Does not know capacity, quota or the order in a queue. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "actors/gangs/gang_phase.h"
#include "actors/records/admitted.h"
#include "actors/records/input.h"
#include "actors/records/life_change.h"
#include "config/pods_ready.h"

namespace tessera::core {

struct Gang {
  static constexpr std::uint32_t kNoQueue = UINT32_MAX;

  GangPhase phase = GangPhase::kPending;
  std::uint32_t queue = kNoQueue;              // that it waits in, or whose quota it holds
  std::shared_ptr<const Workload> workload;    // as it was submitted: shared, never changed
  bool active = true;                          // false: suspended, or will be once its pods end
  std::optional<std::int64_t> evicted_at;      // its queue-order time, if not Workload::created
  std::shared_ptr<const Admission> admission;  // all that it holds, while it holds something
  bool grows = false;                          // it holds something, and `queue` lets it grow
  std::int64_t not_before = INT64_MIN;         // end of its back-off, while it has one
  std::int64_t deadline = INT64_MAX;           // its next deadline; INT64_MAX: none
  std::int64_t requeues = 0;                   // times that its pods were not ready in time

  bool live() const { return holds(phase); }
};

/// What happened to a gang's life, and what follows from it, in this order.
struct LifeStep {
  enum class Left : std::uint8_t {
    kNothing,   // it stays where it is
    kQueue,     // it does not wait in `queue` any more (kNoQueue: it waited in none)
    kHoldings,  // it gives back what it held: `admission`
  };
  enum class Next : std::uint8_t {
    kStays,
    kWaits,        // it is to enter a queue
    kStandsAside,  // it is suspended: in no queue
    kEnds,
    kGrows,  // it stays where it is, and its queue is to let it grow
  };

  GangId gang = kNoGang;
  std::vector<LifeChange> changes = {};  // for the record
  bool evicted = false;                  // for the record, CycleRecord::evicted
  bool stopped_growing = false;          // `queue` lets it grow no more
  Left left = Left::kNothing;
  std::uint32_t queue = Gang::kNoQueue;
  std::shared_ptr<const Admission> admission = {};
  Next next = Next::kStays;
};

/// A node with pods of the gang was deleted: follows from a NodeDelete.
struct Stranded {
  GangId gang{};
};
/// The inputs about the life of a known gang.
using LifeInput = std::variant<Started, Finish, Evict, PodsGone, Suspend, Resume, Stranded>;

class GangTable {
 public:
  /// `rule`: how long pods may take to get ready; nothing: for ever.
  explicit GangTable(std::optional<config::PodsReady> rule);

  /// A gang that holds something when the engine starts, with its id.
  void adopt(const Admitted& held);
  /// A new gang, with the next id.
  LifeStep submit(std::shared_ptr<const Workload> workload);
  /// What an input does to a gang. If the gang is unknown, or the input means nothing in its phase,
  /// nothing changes and nothing is recorded.
  LifeStep take(const LifeInput& input);

  /// Pending -> Admitted; or a gang that holds something has grown, and stays in its phase.
  void admit(const Admitted& admitted);
  /// Voids an admission: the gang waits again, and what it did in that admission is void too. Or
  /// voids the last growth, and nothing else. A gang that has given everything back since then
  /// stays as it is.
  LifeStep void_admission(const Admitted& admitted);
  /// Definitions changed: a gang that waits enters the queues anew.
  LifeStep enter_again(GangId id);

  /// Time never goes back. INT64_MIN: unknown so far.
  void advance(std::int64_t now);
  std::int64_t now() const { return now_; }
  /// The next gang whose deadline has come, in order of (time, gang). Forgets the deadline.
  std::optional<GangId> pop_due();
  /// What happens to the gang when its back-off ends, or when its pods have had all their time to
  /// get ready.
  LifeStep fall_due(GangId id);
  /// INT64_MAX: none.
  void set_deadline(GangId id, std::int64_t at);
  std::int64_t next_deadline() const;

  /// Null: unknown, or it ended.
  const Gang* find(GangId id) const;
  void put_in_queue(GangId id, std::uint32_t queue);
  /// Ascending.
  std::vector<GangId> ids() const;
  /// A hash of the phase and the times of all gangs. Background searches do not count.
  std::uint64_t hash() const;

 private:
  using Entry = std::pair<const GangId, Gang>;

  LifeStep step(const Started& input, Entry& entry);
  LifeStep step(const Finish& input, Entry& entry);
  LifeStep step(const Evict& input, Entry& entry);
  LifeStep step(const PodsGone& input, Entry& entry);
  LifeStep step(const Suspend& input, Entry& entry);
  LifeStep step(const Resume& input, Entry& entry);
  LifeStep step(const Stranded& input, Entry& entry);
  void suspend(Entry& entry, LifeStep& out);
  LifeStep time_out(Entry& entry);
  void begin_eviction(Entry& entry, EvictionReason reason, std::int64_t requeue_at, LifeStep& out);
  void end_eviction(Entry& entry, LifeStep& out);
  LifeStep void_growth(const Admitted& added);
  void stop_growing(Gang& gang, LifeStep& out);
  void leave(Entry& entry, LifeStep& out);
  void stand_aside(Entry& entry, LifeStep& out);
  void wait_again(Entry& entry, std::int64_t not_before, LifeStep& out);
  void await_pods(Entry& entry, std::int64_t since);
  void set_deadline(Entry& entry, std::int64_t at);

  std::optional<config::PodsReady> rule_;
  std::int64_t now_ = INT64_MIN;
  GangId last_id_ = kNoGang;  // given out
  std::unordered_map<GangId, Gang> gangs_;
  std::set<std::pair<std::int64_t, GangId>> deadlines_;
};

}  // namespace tessera::core
