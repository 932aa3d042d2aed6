// SPDX-License-Identifier: Apache-2.0
// PlantedBug: faults that a test builds in, to show that its checks find them.
//
// The code calls planted() at the place of each fault. In a normal build planted() is the constant
// false, and the compiler drops the fault. Only a second build of the sources, for one test,
// defines TESSERA_PLANTED_BUGS (tests/CMakeLists.txt).
#pragma once

#include <cstdint>

namespace tessera::core {

enum class PlantedBug : std::uint8_t {
  kNone,
  kSkippedRelease,        // a gang that ends keeps what it holds
  kCommitBeforeDurable,   // a cycle is published as soon as it is appended
  kDoubleApply,           // a step comes twice, and is done twice
  kLostRetract,           // the planner is not told what was cut off its plan
  kQuotaWithoutCapacity,  // an item asks the quota roots only
};

#ifdef TESSERA_PLANTED_BUGS
inline PlantedBug planted_bug = PlantedBug::kNone;
inline bool planted(PlantedBug bug) { return bug == planted_bug; }
#else
constexpr bool planted(PlantedBug) { return false; }
#endif

}  // namespace tessera::core
