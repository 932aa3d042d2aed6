// SPDX-License-Identifier: Apache-2.0
// Shape: everything of a workload that its evaluation depends on, as bytes to compare by
// within one run (symbols stand in it by number).
//
// Two workloads of one queue with equal shapes get the same answer on the same books: what was
// refused need not be searched again. Names, labels, priority and times are not part of it. Pure;
// used by QueueState and Judge.
#pragma once

#include <string>

#include "actors/queues/directory.h"

namespace tessera::core {

std::string shape_of(const Workload& workload, const PlanQueue& queue);

/// What makes workloads equivalent in a queue for Kueue (queues.md 3, bulk move): priority and
/// names of pod sets count too.
std::string bulk_shape_of(const Workload& workload, const PlanQueue& queue);

}  // namespace tessera::core
