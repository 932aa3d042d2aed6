// SPDX-License-Identifier: Apache-2.0
// AnyOrder: whether a workload that is refused in the order of its pod sets could be placed with
// its pod sets in another order.
//
// Asked by Judge about the empty and the healthy cluster, before it says Never: pod sets are placed
// one after the other, and an earlier one may take the only place of a later one. A pod set, or a
// group of them, that is refused alone settles the question. Else orders are tried, equal pod sets
// counting as one, up to kMostOrders evaluations and kMostSteps steps of search. Beyond that
// nothing is known, and the workload waits. Where every order is refused, a small cluster is looked
// through for any way (every_way.h). Changes nothing that it is given.
#pragma once

#include <cstdint>

#include "actors/planner/planner.h"

namespace tessera::core {

/// All orders of five pod sets that differ.
inline constexpr int kMostOrders = 120;
/// Of all orders together: about a second.
inline constexpr std::int64_t kMostSteps = 20'000'000;

/// kMayFit: an order succeeds, or the bounds were reached. kNone: no order does, and no other way.
/// kNoneTried: no order does, but not every other way was looked at.
enum class OtherOrder : std::uint8_t { kMayFit, kNone, kNoneTried };

/// The order of the spec has been refused.
OtherOrder another_order(const Planner& planner, std::span<const Flavor> flavors,
                         const Workload& workload, const PlanQueue& queue, Books& books,
                         QuotaRule rule);

}  // namespace tessera::core
