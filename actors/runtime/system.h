// SPDX-License-Identifier: Apache-2.0
// System: the engine behind actors: coordinator, queues, quota roots, shards, gangs, planner,
// searcher, catalogue and journal (docs/engine.md). `simulate` and later `serve` run it.
//
// The same inputs and boundaries give the same records as core::LocalEngine, for any number of
// threads. Without virtual time (CycleLimits::step_time), results of background searches are inputs
// of their own. One caller at a time. The destructor ends all actors and waits for them. A broken
// invariant aborts the process.
#pragma once

#include <memory>

#include "actors/engine/driver.h"
#include "actors/engine/engine_start.h"
#include "actors/runtime/coordinator.h"

namespace tessera::actors {

struct SystemOptions {
  core::EngineOptions engine;
  core::CycleLimits limits;
  /// Of the pool that runs all actors but planner, searcher and journal. 0, like the solver's: from
  /// the cores.
  int actor_threads = 0;
  /// Actors run only when the owner of the CAF system runs them, in one thread (tests).
  bool by_hand = false;
  /// settle() hands out what was committed. False: a process that runs on, whose clients ask the
  /// catalogue, keeps no cycles; settle() returns none.
  bool collects = true;
  std::unique_ptr<Journal> journal;  // null: a MemoryJournal
  Hooks hooks;
};

class System : public core::Driver {
 public:
  /// What a System of these options starts from.
  static core::EngineStart make_start(std::shared_ptr<const core::Inventory> state,
                                      const SystemOptions& options);
  /// Takes over what `start` holds, SystemOptions::engine included.
  System(core::EngineStart start, SystemOptions options);
  System(std::shared_ptr<const core::Inventory> state, SystemOptions options);
  /// The same over a state of its own.
  System(core::Inventory state, SystemOptions options);
  ~System() override;
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  void submit(std::vector<core::Input> inputs) override;
  std::vector<std::shared_ptr<const core::CycleRecord>> settle() override;
  std::int64_t next_deadline() const override;
  core::EngineCounters counters() const override;

  /// Only for whoever runs the actors by hand, between two messages.
  const Coordinator& coordinator() const;
  caf::actor_system& caf_system();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tessera::actors
