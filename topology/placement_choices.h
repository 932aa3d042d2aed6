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

/// Which of the domains that could take a group of a gang tree is tried first (docs/gang-trees.md).
enum class DomainChoice : std::uint8_t {
  kTightest,       // the one that the group fills most
  kLoosest,        // the one that it fills least
  kFewestDomains,  // one that the gang uses already, else the one that it fills least
  kWholePrice,     // the one where it breaks the fewest domains that nobody uses yet
  kLowestId,       // the first in path order
};

}  // namespace tessera::topology
