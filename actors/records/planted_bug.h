// SPDX-License-Identifier: Apache-2.0
// PlantedBug: faults that a test builds in, to show that its checks find them.
//
// planted() is asked where the fault would be. It is false when compiled, and nothing is left of
// the question, unless TESSERA_PLANTED_BUGS is defined, which only a second build of the sources
// for a test does (tests/CMakeLists.txt).
#pragma once

#include <cstdint>

namespace tessera::core {

enum class PlantedBug : std::uint8_t {
  kNone,
  kSkippedRelease,        // a gang that ends keeps what it holds
  kCommitBeforeDurable,   // a cycle is published as soon as it is appended
  kDoubleApply,           // a step comes twice, and is done twice
  kLostRetract,           // the planner does not hear what was cut off
  kQuotaWithoutCapacity,  // an item asks the quota roots only
};

#ifdef TESSERA_PLANTED_BUGS
inline PlantedBug planted_bug = PlantedBug::kNone;
inline bool planted(PlantedBug bug) { return bug == planted_bug; }
#else
constexpr bool planted(PlantedBug) { return false; }
#endif

}  // namespace tessera::core
