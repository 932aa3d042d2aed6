// SPDX-License-Identifier: Apache-2.0
#include "actors/engine/local_engine.h"

#include <utility>

namespace tessera::core {

LocalEngine::LocalEngine(std::shared_ptr<const Definitions> definitions, EngineOptions options,
                         const CycleLimits& limits)
    : definitions_(std::move(definitions)),
      planner_(definitions_, std::move(options)),
      searcher_(planner_.options()),
      queues_(make_queues(*definitions_, planner_.options().profile.rounds)),
      owners_(planner_.make_owners()),
      cycle_(definitions_, planner_.options().profile.rounds, limits, *this) {}

void LocalEngine::submit(std::vector<Input> inputs) { cycle_.submit(std::move(inputs)); }

std::vector<std::shared_ptr<const CycleRecord>> LocalEngine::settle() {
  placed_.clear();
  run_line();
  return std::exchange(published_, {});
}

void LocalEngine::run_line() {
  while (!line_.empty()) {
    const std::function<void()> next = std::move(line_.front());
    line_.pop_front();
    next();
  }
}

void LocalEngine::recover(const std::vector<std::shared_ptr<const CycleRecord>>& records) {
  recovering_ = true;
  for (const auto& record : records) {
    cycle_.recover(record);
    run_line();
  }
  cycle_.end_rerun();
  run_line();
  recovering_ = false;
}

void LocalEngine::replay(std::vector<std::shared_ptr<const CycleRecord>> records) {
  cycle_.replay(std::move(records));
}

std::vector<LocalEngine::Placed> LocalEngine::take_placed() { return std::exchange(placed_, {}); }

void LocalEngine::to_queue(std::uint32_t queue, std::shared_ptr<const QueueStep> step) {
  line_.emplace_back([this, queue, step = std::move(step)] {
    cycle_.on_window(step->cycle, queues_[queue]->step(*step));
  });
}

void LocalEngine::to_planner(std::shared_ptr<const PlanRequest> request) {
  line_.emplace_back([this, request = std::move(request)] {
    auto reply = std::make_shared<PlanReply>(planner_.step(*request));
    for (std::size_t i = 0; i < reply->plan.placed.size(); ++i) {
      const Admitted& admitted = reply->plan.admitted[i];
      placed_.push_back({admitted.gang, std::move(reply->plan.placed[i]), admitted.grows});
    }
    cycle_.on_plan(std::move(reply));
  });
}

/// The retracted gangs are those that were placed last.
void LocalEngine::retract(std::vector<GangId> gangs) {
  planner_.retract(gangs);
  placed_.resize(placed_.size() - std::min(placed_.size(), gangs.size()));
}

void LocalEngine::search(SearchRequest request) {
  line_.emplace_back([this, request = std::move(request)] {
    cycle_.on_found(request, searcher_.search(request));
  });
}

void LocalEngine::replace_owners(std::shared_ptr<Owners> owners) { owners_ = std::move(owners); }

void LocalEngine::replace_queues(std::shared_ptr<const Definitions> definitions) {
  queues_ = make_queues(*definitions, planner_.options().profile.rounds);
  definitions_ = std::move(definitions);
}

void LocalEngine::move_node(const NodeMove& move) {
  line_.emplace_back([this, move] {
    owners_->shards[index(move.to)]->put_in(owners_->shards[index(move.from)]->take_out(move.node));
    cycle_.on_moved();
  });
}

void LocalEngine::to_shard(ShardId shard, std::shared_ptr<const ShardStep> step) {
  line_.emplace_back([this, shard, step = std::move(step)] {
    cycle_.on_owner(owners_->shards[index(shard)]->step(*step));
  });
}

void LocalEngine::to_root(QuotaNode root, std::shared_ptr<const RootStep> step) {
  line_.emplace_back([this, root, step = std::move(step)] {
    cycle_.on_owner(owners_->roots.at(root)->step(*step));
  });
}

void LocalEngine::settle(const TouchedOwners& owners, CycleNumber cycle, std::uint32_t from) {
  for (const ShardId shard : owners.shards) owners_->shards[index(shard)]->settle(cycle, from);
  for (const QuotaNode root : owners.roots) owners_->roots.at(root)->settle(cycle, from);
}

void LocalEngine::commit(const TouchedOwners& owners, CycleNumber cycle) {
  for (const ShardId shard : owners.shards) owners_->shards[index(shard)]->commit(cycle);
  for (const QuotaNode root : owners.roots) owners_->roots.at(root)->commit(cycle);
}

void LocalEngine::abort(const TouchedOwners& owners, CycleNumber cycle) {
  for (const ShardId shard : owners.shards) owners_->shards[index(shard)]->abort(cycle);
  for (const QuotaNode root : owners.roots) owners_->roots.at(root)->abort(cycle);
}

void LocalEngine::append(std::shared_ptr<const CycleRecord> record) {
  line_.emplace_back([this, cycle = record->cycle] { cycle_.on_durable(cycle, {}); });
}

void LocalEngine::publish(std::shared_ptr<const CycleRecord> record) {
  if (!recovering_) published_.push_back(std::move(record));
}

}  // namespace tessera::core
