// SPDX-License-Identifier: Apache-2.0
// What the rows are held against: the targets of the project and the physical limits of a decision.
//
// Data for the table that the program prints; nothing fails by it. Names as in the rows:
// NAME/NODES/STATE.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::bench {

/// 0 where there is none. Microseconds, or what the row measures instead (table_reporter.cpp); at
/// least so much of MB/s, gangs/s and retries avoided.
struct Target {
  double p50 = 0, p99 = 0;
  /// p50 at most so many times that of the same row at a tenth of the nodes.
  double growth = 0;
  /// p99 at most so many times that of the same row with state `calm`.
  double disturbed = 0;
};

std::optional<Target> target_of(std::string_view name, std::uint32_t nodes, std::string_view state);
/// Of one decision or full count on the machine of docs/performance.md, in microseconds.
double limit_of(std::string_view name, std::uint32_t nodes, std::string_view state);

}  // namespace tessera::bench
