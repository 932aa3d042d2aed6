// SPDX-License-Identifier: Apache-2.0
// Nearest names: which one is suggested, and that looking for them has a bound.
#include "topology/text/nearest.h"

#include <gtest/gtest.h>

#include <ostream>

namespace tessera {
namespace {

struct NearestCase {
  std::string what, name;
  std::vector<std::string> known;
  std::string near;
};

void PrintTo(const NearestCase& c, std::ostream* out) { *out << c.what; }

class Nearest : public testing::TestWithParam<NearestCase> {};

TEST_P(Nearest, IsTheNameWithTheFewestEdits) {
  EXPECT_EQ(nearest(GetParam().name, GetParam().known), GetParam().near);
}

const NearestCase kCases[] = {
    {"a letter too few", "algoritm", {"algorithm"}, "algorithm"},
    {"a letter too many", "queuee", {"queue"}, "queue"},
    {"two letters swapped", "qeuue", {"queue"}, "queue"},
    {"swapped at the end", "rakc", {"rack"}, "rack"},
    {"another letter", "prad", {"prod"}, "prod"},
    {"three edits of nine letters", "abcdefxyz", {"abcdefghi"}, "abcdefghi"},
    {"four edits", "abcdefghwxyz", {"abcdefghijkl"}, ""},
    {"more than a third", "abxy", {"abcd"}, ""},
    {"case alone", "GB", {"gb"}, "gb"},
    {"short and wrong", "gc", {"gb"}, ""},
    {"three letters too few at the start", "defghijkl", {"abcdefghijkl"}, "abcdefghijkl"},
    {"the first of equals", "raca", {"racb", "racc"}, "racb"},
    {"the nearest, not the first", "workers", {"worksrs", "worker", "workers"}, "workers"},
    {"no name", "", {"a"}, ""},
    {"nothing known", "rack", {}, ""},
    {"a known name that is empty", "rack", {"", "rock"}, "rock"},
};
INSTANTIATE_TEST_SUITE_P(Names, Nearest, testing::ValuesIn(kCases));

std::vector<std::string> numbered(const std::string& name, int count) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) out.push_back(name + std::to_string(1'000'000 + i));
  return out;
}

TEST(Speller, SpendsNoMoreThanItsStepsOnManyUnknownNamesAndManyKnownOnes) {
  const std::vector<std::string> known = numbered("known", 1000);
  constexpr std::uint64_t kSteps = 50'000;
  Speller speller(kSteps);
  int suggested = 0;
  for (const std::string& name : numbered("knwon", 1000)) {
    if (!speller.nearest(name, known).empty()) ++suggested;
  }
  // A name of 12 letters costs 13 steps for each of 1,000 known names of about its length.
  EXPECT_EQ(suggested, 3);
  EXPECT_EQ(speller.steps_left(), 0u);
  EXPECT_EQ(speller.nearest("rakc", {"rack"}), "");
}

TEST(Speller, CountsNamesOfAnotherLengthAsOneStep) {
  Speller speller(100);
  EXPECT_EQ(speller.nearest("rakc", {"a", "very long", "rack"}), "rack");
  EXPECT_EQ(speller.steps_left(), 93u);
}

}  // namespace
}  // namespace tessera
