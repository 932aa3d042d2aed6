// SPDX-License-Identifier: Apache-2.0
// EngineLoad: a whole engine over a cluster of GB200 trays, with the gangs that run on it and the
// random stream that starts and ends them.
//
// Called by the engine's benchmarks. The inventory is made of records, without any text. Seeds are
// fixed: two loads of one spec get the same inputs as long as their engines decide the same. Waits
// for the engine only in run() and take(); one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "actors/engine/driver.h"
#include "actors/records/inventory.h"
#include "actors/runtime/journal.h"
#include "config/profile.h"
#include "solver/gang/gang.h"

namespace tessera::bench {

enum class Runner : std::uint8_t {
  kLocal,   // core::LocalEngine: the calling thread, nothing is journaled
  kActors,  // actors::System with its threads, and the journal in memory
};
const char* text(Runner runner);

struct EngineSpec {
  std::uint32_t nodes = 0;
  Runner runner = Runner::kActors;
  bool balanced = false;                                        // profile with balanced placement
  std::int64_t max_steps = config::Profile().search_max_steps;  // of a search within its cycle
  std::unique_ptr<actors::Journal> journal{};                   // kActors; null: a MemoryJournal
  std::uint32_t seed = 13;
};

class EngineLoad {
 public:
  static constexpr std::uint32_t kQueues = 16, kCohorts = 4;

  explicit EngineLoad(EngineSpec spec);

  core::Driver& driver() { return *driver_; }
  std::int64_t gpus() const { return gpus_; }
  std::size_t live() const { return live_.size(); }
  /// Gangs that came so far.
  std::size_t arrivals() const { return arrivals_; }
  std::uint32_t random_below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(random_() % bound);
  }

  /// Inputs for a new gang; queues take turns.
  core::Input arrival(const solver::Gang& gang);
  /// The end of a random live gang.
  core::Input end_of_any();
  /// One instant: `arrivals` gangs of the load's shape come and as many live ones end, mixed.
  std::vector<core::Input> instant(std::size_t arrivals);
  const std::shared_ptr<const core::Workload>& last_arrival() const { return last_arrival_; }

  /// Notes which gangs were admitted; returns how many.
  std::size_t take(const std::vector<std::shared_ptr<const core::CycleRecord>>& records);
  std::size_t run(std::vector<core::Input> inputs);
  /// Starts gangs until they hold `percent` of all GPUs.
  void fill(std::int64_t percent);

 private:
  std::shared_ptr<const core::Inventory> inventory_;
  std::int64_t gpus_ = 0;
  std::unique_ptr<core::Driver> driver_;
  solver::Gang shape_;  // 8 pods of 1 GPU, required rack
  std::vector<core::GangId> live_;
  std::size_t arrivals_ = 0;
  std::shared_ptr<const core::Workload> last_arrival_;
  std::mt19937 random_;
};

/// A gang that is never admitted: each of its 19 pods wants a whole tray, all in one rack, and a
/// rack has 18 trays.
solver::Gang waiting_gang();
/// Gang number `i` of those that take a long search. Three kinds take turns: slices over a third of
/// all trays; more pods than any rack has room for; three pod sets that each want a whole block.
solver::Gang adversary(std::uint32_t nodes, std::size_t i);
/// A harder one: pods of many shapes that may go anywhere, then more pods than a rack has room for.
solver::Gang hard_adversary(std::size_t i);

}  // namespace tessera::bench
