// SPDX-License-Identifier: Apache-2.0
// Rounds: plans one round as Kueue does: one head of every ClusterQueue (queues.md 2, 11;
// `rounds: Kueue`).
//
// All heads are nominated on the books at the start of the round, then sorted, then decided one
// after the other on the running books. The outcomes say how each head returns to its queue. Runs
// in the calling thread, deterministic. See Nominator (one evaluation), QueueState (requeueing),
// and actors/cycle (when rounds end).
#pragma once

#include <vector>

#include "actors/planner/plan.h"

namespace tessera::core {

/// `round`: its number, from 1. The first item of each window is the head.
Plan plan_round(const PlanContext& context, CycleNumber cycle, int round,
                const std::vector<Window>& windows);

}  // namespace tessera::core
