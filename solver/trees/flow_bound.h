// SPDX-License-Identifier: Apache-2.0
// Flow bound: how much of what several groups need can be shared out among their domains at once.
// Refuses what each group and each domain alone would accept.
//
// Pure; Boost.Graph computes the flow. A bound: it cuts needs into single units, so it may accept
// what no placement can do, and never the other way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::solver {

/// A group that needs `units` from the domains of its list together.
struct Supply {
  std::int64_t units = 0;
  std::vector<std::uint32_t> domains;  // indexes into the capacities
};

/// The most units that can be shared out. Capacities below 0 count as 0.
std::int64_t most_shared_out(std::span<const Supply> supplies,
                             std::span<const std::int64_t> capacities);

}  // namespace tessera::solver
