// SPDX-License-Identifier: Apache-2.0
// CyclePorts: where the coordinator's messages go.
//
// Cycle and Pipeline call them, in the coordinator's thread. Each receiver gets its own messages in
// the order of the calls. Behind them stand plain objects (LocalEngine) or actors (Coordinator).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "actors/planner/planner_state.h"
#include "actors/queues/window.h"
#include "actors/records/cycle_record.h"
#include "actors/records/engine_counters.h"

namespace tessera::core {

/// The owners that a cycle touched.
struct TouchedOwners {
  std::vector<ShardId> shards = {};
  std::vector<QuotaNode> roots = {};
};

class CyclePorts {
 public:
  virtual ~CyclePorts() = default;
  virtual void to_queue(std::uint32_t queue, std::shared_ptr<const QueueStep> step) = 0;
  virtual void to_planner(std::shared_ptr<const PlanRequest> request) = 0;
  virtual void retract(std::vector<GangId> gangs) = 0;  // to the planner; no reply
  /// To the searcher, which answers with on_found().
  virtual void search(SearchRequest request) = 0;
  /// New owners or queues, for new definitions or nodes. The old ones end. No reply.
  virtual void replace_owners(std::shared_ptr<Owners> owners) = 0;
  virtual void replace_queues(std::shared_ptr<const Definitions> definitions) = 0;
  /// Moves the node's cells from one shard to another; then calls on_moved().
  virtual void move_node(const NodeMove& move) = 0;
  virtual void to_shard(ShardId shard, std::shared_ptr<const ShardStep> step) = 0;
  virtual void to_root(QuotaNode root, std::shared_ptr<const RootStep> step) = 0;
  /// Owners give back the items from `from` on. No reply, like the next two.
  virtual void settle(const TouchedOwners& owners, CycleNumber cycle, std::uint32_t from) = 0;
  virtual void commit(const TouchedOwners& owners, CycleNumber cycle) = 0;
  virtual void abort(const TouchedOwners& owners, CycleNumber cycle) = 0;
  virtual void append(std::shared_ptr<const CycleRecord> record) = 0;
  /// Tells gangs, catalogue and clients of a record that is durable.
  virtual void publish(std::shared_ptr<const CycleRecord> record) = 0;
};

}  // namespace tessera::core
