// SPDX-License-Identifier: Apache-2.0
// Rounds: plans one round as Kueue does: one head of every ClusterQueue (queues.md 2, 11;
// `rounds: Kueue`).
//
// All heads are nominated on the books as they are at its start, sorted, and processed one after
// the other on the running books; the outcomes say how each is requeued. Runs in the calling
// thread, deterministic. See Nominator (one evaluation), QueueState (requeueing), Cycle (when
// rounds end).
#pragma once

#include <vector>

#include "actors/planner/plan.h"

namespace tessera::core {

/// `round`: its number, from 1. Of each window the first item is the head.
Plan plan_round(const PlanContext& context, CycleNumber cycle, int round,
                const std::vector<Window>& windows);

}  // namespace tessera::core
