// SPDX-License-Identifier: Apache-2.0
// The choices of how pods are placed that a profile offers and the solver follows.
//
// Named here once, since config may not include solver nor the other way round, and both may
// include topology. Plain values; the rule named beside each choice says what its values do.
#pragma once

#include <cstdint>

namespace tessera::topology {

// placement.md 4.1, 4.2
enum class Algorithm : std::uint8_t { kBestFit, kLeastFreeCapacity, kMostFreeCapacity };
enum class BalancedPlacement : std::uint8_t { kOff, kWhenFewer, kKueue };  // placement.md 5
enum class LeaderFilters : std::uint8_t { kOwn, kWorkers };  // placement.md 2.2, Kueue issue 15373
enum class SliceRemainder : std::uint8_t { kReject, kKueue };  // placement.md 7 [D]

}  // namespace tessera::topology
