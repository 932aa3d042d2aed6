// SPDX-License-Identifier: Apache-2.0
// Random small worlds and gangs for property tests: at most 3 levels and 8 nodes, so that brute
// force can follow.
//
// The same seed gives the same world everywhere: only the raw numbers of std::mt19937_64 are used.
#pragma once

#include <cstdint>
#include <random>

#include "solver/gang/gang.h"
#include "tests/support/world.h"

namespace tessera::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// 0 .. n-1.
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n));
  }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool percent(int chance) { return below(100) < chance; }

 private:
  std::mt19937_64 engine_;
};

WorldSpec random_world(Dice& dice);

/// One pod set with up to three layers of slices; the outermost size divides the count.
solver::Gang random_pod_set(Dice& dice, const WorldSpec& world);

/// A leader and its workers in either order, without slices.
solver::Gang random_group(Dice& dice, const WorldSpec& world);

/// A leader and its workers. The workers are in slices with up to three layers.
solver::Gang random_sliced_group(Dice& dice, const WorldSpec& world);

/// Two or three pod sets, maybe with a group among them.
solver::Gang random_gang(Dice& dice, const WorldSpec& world);

}  // namespace tessera::test
