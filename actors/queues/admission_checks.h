// SPDX-License-Identifier: Apache-2.0
// What both orders of planning (Sequential, Rounds) decide in the same way: the checks that a
// placed workload waits for, and the decision on a workload that no queue takes.
#pragma once

#include <string>
#include <vector>

#include "actors/queues/directory.h"

namespace tessera::core {

/// The admission checks that a placed workload still waits for: one of its flavors requires the
/// check, and the check is not ready (queues.md 9).
std::vector<std::string> open_checks(const Workload& workload, const PlanQueue& queue,
                                     const std::vector<PodSetDecision>& pod_sets);

/// The decision on a workload that stands in no queue. Does not name the workload.
Decision unplanned(const Directory::Entry& entry);

}  // namespace tessera::core
