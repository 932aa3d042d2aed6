// SPDX-License-Identifier: Apache-2.0
// Coordinator: the actor around core::Cycle, parent of all others.
//
// Sends the cycle's messages, hands it the replies, restores queues and gangs whose actors failed,
// and answers a SettleRequest when the engine has settled. While the planner waits for windows, it
// holds back messages to the others; each of them still gets all its messages in order. Three
// failures within a minute of the engine's time end the process.
#pragma once

#include <caf/actor.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/message.hpp>
#include <caf/typed_response_promise.hpp>
#include <deque>
#include <optional>
#include <unordered_map>

#include "actors/runtime/hooks.h"
#include "actors/runtime/messages.h"

namespace tessera::actors {

class Gangs;

struct CoordinatorOptions {
  core::CycleLimits limits;
  bool detached = true;  // planner, searcher and journal have threads of their own
  bool collects = true;  // SystemOptions::collects
};

/// What a System is made of. The coordinator passes each object on to the actor that owns it.
struct Beginning {
  std::shared_ptr<const core::Definitions> definitions;
  std::shared_ptr<core::PlannerState> planner;
  std::shared_ptr<core::Searcher> searcher;
  std::shared_ptr<Journal> journal;
};

class Coordinator : public caf::event_based_actor, private core::CyclePorts {
 public:
  /// `hooks` outlive the actor.
  Coordinator(caf::actor_config& config, const Beginning& beginning, const Hooks* hooks,
              const CoordinatorOptions& options);

  caf::behavior make_behavior() override;
  const char* name() const override { return "coordinator"; }
  void on_exit() override;
  const core::Cycle& cycle() const { return cycle_; }
  const Gangs& gangs() const;
  /// Actors that failed and were restored.
  std::size_t restored() const { return restored_; }
  /// Published since the last Settled; without CoordinatorOptions::collects always empty.
  const std::vector<std::shared_ptr<const core::CycleRecord>>& records() const { return records_; }
  /// True while messages to others wait until the planner has its message.
  bool holds_back() const { return !held_back_.empty(); }

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
  template <class Task>
  void guarded(Task task);
  void spawn_alone(const Beginning& beginning);
  caf::actor spawn_queue(std::uint32_t position, std::shared_ptr<core::QueueState> queue);
  void spawn_queues();
  void spawn_owners(core::Owners& owners);
  void end_owners();
  void note(const caf::actor& actor, Role role) const;
  void note_failure();
  void restore_queue(std::uint32_t queue);
  void tell_settled();

  const Hooks* hooks_;
  CoordinatorOptions options_;
  std::shared_ptr<const core::Definitions> definitions_;  // of the queues
  config::Rounds order_;
  core::Cycle cycle_;
  std::vector<caf::actor> queues_, shards_;
  std::unordered_map<std::uint32_t, caf::actor> roots_;
  caf::actor planner_, searcher_, journal_, catalogue_, gangs_;
  std::vector<std::pair<caf::actor, caf::message>> held_back_;     // in the order of the calls
  std::vector<std::shared_ptr<const core::CycleRecord>> records_;  // since the last Settled
  std::optional<caf::response_promise> settle_waits_;
  std::deque<std::int64_t> failures_;  // engine times, in ns
  std::size_t restored_ = 0;
  std::uint64_t messages_ = 0;  // messages that the cycle does not count
};

}  // namespace tessera::actors
