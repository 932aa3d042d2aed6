// SPDX-License-Identifier: Apache-2.0
// Hooks: functions that the owner of a System gives to its actors: the end of the process, the
// failpoints of tests, and an observer.
//
// Set before the first actor is made, then never changed: all actors share them, whatever thread
// they run on. They outlive the actors.
#pragma once

#include <caf/fwd.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "actors/catalogue/catalogue.h"
#include "actors/planner/planner_state.h"
#include "actors/queues/queue_state.h"

namespace tessera::actors {

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

/// Hears of each actor (except gangs) and of the object that it owns, when the actor is made.
///
/// For tests. Called by the thread that runs the coordinator. An object still belongs to its actor.
/// Look at it only while no actor runs: between two messages of a System that is run by hand. The
/// planner's object may also be read while the System has settled.
class ActorObserver {
 public:
  virtual ~ActorObserver() = default;
  virtual void on_actor(caf::actor_id actor, Role role) = 0;
  virtual void on_planner(std::shared_ptr<const core::PlannerState> planner) = 0;
  virtual void on_catalogue(std::shared_ptr<const core::Catalogue> catalogue) = 0;
  /// The queues of these definitions follow. The queues told before are out of use.
  virtual void on_definitions(std::shared_ptr<const core::Definitions> definitions) = 0;
  /// Called again when a queue was restored.
  virtual void on_queue(std::uint32_t position, std::shared_ptr<const core::QueueState> queue) = 0;
  /// Shards and roots over these cells follow. The owners told before are out of use.
  virtual void on_owners(std::shared_ptr<const topology::CellMap> cells) = 0;
  virtual void on_shard(core::ShardId number, std::shared_ptr<const core::ShardState> shard) = 0;
  virtual void on_root(core::QuotaNode number, std::shared_ptr<const core::RootState> root) = 0;
};

struct Hooks {
  /// Called when an actor finds a broken invariant; the failure of a queue or a gang is restored
  /// instead. Must not return in a process that goes on. The default writes to stderr and aborts.
  std::function<void(const std::string& what)> fatal;
  /// Called by each actor before it does anything about a message, with the actor's kind: a
  /// failpoint of tests, which may throw.
  std::function<void(const char* actor)> enter;
  /// The first item of a cycle that an owner ("shard", "root") is to refuse, UINT32_MAX for none: a
  /// failpoint of tests.
  std::function<std::uint32_t(const char* actor, core::CycleNumber cycle)> refuse;
  ActorObserver* observer = nullptr;  // may be null
};

}  // namespace tessera::actors
