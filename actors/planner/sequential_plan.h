// SPDX-License-Identifier: Apache-2.0
// Sequential planning: one global order over all queues (design.md 3.2).
//
// The next workload is always the best head of all windows by plans_before(); each sees what was
// placed before it. A gang that is placed and wants more is a head again, behind all of its
// priority that hold nothing yet. Runs in the calling thread, deterministic. Decides nothing
// itself: see Planner (one evaluation) and Hope (when a refusal is worth another try).
#pragma once

#include <vector>

#include "actors/planner/plan.h"

namespace tessera::core {

/// Plans the windows, at most `most` workloads; those not reached keep their turn. Stops early
/// where the next in order may be one that a window does not show.
Plan plan_in_sequence(const PlanContext& context, CycleNumber cycle,
                      const std::vector<Window>& windows, std::size_t most);

}  // namespace tessera::core
