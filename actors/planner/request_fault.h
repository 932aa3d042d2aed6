// SPDX-License-Identifier: Apache-2.0
// RequestFault: whether a request is at fault itself, so that it is Invalid whatever is free
// (placement.md 7 [D]): slices that divide no allowed count, a group of the wrong shape, levels and
// layers that contradict each other on every flavor that would serve.
//
// Pure; asked by Planner before a search and by Judge after a refusal. Looks at the workload, its
// queue and the topologies only: never at quota, nodes or what is in use.
#pragma once

#include <optional>
#include <span>

#include "actors/planner/pod_counts.h"
#include "actors/queues/directory.h"

namespace tessera::core {

/// The fault of the first pod set that has one, as a rejection of kind kPlacement. Its flavor is
/// the first one that the fault concerns; empty: the queue has no topology flavor.
/// `partial`: pod sets with a minimum count may have fewer pods.
std::optional<FlavorRejection> request_fault(const Workload& workload, const PlanQueue& queue,
                                             std::span<const Flavor> flavors, bool partial);

/// The rejection for slices that divide no allowed count of pod set `i`.
FlavorRejection remainder_fault(const Workload& workload, const PlanQueue& queue,
                                std::span<const Flavor> flavors, std::size_t i);

}  // namespace tessera::core
