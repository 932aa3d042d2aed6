// SPDX-License-Identifier: Apache-2.0
// What the orders of planning (Cycle, Rounds) decide alike: checks that a placed workload waits
// for, and workloads that no queue takes.
#pragma once

#include <string>
#include <vector>

#include "actors/queues/directory.h"

namespace tessera::core {

/// Checks that a placed workload still waits for: required by one of its flavors and not ready
/// (queues.md 9).
std::vector<std::string> open_checks(const Workload& workload, const PlanQueue& queue,
                                     const std::vector<PodSetDecision>& pod_sets);

/// The decision on workload number `id`, which stands in no queue.
Decision unplanned(std::size_t id, const Directory::Entry& entry);

}  // namespace tessera::core
