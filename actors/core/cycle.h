// SPDX-License-Identifier: Apache-2.0
// Cycle: plans waiting workloads over all queues until nothing more can be placed (design.md 3.2,
// Sequential order).
//
// The next workload is always the best head of all queues by plans_before(); each sees what was
// placed before it. A pass ends when no queue has a head left; a pass that places nothing ends the
// run. Runs in the calling thread, deterministic. Decides nothing itself: see Planner (one
// evaluation), QueueState (heads), Judge (what a refusal amounts to).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "actors/core/never.h"
#include "actors/core/planner.h"
#include "actors/core/queue_state.h"
#include "actors/core/worlds.h"

namespace tessera::core {

class Cycle {
 public:
  /// All outlive the cycle.
  Cycle(const Inventory& inventory, const Directory& directory, const Planner& planner,
        Judge& judge, Worlds& worlds, const EngineOptions& options);

  /// See Engine::run().
  std::vector<Decision> run(const std::vector<std::size_t>& to_place);

 private:
  /// The last evaluation of a workload that waits.
  struct Refused {
    Attempt attempt;
    std::size_t placed_before = 0;  // how many workloads were placed when it was refused
    std::int64_t nanoseconds = 0;
  };
  struct Standing {
    const PlanQueue* queue;
    QueueState state;
    std::map<std::size_t, Refused> refused;
    /// Shape -> a workload of that shape that was refused: while nothing is placed, its answer is
    /// the answer of all.
    std::map<std::string, std::size_t> refused_shapes;
  };

  void submit(const std::vector<std::size_t>& to_place);
  bool pass();
  bool plan(Standing& standing, std::size_t workload);
  bool refuse_alike(Standing& standing, std::size_t workload, const std::string& shape);
  void finish_queue(Standing& standing);
  Decision decision_for(std::size_t workload, const PlanQueue* queue) const;

  const Inventory* inventory_;
  const Directory* directory_;
  const Planner* planner_;
  Judge* judge_;
  Worlds* worlds_;
  const EngineOptions* options_;
  std::vector<Standing> standing_;
  std::vector<Decision> placed_, refused_;
};

}  // namespace tessera::core
