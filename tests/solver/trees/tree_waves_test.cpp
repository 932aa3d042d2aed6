// SPDX-License-Identifier: Apache-2.0
// Searches on several threads: the answer, its places and its steps are those of one thread,
// however long each task takes.
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <random>

#include "tests/support/trees/tree_oracle.h"

namespace tessera::test {
namespace {

constexpr std::int64_t kWaveSteps = 20'000'000;

/// Waits for a random number of turns of a counter, so that tasks end in any order.
std::function<void(std::size_t)> delays(std::uint64_t seed) {
  return [seed](std::size_t place) {
    std::mt19937_64 random(seed * 1'000 + place);
    std::atomic<std::uint64_t> turns{random() % 20'000};
    while (turns.load() > 0) turns.fetch_sub(1);
  };
}

TreeWorld::Result place_on(int threads, const TreeVector& vector, std::uint64_t seed) {
  oneapi::tbb::task_arena arena(threads);
  TreeWorld world(vector);
  TreeWorld::Result out;
  arena.execute([&] { out = world.place_in_waves(vector.gangs[0], kWaveSteps, delays(seed)); });
  return out;
}

TEST(TreeWaves, TheAnswerIsTheSameForAnyNumberOfThreads) {
  const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, 8);
  std::size_t placed = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const TreeVector vector = draw_tree_world(seed);
    const TreeWorld::Result one = place_on(1, vector, seed);
    ASSERT_EQ(one.verdict == solver::TreeVerdict::kPlaced, tree_fits(vector, vector.gangs[0]))
        << "seed " << seed;
    ++(one.verdict == solver::TreeVerdict::kPlaced ? placed : refused);
    for (const int threads : {2, 4, 8}) {
      const TreeWorld::Result more = place_on(threads, vector, seed + 1'000);
      ASSERT_EQ(more.verdict, one.verdict) << "seed " << seed;
      ASSERT_EQ(more.places, one.places) << "seed " << seed;
      ASSERT_EQ(more.steps, one.steps) << "seed " << seed;
    }
  }
  EXPECT_GT(placed, 20U);
  EXPECT_GT(refused, 20U);
}

/// A rack of eight hosts of 20 GPUs, and a group whose pods of six sizes need all but `spare` of
/// them.
TreeVector tight_rack(std::uint64_t seed, std::int64_t spare) {
  constexpr std::int64_t kHosts = 8, kGpus = 20;
  std::mt19937_64 random(seed);
  TreeVector out;
  out.levels = {"rack"};
  for (std::int64_t n = 0; n < kHosts; ++n) {
    topology::NodeRecord& node = out.nodes.emplace_back();
    node.name = topology::Symbol("n" + std::to_string(n));
    node.labels.set(topology::Symbol("rack"), topology::Symbol("r"));
    node.allocatable = {{topology::gpu_resource(), kGpus}, {topology::pods_resource(), 100}};
    node.ready = true;
  }
  TreeVectorGroup tree;
  tree.name = "g";
  tree.required = "rack";
  for (std::int64_t left = kHosts * kGpus - spare; left > 0;) {
    const auto size = std::min(left, static_cast<std::int64_t>(6 + random() % 6));
    left -= size;
    tree.pods.push_back({"p" + std::to_string(tree.pods.size()),
                         {{topology::gpu_resource(), size}, {topology::pods_resource(), 1}}});
  }
  tree.min_pods = static_cast<std::int64_t>(tree.pods.size());
  out.gangs.push_back({"g", tree, std::nullopt});
  return out;
}

TEST(TreeWaves, NoTrySpendsMoreThanTheGangHasLeft) {
  std::size_t bounded = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const TreeVector vector = tight_rack(seed, 1);
    constexpr std::int64_t kFewSteps = 1'000;
    const auto result = TreeWorld(vector).place_in_waves(vector.gangs[0], kFewSteps, {});
    if (result.verdict != solver::TreeVerdict::kBounded) continue;
    ++bounded;
    // The one task of a wave may spend what was left; the allowance of a round is larger.
    EXPECT_LE(result.steps, 2 * kFewSteps + 500) << "seed " << seed;
  }
  EXPECT_GT(bounded, 5U);
}

TEST(TreeWaves, AgreeWithTryingEveryWay) {
  for (std::uint64_t seed = 5'000; seed < 6'000; ++seed) {
    const TreeVector vector = draw_tree_world(seed);
    TreeWorld world(vector);
    const TreeWorld::Result result = world.place_in_waves(vector.gangs[0], kWaveSteps, {});
    ASSERT_EQ(result.verdict == solver::TreeVerdict::kPlaced, tree_fits(vector, vector.gangs[0]))
        << "seed " << seed;
    ASSERT_EQ(broken_rules(vector, {{vector.gangs[0].name, result.places}}),
              std::vector<std::string>())
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace tessera::test
