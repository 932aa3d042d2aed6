// SPDX-License-Identifier: Apache-2.0
// LocalEngine: the whole cycle in the calling thread, with its parts as plain objects. `schedule`
// and `explain` run it, and tests compare the engine behind actors with it.
//
// Messages between the parts wait in one line, first in, first out. There is no journal: a cycle
// counts as durable at once. Not thread-safe.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "actors/cycle/cycle.h"
#include "actors/engine/driver.h"
#include "actors/queues/queue_state.h"

namespace tessera::core {

class LocalEngine : public Driver, private CyclePorts {
 public:
  LocalEngine(std::shared_ptr<const Definitions> definitions, EngineOptions options,
              const CycleLimits& limits);

  void submit(std::vector<Input> inputs) override;
  std::vector<std::shared_ptr<const CycleRecord>> settle() override;
  /// Recovery and replay (design.md 2.2), in a new engine. recover() applies one record after the
  /// other and solves nothing; settle() does not hand these records out again. replay() decides
  /// again, and settle() hands out the new records.
  void recover(const std::vector<std::shared_ptr<const CycleRecord>>& records);
  void replay(std::vector<std::shared_ptr<const CycleRecord>> records);
  std::int64_t next_deadline() const override { return cycle_.next_deadline(); }
  EngineCounters counters() const override { return cycle_.counters(); }

  PlannerState& planner() { return planner_; }
  const PlannerState& planner() const { return planner_; }
  const std::vector<std::shared_ptr<QueueState>>& queues() const { return queues_; }
  const Owners& owners() const { return *owners_; }
  const Cycle& cycle() const { return cycle_; }
  /// A decision without Decision::workload, since this engine knows gangs, not positions in an
  /// inventory.
  struct Placed {
    GangId gang;
    Decision decision;
    bool grows;  // the decision says only what the gang got besides what it holds
  };
  /// The placements of the last settle(), in their order, on leaves of the current trees.
  std::vector<Placed> take_placed();

 private:
  void run_line();
  void to_queue(std::uint32_t queue, std::shared_ptr<const QueueStep> step) override;
  void to_planner(std::shared_ptr<const PlanRequest> request) override;
  void retract(std::vector<GangId> gangs) override;
  void search(SearchRequest request) override;
  void replace_owners(std::shared_ptr<Owners> owners) override;
  void replace_queues(std::shared_ptr<const Definitions> definitions) override;
  void move_node(const NodeMove& move) override;
  void to_shard(ShardId shard, std::shared_ptr<const ShardStep> step) override;
  void to_root(QuotaNode root, std::shared_ptr<const RootStep> step) override;
  void settle(const TouchedOwners& owners, CycleNumber cycle, std::uint32_t from) override;
  void commit(const TouchedOwners& owners, CycleNumber cycle) override;
  void abort(const TouchedOwners& owners, CycleNumber cycle) override;
  void append(std::shared_ptr<const CycleRecord> record) override;
  void publish(std::shared_ptr<const CycleRecord> record) override;

  std::shared_ptr<const Definitions> definitions_;  // of the queues
  PlannerState planner_;
  Searcher searcher_;
  std::vector<std::shared_ptr<QueueState>> queues_;  // by position
  std::shared_ptr<Owners> owners_;
  Cycle cycle_;
  std::deque<std::function<void()>> line_;
  bool recovering_ = false;
  std::vector<std::shared_ptr<const CycleRecord>> published_;
  std::vector<Placed> placed_;
};

}  // namespace tessera::core
