// SPDX-License-Identifier: Apache-2.0
// What queues and planner tell each other in a cycle, through the coordinator: a queue offers a
// window of waiting workloads, and the planner says what became of each (docs/engine.md).
//
// Plain values. Workload records are shared and never change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/capacity/flavor.h"
#include "actors/queues/scan_record.h"
#include "actors/records/cycle_number.h"
#include "actors/records/gang_id.h"
#include "actors/records/workload.h"

namespace tessera::core {

struct SearchResult;

/// The order of planning (design.md 3.2): priority descending, those that hold nothing yet before
/// those that grow, time, uid, namespace, name. `since`: queue-order time, which an eviction may
/// move behind Workload::created.
struct QueueOrder {
  std::int64_t since;
  const Workload* workload;
  bool grows = false;
};
bool plans_before(const QueueOrder& a, const QueueOrder& b);

/// A workload that waits, to be placed or to grow.
struct Waiting {
  GangId gang{};
  std::shared_ptr<const Workload> workload;
  std::int64_t not_before = INT64_MIN;          // end of its back-off
  std::optional<std::int64_t> evicted_at = {};  // its queue-order time, if not Workload::created
  bool grows = false;                           // it is placed, and wants more

  QueueOrder order() const {
    return {evicted_at.value_or(workload->created), workload.get(), grows};
  }
};

/// What could help a refused workload. While none of it changes, the refusal stands and the
/// workload need not be evaluated again.
struct Hope {
  bool quota = false;       // quota of its queue's tree comes free
  bool placements = false;  // anything is placed: with several pod sets or groups of resources, an
                            // admission can make the search choose otherwise
  std::vector<FlavorId> flavors;  // room on nodes of these flavors comes free; ascending
};

/// What changed, as one queue sees it.
struct Wake {
  bool all = false;  // definitions or nodes changed: everything is worth a try
  bool quota = false;
  std::vector<FlavorId> flavors;  // ascending

  bool any() const { return all || quota || !flavors.empty(); }
  bool helps(const Hope& hope) const;
  /// `freed`: ascending.
  void add_room(const std::vector<FlavorId>& freed);
};

/// A workload that a queue offers, in the queue's order.
struct WindowItem {
  GangId gang{};
  std::shared_ptr<const Workload> workload;
  std::uint32_t shape = 0;  // in one queue: equal numbers get equal answers on equal books
  ScanRecord record;        // `rounds: Kueue`
  bool is_long = false;     // the last search for its shape took more steps than a cycle allows
  /// The result of a background search for this workload, or for another of its shape.
  std::shared_ptr<const SearchResult> found = {};
  std::optional<std::int64_t> evicted_at = {};  // as of Waiting
  bool grows = false;                           // as of Waiting

  QueueOrder order() const {
    return {evicted_at.value_or(workload->created), workload.get(), grows};
  }
};

struct Window {
  std::uint32_t queue = 0;  // position in Directory::queues()
  std::vector<WindowItem> items;
  bool more = false;                       // active workloads wait behind the last item
  std::size_t waiting = 0;                 // workloads in the queue, all together
  bool sleepers = false;                   // some wait for a change that could help them
  bool waits_for_placement = false;        // some refusal hopes for placements
  std::int64_t next_deadline = INT64_MAX;  // the earliest end of a back-off
  bool moved = false;                      // since the last window something became inadmissible
  std::string unfinished;                  // the unfinished scan records as a text, for comparison
};

/// What became of a workload of a window.
enum class Turn : std::uint8_t {
  kAdmitted,
  kRefused,       // evaluated, or of the shape of an evaluated one
  kNotReached,    // the cycle ended before it
  kSkipped,       // rounds: another one of the round took its room or quota
  kNamespace,     // rounds: its namespace does not match
  kNotNominated,  // something other than room and quota forbids an evaluation
  kDeferred,      // its search goes on in the background
};

struct TurnOutcome {
  GangId gang{};
  Turn turn = Turn::kNotReached;
  GangId evaluated{};               // kRefused: the gang whose evaluation counts for it
  Hope hope;                        // kRefused
  std::uint32_t placed_before = 0;  // in its cycle; if fewer were accepted, the refusal is void
  bool stale = false;               // it hopes for placements, and one came afterwards
  bool is_long = false;             // kRefused, kDeferred: as of WindowItem
  /// It holds something and wants more. `turn` is the last turn that it had, so kRefused says that
  /// it could not grow.
  bool grows = false;
  ScanRecord record;  // rounds
};

/// The result of the background search for a workload of the queue.
struct Found {
  GangId gang{};
  std::shared_ptr<const SearchResult> result;
};

/// One message to a queue: what happened, in this order. The queue answers with a Window.
struct QueueStep {
  CycleNumber cycle = 0;
  bool placed = false;                // a workload of some queue was placed since the last step
  std::vector<TurnOutcome> outcomes;  // of its last window
  std::vector<GangId> removed;        // finished or deleted while they waited
  std::vector<Found> found;           // in the order in which they came
  Wake wake;
  std::int64_t now = INT64_MIN;  // ends back-offs
  std::vector<Waiting> submitted;
  std::size_t most = SIZE_MAX;  // items wanted
};

}  // namespace tessera::core
