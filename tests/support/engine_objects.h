// SPDX-License-Identifier: Apache-2.0
// EngineObjects: what the actors of one System own, noted as the actors are made.
//
// Set as Hooks::observer; outlives the System. Look at the objects between two messages of a System
// that is run by hand. In a System with threads, look at the planner's object only, and only while
// the System has settled.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "actors/runtime/hooks.h"

namespace tessera::test {

class EngineObjects : public actors::ActorObserver {
 public:
  /// The role of an actor. An actor that was not noted is a gang.
  actors::Role role(caf::actor_id actor) const {
    const auto at = roles_.find(actor);
    return at == roles_.end() ? actors::Role::kGang : at->second;
  }
  const core::PlannerState& planner() const { return *planner_; }
  const core::Catalogue& catalogue() const { return *catalogue_; }
  const std::shared_ptr<const core::Definitions>& definitions() const { return definitions_; }
  /// By position.
  const std::vector<std::shared_ptr<const core::QueueState>>& queues() const { return queues_; }
  /// How often all owners were made. cells() are those of the last time.
  std::size_t generation() const { return generation_; }
  const topology::CellMap& cells() const { return *cells_; }
  const std::vector<std::shared_ptr<const core::ShardState>>& shards() const { return shards_; }
  const std::map<core::QuotaNode, std::shared_ptr<const core::RootState>>& roots() const {
    return roots_;
  }

 private:
  void on_actor(caf::actor_id actor, actors::Role role) override { roles_[actor] = role; }
  void on_planner(std::shared_ptr<const core::PlannerState> planner) override {
    planner_ = std::move(planner);
  }
  void on_catalogue(std::shared_ptr<const core::Catalogue> catalogue) override {
    catalogue_ = std::move(catalogue);
  }
  void on_definitions(std::shared_ptr<const core::Definitions> definitions) override {
    definitions_ = std::move(definitions);
    queues_.assign(definitions_->queues.size(), nullptr);
  }
  void on_queue(std::uint32_t position, std::shared_ptr<const core::QueueState> queue) override {
    queues_.at(position) = std::move(queue);
  }
  void on_owners(std::shared_ptr<const topology::CellMap> cells) override {
    ++generation_;
    cells_ = std::move(cells);
    shards_.clear();
    roots_.clear();
  }
  void on_shard(core::ShardId, std::shared_ptr<const core::ShardState> shard) override {
    shards_.push_back(std::move(shard));
  }
  void on_root(core::QuotaNode number, std::shared_ptr<const core::RootState> root) override {
    roots_[number] = std::move(root);
  }

  std::unordered_map<caf::actor_id, actors::Role> roles_;
  std::shared_ptr<const core::PlannerState> planner_;
  std::shared_ptr<const core::Catalogue> catalogue_;
  std::shared_ptr<const core::Definitions> definitions_;
  std::vector<std::shared_ptr<const core::QueueState>> queues_;
  std::size_t generation_ = 0;
  std::shared_ptr<const topology::CellMap> cells_;
  std::vector<std::shared_ptr<const core::ShardState>> shards_;
  std::map<core::QuotaNode, std::shared_ptr<const core::RootState>> roots_;
};

}  // namespace tessera::test
