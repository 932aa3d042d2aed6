// SPDX-License-Identifier: Apache-2.0
// Random small worlds with gang trees: what the search says is what trying everything says.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/trees/tree_oracle.h"

namespace tessera::test {
namespace {

constexpr std::int64_t kWorldSteps = 20'000'000;

TEST(TreeWorlds, AGangIsPlacedExactlyIfSomeWayExists) {
  const std::uint64_t worlds = std::getenv("TESSERA_SOAK") != nullptr ? 100'000 : 3'000;
  std::uint64_t placed = 0;
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    const TreeVector vector = draw_tree_world(seed);
    const TreeVectorGang& gang = vector.gangs[0];
    TreeWorld world(vector);
    const TreeWorld::Result result = world.place(gang, kWorldSteps);
    ASSERT_EQ(result.verdict == solver::TreeVerdict::kPlaced, tree_fits(vector, gang))
        << "seed " << seed;
    std::map<std::string, TreePlaces> places{{gang.name, result.places}};
    if (result.verdict == solver::TreeVerdict::kPlaced) {
      ++placed;
      for (const auto& [pod, node] : world.extend(gang, kWorldSteps).places) {
        places[gang.name].emplace(pod, node);
      }
    } else {
      ASSERT_TRUE(result.places.empty()) << "seed " << seed;
    }
    ASSERT_EQ(broken_rules(vector, places), std::vector<std::string>()) << "seed " << seed;
  }
  // Both answers are common.
  EXPECT_GT(placed, worlds / 5);
  EXPECT_LT(placed, worlds * 4 / 5);
}

}  // namespace
}  // namespace tessera::test
