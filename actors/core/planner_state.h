// SPDX-License-Identifier: Apache-2.0
// PlannerState: the planner's own copy of everything that is held, and the plans made on it
// (design.md 3, 3.1 step 2).
//
// One owner: the planner's actor, or the calling thread of `schedule`. The copy moves only by the
// stream of steps and retractions; what a plan takes is also what its messages to shards and quota
// roots say, with the hashes that show whether they agree. Deterministic.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "actors/core/never.h"
#include "actors/core/outgoing.h"
#include "actors/core/owner_step.h"
#include "actors/core/plan.h"
#include "actors/core/root_state.h"
#include "actors/core/shard_state.h"
#include "actors/core/worlds.h"

namespace tessera::core {

struct PlanRequest {
  CycleNumber cycle = 0;
  std::vector<std::size_t> released;  // workloads that give back what they hold
  std::vector<Input> updates;         // of nodes, pods and definitions, in order
  std::vector<Window> windows;        // by queue; none: only the rest is applied
  int round = 0;                      // `rounds: Kueue`: its number
  std::size_t most = SIZE_MAX;        // workloads planned at most
};

struct PlanReply {
  Plan plan;
  std::map<ShardId, std::shared_ptr<const ShardStep>> shards;  // those that are touched
  std::map<QuotaNode, std::shared_ptr<const RootStep>> roots;
};

/// The owners of capacity and quota with what is held in the planner's copy.
struct Owners {
  ShardLayout layout;
  std::vector<std::unique_ptr<ShardState>> shards;  // by ShardId
  std::map<QuotaNode, std::unique_ptr<RootState>> roots;
};

class PlannerState {
 public:
  PlannerState(std::shared_ptr<const Definitions> definitions, EngineOptions options);

  /// For whoever sets the owners up; from then on they follow by steps.
  Owners make_owners();

  PlanReply step(const PlanRequest& request);
  /// Undoes placements, in this order: the latest first.
  void retract(std::span<const std::size_t> numbers);

  const Definitions& definitions() const { return *definitions_; }
  const EngineOptions& options() const { return options_; }
  const Accounting& accounting() const { return accounting_; }
  Worlds& worlds() { return worlds_; }
  const Worlds& worlds() const { return worlds_; }
  const Planner& planner() const { return planner_; }
  Judge& judge() { return judge_; }
  /// Of what the owners should be at.
  const OwnerHashes& hashes() const { return hashes_; }

 private:
  void hand_over_others(Owners& owners) const;
  PlanContext context() { return {definitions_.get(), &planner_, &worlds_, &options_}; }

  std::shared_ptr<const Definitions> definitions_;
  EngineOptions options_;
  Accounting accounting_;
  Worlds worlds_;
  Planner planner_;
  Judge judge_;
  // What the owners of capacity and quota should be at; empty without owners.
  ShardLayout layout_;
  OwnerHashes hashes_;
  bool has_owners_ = false;
};

}  // namespace tessera::core
