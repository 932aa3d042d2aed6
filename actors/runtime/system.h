// SPDX-License-Identifier: Apache-2.0
// System: the engine behind actors: coordinator, queues, quota roots, shards, gangs, planner,
// searcher, catalogue and journal (docs/engine.md). `simulate` and later `serve` run it.
//
// The same inputs, handed over in the same instants, give the same records as in core::LocalEngine,
// for any number of threads. Without virtual time (CycleLimits::step_time), results of background
// searches are inputs of their own. One caller at a time. The destructor ends all actors and waits
// for them. A broken invariant aborts the process.
#pragma once

#include <memory>

#include "actors/engine/driver.h"
#include "actors/engine/engine_start.h"
#include "actors/runtime/coordinator.h"

namespace tessera::actors {

struct SystemOptions {
  core::EngineOptions engine;
  core::CycleLimits limits;
  /// Threads of the pool that runs all actors except planner, searcher and journal. 0: chosen by
  /// the number of cores, as engine.solver_threads is.
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
  /// Takes over what `start` holds. Its engine options replace SystemOptions::engine.
  System(core::EngineStart start, SystemOptions options);
  System(std::shared_ptr<const core::Inventory> state, SystemOptions options);
  /// The same, with a state that nobody else keeps.
  System(core::Inventory state, SystemOptions options);
  ~System() override;
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  void submit(std::vector<core::Input> inputs) override;
  std::vector<std::shared_ptr<const core::CycleRecord>> settle() override;
  std::int64_t next_deadline() const override;
  core::EngineCounters counters() const override;

  /// Only for a caller that runs the actors by hand, between two messages.
  const Coordinator& coordinator() const;
  caf::actor_system& caf_system();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tessera::actors
