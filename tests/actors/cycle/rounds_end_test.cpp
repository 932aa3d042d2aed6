// SPDX-License-Identifier: Apache-2.0
// When the rounds of `rounds: Kueue` are over (queues.md 11.5).
#include "actors/cycle/rounds_end.h"

#include <gtest/gtest.h>

namespace tessera::core {
namespace {

std::map<std::uint32_t, Window> windows(const std::string& unfinished) {
  std::map<std::uint32_t, Window> windows;
  windows[0].unfinished = unfinished;
  return windows;
}

TEST(RoundsEnd, AreNotOverBeforeTheFirst) {
  RoundsEnd rounds;
  EXPECT_FALSE(rounds.are_over(windows("")));
  EXPECT_EQ(rounds.begin_round(), 1);
  EXPECT_EQ(rounds.begin_round(), 2);
}

TEST(RoundsEnd, AreOverWhenTheScanRecordsRepeat) {
  RoundsEnd rounds;
  rounds.begin_round();
  EXPECT_FALSE(rounds.are_over(windows("a")));
  EXPECT_FALSE(rounds.are_over(windows("b")));
  EXPECT_TRUE(rounds.are_over(windows("a")));
  EXPECT_TRUE(rounds.are_over(windows("c"))) << "until something comes from outside";
  rounds.resume();
  EXPECT_FALSE(rounds.are_over(windows("a")));
}

TEST(RoundsEnd, GoOnAfterAMove) {
  RoundsEnd rounds;
  rounds.begin_round();
  EXPECT_FALSE(rounds.are_over(windows("a")));
  rounds.note_move();
  EXPECT_FALSE(rounds.are_over(windows("a")));
  EXPECT_FALSE(rounds.are_over(windows("a"))) << "what was seen before the move does not count";
  EXPECT_TRUE(rounds.are_over(windows("a")));
}

TEST(RoundsEnd, AreOverAfterThirtyIdleOnes) {
  RoundsEnd rounds;
  rounds.begin_round();
  for (int i = 1; i < 30; ++i) EXPECT_FALSE(rounds.are_over(windows(std::to_string(i)))) << i;
  EXPECT_TRUE(rounds.are_over(windows("30")));
}

TEST(RoundsEnd, BlockedHeadsAreGivenOnce) {
  RoundsEnd rounds;
  rounds.block(4);
  rounds.block(2);
  EXPECT_EQ(rounds.take_blocked(), (std::set<std::uint32_t>{2, 4}));
  EXPECT_TRUE(rounds.take_blocked().empty());
}

}  // namespace
}  // namespace tessera::core
