// SPDX-License-Identifier: Apache-2.0
// Shape: everything in a workload that its evaluation depends on, as bytes that are compared within
// one run (symbols are written as their numbers).
//
// Two workloads of one queue with equal shapes get the same answer on the same books. So when one
// is refused, the other need not be searched. Names, labels, priority and times are not part of a
// shape. Pure; used by QueueState and Judge.
#pragma once

#include <string>

#include "actors/queues/directory.h"

namespace tessera::core {

std::string shape_of(const Workload& workload, const PlanQueue& queue);

/// The shape by which Kueue treats workloads of a queue as equivalent (queues.md 3, bulk move). The
/// priority and the names of the pod sets count too.
std::string bulk_shape_of(const Workload& workload, const PlanQueue& queue);

}  // namespace tessera::core
