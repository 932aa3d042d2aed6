// SPDX-License-Identifier: Apache-2.0
// The flow bound: it shares out as much as can be, and never less.
#include "solver/trees/flow_bound.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace tessera::solver {
namespace {

TEST(FlowBound, ThreeGroupsForTwoDomains) {
  const std::vector<Supply> supplies{{1, {0, 1}}, {1, {0, 1}}, {1, {0, 1}}};
  EXPECT_EQ(most_shared_out(supplies, std::vector<std::int64_t>{1, 1, 1}), 2);
  EXPECT_EQ(most_shared_out(supplies, std::vector<std::int64_t>{2, 1, 0}), 3);
}

TEST(FlowBound, EveryDomainHasRoomForEachGroupButNotForAll) {
  // 24 units of room for 24 units, but the second domain serves one group only.
  const std::vector<Supply> supplies{{8, {0}}, {8, {0}}, {8, {0, 1}}};
  EXPECT_EQ(most_shared_out(supplies, std::vector<std::int64_t>{12, 12}), 20);
}

TEST(FlowBound, NothingToShareOutAndNoRoom) {
  EXPECT_EQ(most_shared_out({}, {}), 0);
  EXPECT_EQ(most_shared_out(std::vector<Supply>{{5, {}}}, std::vector<std::int64_t>{9}), 0);
  EXPECT_EQ(most_shared_out(std::vector<Supply>{{5, {0}}}, std::vector<std::int64_t>{-3}), 0);
}

/// The most units by trying every way, a unit at a time.
std::int64_t by_hand(const std::vector<Supply>& supplies, std::vector<std::int64_t> room) {
  std::function<std::int64_t(std::size_t, std::int64_t)> go = [&](std::size_t s,
                                                                  std::int64_t left) {
    if (s == supplies.size()) return std::int64_t{0};
    const std::int64_t next = s + 1 < supplies.size() ? supplies[s + 1].units : 0;
    std::int64_t best = go(s + 1, next);
    for (const std::uint32_t d : supplies[s].domains) {
      if (left == 0 || room[d] == 0) continue;
      --room[d];
      best = std::max(best, 1 + go(s, left - 1));
      ++room[d];
    }
    return best;
  };
  return supplies.empty() ? 0 : go(0, supplies[0].units);
}

TEST(FlowBound, AgreesWithTryingEveryWay) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    std::mt19937_64 random(seed);
    const auto roll = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    std::vector<std::int64_t> room(static_cast<std::size_t>(roll(1, 3)));
    for (std::int64_t& each : room) each = roll(0, 3);
    std::vector<Supply> supplies(static_cast<std::size_t>(roll(0, 3)));
    for (Supply& supply : supplies) {
      supply.units = roll(0, 3);
      for (std::uint32_t d = 0; d < room.size(); ++d) {
        if (roll(0, 1) == 0) supply.domains.push_back(d);
      }
    }
    EXPECT_EQ(most_shared_out(supplies, room), by_hand(supplies, room)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tessera::solver
