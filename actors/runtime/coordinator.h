// SPDX-License-Identifier: Apache-2.0
// Coordinator: the actor around core::Cycle, parent of all others (design.md 3.1).
//
// Sends what the cycle wants said, hands it the replies, restores queues and gangs whose actors
// failed, and tells who asked when the engine has settled. While the planner waits for windows it
// holds back what others are told; each still hears of all in order. Three failures within a minute
// of the engine's time end the process.
#pragma once

#include <caf/actor.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/message.hpp>
#include <caf/typed_response_promise.hpp>
#include <deque>
#include <optional>
#include <unordered_map>

#include "actors/runtime/messages.h"
#include "actors/runtime/parts.h"

namespace tessera::actors {

class Gangs;

struct CoordinatorOptions {
  core::CycleLimits limits;
  bool detached = true;  // planner, searcher and journal have threads of their own
};

class Coordinator : public caf::event_based_actor, private core::CyclePorts {
 public:
  /// `parts` outlives the actor.
  Coordinator(caf::actor_config& config, Parts* parts, const CoordinatorOptions& options);

  caf::behavior make_behavior() override;
  const char* name() const override { return "coordinator"; }
  void on_exit() override;
  const core::Cycle& cycle() const { return cycle_; }
  const Gangs& gangs() const;
  /// Actors that failed and were restored.
  std::size_t restored() const { return restored_; }
  /// Published since the last Settled.
  const std::vector<std::shared_ptr<const core::CycleRecord>>& records() const { return records_; }
  /// Something that others are to be told waits until the planner is told.
  bool holds_back() const { return !held_back_.empty(); }
  /// Who of its own an actor is, for whoever runs them by hand.
  enum class Role : std::uint8_t {
    kCoordinator,
    kPlanner,
    kSearcher,
    kJournal,
    kCatalogue,
    kGangs,
    kQueue,
    kShard,
    kRoot,
    kGang
  };
  Role role(caf::actor_id actor) const;

 private:
  void to_queue(std::uint32_t queue, std::shared_ptr<const core::QueueStep> step) override;
  void to_planner(std::shared_ptr<const core::PlanRequest> request) override;
  void retract(std::vector<core::GangId> gangs) override;
  void search(core::SearchRequest request) override;
  void replace_owners(std::shared_ptr<core::Owners> owners) override;
  void replace_queues(std::shared_ptr<const core::Definitions> definitions) override;
  void move_node(const core::NodeMove& move) override;
  void to_shard(core::ShardId shard, std::shared_ptr<const core::ShardStep> step) override;
  void to_root(core::QuotaNode root, std::shared_ptr<const core::RootStep> step) override;
  void settle(const core::TouchedOwners& owners, core::CycleNumber cycle,
              std::uint32_t from) override;
  void commit(const core::TouchedOwners& owners, core::CycleNumber cycle) override;
  void abort(const core::TouchedOwners& owners, core::CycleNumber cycle) override;
  void append(std::shared_ptr<const core::CycleRecord> record) override;
  void publish(std::shared_ptr<const core::CycleRecord> record) override;

  template <class Message>
  void tell(const core::TouchedOwners& owners, const Message& message);
  template <class Message>
  void tell_after_windows(const caf::actor& actor, const Message& message);
  void send_held_back();
  template <class Handler>
  void guarded(Handler handler);
  void spawn_queues();
  void spawn_owners();
  void end_owners();
  void note_failure();
  void restore_queue(std::uint32_t queue);
  void tell_settled();

  Parts* parts_;
  CoordinatorOptions options_;
  core::Cycle cycle_;
  std::vector<caf::actor> queues_, shards_;
  std::unordered_map<std::uint32_t, caf::actor> roots_;
  caf::actor planner_, searcher_, journal_, catalogue_, gangs_;
  std::vector<std::pair<caf::actor, caf::message>> held_back_;     // in the order of the calls
  std::vector<std::shared_ptr<const core::CycleRecord>> records_;  // since the last Settled
  std::optional<caf::response_promise> settle_waits_;
  std::deque<std::int64_t> failures_;  // times
  std::size_t restored_ = 0;
  std::uint64_t messages_ = 0;  // beside those that the cycle counts
};

}  // namespace tessera::actors
