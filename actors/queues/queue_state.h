// SPDX-License-Identifier: Apache-2.0
// QueueState: the waiting workloads of one ClusterQueue: which may be tried next, and which wait
// for a change that could help (queues.md 1.1, 3).
//
// One owner: the queue's actor, or the calling thread of `schedule`. Workloads of one shape stand
// together: when one is refused, all are, until something that could help them changes. In
// sequential order this is exact, and a change costs O(shapes). In rounds it is Kueue's bulk move,
// and a single workload may be inadmissible too. A StrictFIFO queue offers nothing behind a refused
// head. A gang that was placed and wants more stays as a row that grows, with a shape of its own:
// it never holds anybody back. Does not know quota or capacity, nor why a workload was refused.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "actors/queues/definitions.h"
#include "actors/queues/window.h"
#include "config/profile.h"

namespace tessera::core {

class QueueState {
 public:
  /// `queue` outlives the state; `position` is its place among the queues.
  QueueState(const PlanQueue& queue, std::uint32_t position, config::Rounds order);

  /// Applies the step and returns the next window. A repeated or earlier cycle changes nothing. The
  /// queue offers the same workloads again until an outcome says what became of them.
  Window step(const QueueStep& step);

  const PlanQueue& queue() const { return *queue_; }
  std::size_t size() const { return rows_.size(); }
  /// The earliest end of a back-off; INT64_MAX: none.
  std::int64_t next_deadline() const;

  /// How a workload waits, for reports.
  struct Standing {
    GangId gang{};
    bool active = false;              // it may be the head; false: it waits for a change
    std::optional<GangId> evaluated;  // the gang whose refusal counts for this one
    bool grows = false;               // it is placed, and wants more
  };
  /// All waiting workloads, in the order of the queue.
  std::vector<Standing> standing() const;
  std::shared_ptr<const Workload> find(GangId gang) const;
  /// A hash of all waiting workloads and what orders them. The order in which they came does not
  /// count. Which of them were tried already does not count either, since a restart forgets it.
  std::uint64_t hash() const;

 private:
  struct Shape;
  struct Row {
    Waiting waiting;
    std::int64_t priority = 0, since = 0;  // of QueueOrder; compared first: most rows differ here
    Shape* shape = nullptr;
    bool grows = false;    // of QueueOrder
    bool aside = false;    // inadmissible by itself, or in back-off
    bool blocked = false;  // the head of a StrictFIFO queue, which cannot be planned
    std::optional<GangId> evaluated;
    ScanRecord record;
    CycleNumber record_cycle = 0;
    std::uint64_t record_generation = 0;
  };
  struct Before {
    bool operator()(const Row* a, const Row* b) const;
  };
  using Rows = std::set<Row*, Before>;
  struct Shape {
    std::uint32_t id = 0;
    const std::string* text = nullptr;
    Rows active;  // rows that are not aside
    std::size_t rows = 0;
    bool grows = false;                         // of one row that grows
    bool closed = false;                        // refused or searched for: no row is offered
    std::optional<GangId> searched;             // closed until the search for this gang ends
    std::shared_ptr<const SearchResult> found;  // of that search, for the first row offered
    bool is_long = false;                       // WindowItem::is_long
    GangId evaluated{};
    Hope hope;
  };

  bool strict() const { return queue_->strategy == QueueStrategy::kStrictFifo; }
  bool in_rounds() const { return order_ == config::Rounds::kKueue; }
  std::string shape_text(const Waiting& waiting) const;
  void submit(const Waiting& waiting, std::int64_t now);
  void remove(GangId gang);
  void take_turn(const TurnOutcome& outcome);
  void take_found(const Found& found);
  Row& begin_to_grow(Row& row);
  void take_turn_in_round(Row& row, const TurnOutcome& outcome);
  void wake(const Wake& wake);
  void wake_hoping_for_placements();
  void end_back_offs(std::int64_t now);
  void set_aside(Row& row);
  void activate(Row& row);
  void close(Shape& shape, GangId evaluated);
  void open(Shape& shape);
  /// Keeps heads_ right around a change of a shape's rows or state.
  void lift_head(Shape& shape);
  void drop_head(Shape& shape);
  ScanRecord record_of(const Row& row) const;
  Window window(std::size_t most) const;

  const PlanQueue* queue_;
  std::uint32_t position_;
  config::Rounds order_;
  CycleNumber last_cycle_ = 0;
  std::unordered_map<GangId, Row> rows_;
  std::unordered_map<std::string, Shape> shapes_;
  std::uint32_t next_shape_ = 0;
  Rows heads_;  // the first row of each open shape; in a StrictFIFO queue of sequential order also
                // the first row of each closed shape
  std::set<Shape*> closed_;
  std::set<Row*, Before> aside_;
  std::set<std::pair<std::int64_t, GangId>> back_offs_;  // (not_before, gang)
  std::map<GangId, std::string> unfinished_;             // scan records as texts
  std::set<GangId> blocked_;
  std::uint64_t generation_ = 0;  // releases so far in the queue's cohort tree
  bool moved_ = false;
};

/// A state for each queue of the definitions, by position. The definitions outlive the states.
std::vector<std::shared_ptr<QueueState>> make_queues(const Definitions& definitions,
                                                     config::Rounds order);

}  // namespace tessera::core
