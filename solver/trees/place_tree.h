// SPDX-License-Identifier: Apache-2.0
// place_tree(): decides where the pods of a gang tree go, or proves that they cannot go anywhere.
//
// A pure function of its arguments. The minimum is placed whole or not at all; optional groups and
// elastic pods as far as they fit beside it. A preferred level is kept where possible and never
// refuses anything. Not for a gang of one group: place_gang() places those.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "solver/trees/tree_problem.h"

namespace tessera::solver {

enum class TreePart : std::uint8_t {
  kMinimum,  // no more than the minimum; nothing if what runs meets it already
  kElastic,  // the same, and then all that fits besides
};

struct TreeOptions {
  TreePart part = TreePart::kMinimum;
  std::int64_t max_steps = INT64_MAX;
  const std::atomic<bool>* stop = nullptr;
  /// A search that has spent so many steps goes on with several threads (tree_waves.h).
  std::int64_t steps_alone = 40'000;
  std::function<void(std::size_t)> at_start;  // of a task on another thread, for tests
};

TreeAnswer place_tree(const TreeProblem& problem, const TreeOptions& options = {});

}  // namespace tessera::solver
