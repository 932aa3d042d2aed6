// SPDX-License-Identifier: Apache-2.0
// Cold counts on several threads: the same answers for any number of them, and all of them work.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/live_world.h"

namespace tessera::test {
namespace {

using Search = LiveWorld::Search;

/// Large enough for parallel counts; two keys, so that nearly every decision counts anew.
LiveWorldSpec large_world(int threads) {
  return {.blocks = 80,
          .racks_in_block = 50,
          .nodes_in_rack = 18,
          .index = {.max_keys = 2, .max_age_cycles = 1000, .threads = threads}};
}

/// The answers of gangs of 50 shapes in rotation, each booked, and at times one that ends.
std::string answers(LiveWorld& world, Search search) {
  Dice dice(11);
  std::vector<solver::Gang> shapes;
  for (int i = 0; i < 50; ++i) {
    shapes.push_back(dice.percent(30) ? random_sliced_group(dice, world.shapes())
                                      : random_pod_set(dice, world.shapes()));
  }
  std::string out;
  for (std::size_t step = 0; step < 120; ++step) {
    const solver::Gang& gang = shapes[step % shapes.size()];
    const solver::Answer answer = world.place(gang, {}, search);
    out += world.text(answer) + "\n";
    if (const auto* placement = std::get_if<solver::Placement>(&answer)) {
      world.book(gang, *placement);
    }
    if (step % 3 == 2) world.release(0);
  }
  return out;
}

const std::string& plain_answers() {
  static const std::string kAnswers = [] {
    LiveWorld world(large_world(1), 7);
    return answers(world, Search::kPlain);
  }();
  return kAnswers;
}

class IndexThreads : public testing::TestWithParam<int> {};

TEST_P(IndexThreads, AllTakePartAndNoneChangesAnAnswer) {
  LiveWorld world(large_world(GetParam()), 7);
  EXPECT_EQ(answers(world, Search::kIndex), plain_answers());
  // A count is short: threads of a machine with fewer cores need some before each had a turn.
  Dice dice(13);
  const solver::Gang one = random_pod_set(dice, world.shapes());
  const solver::Gang other = random_group(dice, world.shapes());
  const solver::Gang third = random_sliced_group(dice, world.shapes());
  for (int i = 0; i < 400'000 && world.index().threads_seen() < GetParam(); ++i) {
    for (const solver::Gang* gang : {&one, &other, &third}) {
      world.place(*gang, {}, Search::kIndex);
    }
  }
  EXPECT_EQ(world.index().threads_seen(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Threads, IndexThreads, testing::Values(1, 2, 4, 8));

}  // namespace
}  // namespace tessera::test
