// SPDX-License-Identifier: Apache-2.0
// EveryWay: whether the pod sets of a workload fit a cluster in any way at all, also where no order
// of them succeeds, since each is placed where it fits best alone.
//
// Asked before Never is said (any_order.h), so that a small cluster in which a person finds a place
// is never called too small. Tries the counts of every leaf, up to kMostWays looks; a large cluster
// reaches that bound, and then what was shown is that every order is refused. Looks at nodes and
// quota. Not for pod sets without topology.
#pragma once

#include <cstdint>

#include "actors/planner/planner.h"

namespace tessera::core {

/// A fraction of a second.
inline constexpr std::int64_t kMostWays = 200'000;

/// kUnknown: not every way was looked at.
enum class Way : std::uint8_t { kFound, kNone, kUnknown };

/// A way with the fewest pods that are allowed. `books`: nothing is held; they are left as they
/// were.
Way some_way_fits(const Planner& planner, std::span<const Flavor> flavors, const Workload& workload,
                  const PlanQueue& queue, Books& books, QuotaRule rule);

}  // namespace tessera::core
