// SPDX-License-Identifier: Apache-2.0
// Cuts an assignment into runs of hosts with a common name prefix (placement.md section 9).
#pragma once

#include <cstddef>
#include <vector>

#include "ingest/encode/assignment.h"

namespace tessera::encode {

inline constexpr std::size_t kMostDomainsInSlice = 100'000;
inline constexpr std::size_t kMostSlices = 1'000;

/// End positions of the runs, ascending; the last is the number of domains. Gives one run unless
/// the host is the only level.
std::vector<std::size_t> prefix_runs(const Assignment& assignment);

}  // namespace tessera::encode
