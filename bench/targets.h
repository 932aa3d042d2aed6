// SPDX-License-Identifier: Apache-2.0
// What the rows are compared with: the targets of the project and the physical limits of a
// decision.
//
// Data for the table that the program prints; a missed target is no failure. Rows are named
// NAME/NODES/STATE.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::bench {

/// 0: no target. The unit is microseconds, or that of the row's measure (table_reporter.cpp). MB/s,
/// gangs/s and retries avoided must be at least the target, all others at most.
struct Target {
  double p50 = 0, p99 = 0;
  /// p50 is at most so many times the p50 of the same row at a tenth of the nodes.
  double growth = 0;
  /// p99 is at most so many times the p99 of the same row with state `calm`.
  double disturbed = 0;
};

std::optional<Target> target_of(std::string_view name, std::uint32_t nodes, std::string_view state);
/// The physical limit of one decision or full count on the machine of docs/performance.md, in
/// microseconds; 0: unknown.
double limit_of(std::string_view name, std::uint32_t nodes, std::string_view state);

}  // namespace tessera::bench
