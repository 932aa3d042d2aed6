// SPDX-License-Identifier: Apache-2.0
// Which inputs make one cycle.
#include "actors/cycle/input_line.h"

#include <gtest/gtest.h>

#include <ostream>

namespace tessera::core {
namespace {

struct LineCase {
  const char* name;
  std::size_t most, enough;
  std::vector<int> instants;  // how many inputs each has
  std::vector<int> cycles;    // how many each takes
  friend std::ostream& operator<<(std::ostream& out, const LineCase& c) { return out << c.name; }
};

const LineCase kLines[] = {
    {"several instants in one cycle", 10, 10, {3, 3, 3}, {9}},
    {"an instant is not cut", 10, 10, {6, 6, 4}, {6, 10}},
    {"an instant that is larger than a cycle is cut", 10, 10, {3, 25, 2}, {3, 10, 10, 7}},
    {"what is enough does not wait for more", 10, 4, {3, 3, 3}, {6, 3}},
    {"no limit", SIZE_MAX, SIZE_MAX, {5'000, 5'000}, {10'000}},
    {"empty instants are none", 10, 10, {0, 2, 0}, {2}},
};

class InputLines : public testing::TestWithParam<LineCase> {};

TEST_P(InputLines, GiveEachCycleItsInputsInOrder) {
  InputLine line(GetParam().most, GetParam().enough);
  std::int64_t next = 0;
  for (const int count : GetParam().instants) {
    std::vector<Input> instant;
    for (int i = 0; i < count; ++i) instant.emplace_back(Advance{next++});
    line.add(std::move(instant));
  }
  std::int64_t expected = 0;
  for (const int count : GetParam().cycles) {
    const std::vector<Input> inputs = line.take();
    EXPECT_EQ(inputs.size(), static_cast<std::size_t>(count));
    for (const Input& input : inputs) EXPECT_EQ(std::get<Advance>(input).now, expected++);
    EXPECT_EQ(line.taken(), static_cast<std::uint64_t>(expected));
  }
  EXPECT_EQ(expected, next);
  EXPECT_TRUE(line.empty());
  EXPECT_TRUE(line.take().empty());
}
INSTANTIATE_TEST_SUITE_P(All, InputLines, testing::ValuesIn(kLines));

TEST(InputLine, LooksAsFarAheadAsACycleTakes) {
  InputLine line(3, 3);
  const auto ends = [](const Input& input) { return std::holds_alternative<Finish>(input); };
  line.add({Advance{1}, Advance{2}});
  line.add({Advance{3}, Finish{GangId{1}}});
  EXPECT_FALSE(line.comes(ends));
  line.take();
  EXPECT_TRUE(line.comes(ends));
}

}  // namespace
}  // namespace tessera::core
