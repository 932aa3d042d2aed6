// SPDX-License-Identifier: Apache-2.0
// TreeWaves: a long search of a gang tree on several threads: the candidate domains of its first
// choice, in waves of a fixed width, each on a private room.
//
// The first candidate in order that leads to a placement wins. Which one that is, what it finds and
// how many steps it took depends on the problem alone, never on the number of threads: a wave has
// the same width on one thread, allowances follow from the waves before, and only the steps up to
// the winner count. Runs in the arena of the caller.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "solver/choice/steps.h"
#include "solver/trees/tree_state.h"

namespace tessera::solver {

struct WaveOptions {
  const std::atomic<bool>* stop = nullptr;
  /// Called at the start of each task, with the place of its candidate: tests delay tasks there.
  std::function<void(std::size_t)> at_start;
};

/// What was found, with its own steps: they outlive the state.
struct FoundState {
  std::unique_ptr<Steps> steps;
  std::unique_ptr<TreeState> state;
};

/// Places the minimum of the root. Spends `steps`. Nothing: no way, or the steps are over.
std::optional<FoundState> search_in_waves(const TreeProblem& problem,
                                          const std::vector<TreeLevel>& levels, Steps& steps,
                                          const WaveOptions& options);

}  // namespace tessera::solver
