// SPDX-License-Identifier: Apache-2.0
// PlannerState: the planner's own copy of everything that is held, and the plans made on it.
//
// One owner: the planner's actor, or the calling thread of `schedule`. Only step() and retract()
// change the copy. What a plan takes from the copy also stands in its messages to shards and quota
// roots, with hashes that show whether the owners agree. Deterministic.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "actors/books/worlds.h"
#include "actors/capacity/owner_step.h"
#include "actors/capacity/shard_state.h"
#include "actors/planner/outgoing.h"
#include "actors/planner/plan.h"
#include "actors/quota/root_state.h"
#include "actors/quota/root_step.h"
#include "actors/records/input.h"

namespace tessera::core {

struct PlanRequest {
  CycleNumber cycle = 0;
  std::vector<GangId> released;                    // workloads that give back what they hold
  std::vector<Input> updates;                      // of nodes and pods, in order
  std::shared_ptr<const Definitions> definitions;  // new ones; null: as before
  std::vector<Window> windows;                     // by queue; none: only the rest is applied
  /// Recovery: books these in place of a plan; no windows.
  std::shared_ptr<const std::vector<Admitted>> recorded;
  int round = 0;                // `rounds: Kueue`: its number
  std::size_t most = SIZE_MAX;  // workloads planned at most
  // `may_search`: a search may begin. `searches_wait`: some wait from before. With the first, a
  // snapshot is wanted if searches wait or the plan defers some.
  bool may_search = false, searches_wait = false;
};

/// A node whose cells belong to another shard from now on.
struct NodeMove {
  topology::NodeId node;
  ShardId from, to;
};

struct Owners;

struct PlanReply {
  Plan plan;
  /// Set when definitions changed, or nodes or pods changed so that the worlds could not follow.
  /// These owners replace the old ones before the steps.
  std::shared_ptr<Owners> owners;
  std::vector<GangId> stranded;  // workloads with pods on nodes that were deleted, ascending
  std::vector<NodeMove> moves;   // before the steps
  std::map<ShardId, std::shared_ptr<const ShardStep>> shards;  // those that are touched
  std::map<QuotaNode, std::shared_ptr<const RootStep>> roots;
  std::shared_ptr<const SearchState> snapshot;  // of the books after the plan, if wanted
};

/// The owners of capacity and quota, holding what the planner's copy says is held.
struct Owners {
  std::shared_ptr<const topology::CellMap> cells;   // the shards point at it
  std::vector<std::unique_ptr<ShardState>> shards;  // by ShardId
  std::map<QuotaNode, std::unique_ptr<RootState>> roots;
};

class PlannerState {
 public:
  PlannerState(std::shared_ptr<const Definitions> definitions, EngineOptions options);

  /// Makes the owners, before the first step. From then on they follow by steps.
  std::shared_ptr<Owners> make_owners();

  PlanReply step(const PlanRequest& request);
  /// Undoes placements and growths. `gangs` is in the order to undo them: the latest first.
  void retract(std::span<const GangId> gangs);

  const Definitions& definitions() const { return *definitions_; }
  const EngineOptions& options() const { return options_; }
  const Accounting& accounting() const { return accounting_; }
  const ShardLayout& layout() const { return layout_; }
  Worlds& worlds() { return model_->worlds; }
  const Worlds& worlds() const { return model_->worlds; }
  const Planner& planner() const { return model_->planner; }
  /// The hashes that the owners should have.
  const OwnerHashes& hashes() const { return hashes_; }

 private:
  /// Everything that is made anew when definitions change, or when nodes or pods change so that the
  /// worlds cannot follow.
  struct Model {
    Model(const Definitions& definitions, const EngineOptions& options, WorldState state,
          Accounting& accounting);
    Worlds worlds;
    Planner planner;
  };

  PlanContext context() {
    return {definitions_.get(), &model_->planner, &model_->worlds, &options_, version_};
  }
  Plan book(const std::vector<Admitted>& recorded);
  void reserve(const Plan& plan, Outgoing& outgoing) const;
  std::shared_ptr<const SearchState> snapshot() const;
  void warn_of_tangles();
  void lay_out_shards();
  void hand_over_others(Owners& owners) const;
  /// Applies the updates of a request. False: everything was made anew.
  bool follow(const PlanRequest& request);
  bool follow(const Input& update);
  void end_searches();
  void note_stranded(Symbol node);
  void tell_nodes(Outgoing& outgoing, PlanReply& reply);
  std::optional<NodeChange> change_of(topology::NodeId node) const;
  void move_home(topology::NodeId node, PlanReply& reply);

  std::shared_ptr<const Definitions> definitions_;
  EngineOptions options_;
  Accounting accounting_;
  std::unique_ptr<Model> model_;
  BooksVersion version_;
  std::shared_ptr<SearchGate> gate_ = std::make_shared<SearchGate>();
  std::set<topology::NodeId> touched_;  // nodes that changed in this step
  std::set<GangId> stranded_;           // workloads with pods on nodes deleted in this step
  // The layout and the hashes that the owners of capacity and quota should have.
  ShardLayout layout_;
  OwnerHashes hashes_;
  std::vector<std::uint64_t> node_hashes_;  // by NodeId
};

}  // namespace tessera::core
