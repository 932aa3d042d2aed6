// SPDX-License-Identifier: Apache-2.0
// Size classes and the two searches over them, by hand.
#include "solver/counting/buckets.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tessera::solver {
namespace {

struct ClassCase {
  const char* name;
  std::int64_t number;
  int size_class;
};

void PrintTo(const ClassCase& c, std::ostream* out) { *out << c.number; }

class BucketClass : public testing::TestWithParam<ClassCase> {};

TEST_P(BucketClass, IsThatOfTheNumber) {
  EXPECT_EQ(Buckets::class_of(GetParam().number), GetParam().size_class);
}

TEST_P(BucketClass, HasTheNumberInItsRangeAndNoOtherClassHas) {
  for (int each = 0; each < 64; ++each) {
    EXPECT_EQ(Buckets::range_of(each).has(GetParam().number), each == GetParam().size_class)
        << each;
  }
}

TEST(BucketRanges, CoverAllNumbersOnce) {
  EXPECT_EQ(Buckets::range_of(0).least, INT64_MIN);
  for (int each = 1; each < 64; ++each) {
    EXPECT_EQ(Buckets::range_of(each).least, Buckets::range_of(each - 1).most + 1) << each;
  }
  EXPECT_EQ(Buckets::range_of(63).most, INT64_MAX);
}

const ClassCase kClasses[] = {
    {"BelowNothing", -5, 0},
    {"Nothing", 0, 0},
    {"One", 1, 1},
    {"TheLastOfItsOwn", 31, 31},
    {"TheFirstQuarterFrom32", 32, 32},
    {"ItsEnd", 39, 32},
    {"TheSecondQuarter", 40, 33},
    {"TheLastQuarter", 63, 35},
    {"TheNextDoubling", 64, 36},
    {"TheClassBeforeTheLast", 7'167, 62},
    {"TheLast", 7'168, 63},
    {"BeyondTheLast", std::int64_t{1} << 40, 63},
};
INSTANTIATE_TEST_SUITE_P(ByHand, BucketClass, testing::ValuesIn(kClasses),
                         [](const auto& instance) { return std::string(instance.param.name); });

using Positions = std::vector<std::uint32_t>;

/// 200 numbers of which all but these are 0, with the positions that a search looked at.
class Row {
 public:
  explicit Row(const std::vector<std::pair<std::uint32_t, std::int64_t>>& numbers,
               std::uint32_t aligned = 0) {
    buckets_.reset(kSize, aligned);
    for (std::uint32_t i = 0; i < kSize; ++i) buckets_.note(i, 0);
    for (const auto& [position, number] : numbers) set(position, number);
  }
  void set(std::uint32_t position, std::int64_t number) {
    numbers_[position] = number;
    buckets_.note(position, number);
  }
  /// The positions that were visited; a number of `enough` or above ends the search with its class.
  Positions rising(std::uint32_t begin, std::uint32_t end, int from, Buckets::Equals equals,
                   std::int64_t enough) {
    Positions out;
    buckets_.rising(
        begin, end, from, equals, [this](std::uint32_t at) { return word_from(at); },
        [&](std::uint32_t at) {
          out.push_back(at);
          return numbers_[at] >= enough;
        });
    return out;
  }
  Positions falling(std::uint32_t begin, std::uint32_t end, Buckets::Equals equals) {
    Positions out;
    buckets_.falling(
        begin, end, equals, [this](std::uint32_t at) { return word_from(at); },
        [&](std::uint32_t at) {
          out.push_back(at);
          return true;
        });
    return out;
  }
  /// Words looked at since the last call.
  int reads() { return std::exchange(reads_, 0); }

 private:
  static constexpr std::uint32_t kSize = 200;
  const std::int64_t* word_from(std::uint32_t at) {
    ++reads_;
    return &numbers_[at];
  }
  std::vector<std::int64_t> numbers_ = std::vector<std::int64_t>(kSize, 0);
  Buckets buckets_;
  int reads_ = 0;
};

constexpr auto kAll = Buckets::Equals::kAll;
constexpr auto kFirst = Buckets::Equals::kFirst;

TEST(Buckets, RisingTakesTheLowestClassThatSuffices) {
  Row row({{3, 9}, {70, 5}, {130, 7}, {131, 7}});
  EXPECT_EQ(row.rising(0, 200, 6, kAll, 6), (Positions{130, 131}));
}

TEST(Buckets, RisingStopsAtTheFirstOfEqualNumbers) {
  Row row({{3, 9}, {130, 7}, {131, 7}, {199, 7}});
  EXPECT_EQ(row.rising(0, 200, 6, kFirst, 6), (Positions{130}));
}

// 32 to 39 are one class: a larger one of them must not hide a smaller one behind it.
TEST(Buckets, RisingLooksAtAWholeClassOfDifferentNumbers) {
  Row row({{3, 39}, {130, 33}});
  EXPECT_EQ(row.rising(0, 200, 32, kFirst, 32), (Positions{3, 130}));
}

TEST(Buckets, RisingPassesByWhatIsLargerThanWhatItFound) {
  const Row row({{3, 34}, {64, 39}, {90, 33}, {130, 34}, {131, 33}});
  EXPECT_EQ(Row(row).rising(0, 200, 32, kFirst, 32), (Positions{3, 90}));
  EXPECT_EQ(Row(row).rising(0, 200, 32, kAll, 32), (Positions{3, 90, 131}));
}

TEST(Buckets, RisingStopsAtTheSmallestNumberOfItsClass) {
  Row row({{3, 34}, {64, 32}, {90, 33}, {130, 32}});
  row.reads();
  EXPECT_EQ(row.rising(0, 200, 32, kFirst, 32), (Positions{3, 64}));
  EXPECT_EQ(row.reads(), 2);
}

TEST(Buckets, FallingPassesByWhatIsSmallerThanWhatItFound) {
  Row row({{3, 33}, {64, 32}, {90, 39}, {130, 34}});
  EXPECT_EQ(row.falling(0, 200, kFirst), (Positions{3, 90}));
}

// Class 32 begins below 36: what is too small in it does not end the search.
TEST(Buckets, RisingGoesOnBehindAClassInWhichNobodySuffices) {
  Row row({{3, 34}, {130, 41}});
  EXPECT_EQ(row.rising(0, 200, Buckets::class_of(36), kAll, 36), (Positions{3, 130}));
}

TEST(Buckets, NothingOutsideTheRunIsVisited) {
  Row row({{9, 7}, {10, 7}, {149, 7}, {150, 7}});
  EXPECT_EQ(row.rising(10, 150, 6, kAll, 6), (Positions{10, 149}));
  EXPECT_EQ(row.falling(11, 149, kAll).size(), 138U);  // all are 0
  EXPECT_EQ(row.rising(0, 0, 0, kAll, 0), Positions{});
}

TEST(Buckets, ASearchOfAPartKeepsWhatAWordSaysOfTheRest) {
  Row row({{9, 7}, {20, 8}});
  row.set(20, 0);
  EXPECT_EQ(row.rising(16, 64, 6, kAll, 6), Positions{});
  EXPECT_EQ(row.rising(0, 64, 6, kAll, 6), (Positions{9}));
}

// The first word holds 10 domains of another level, the last word of the row ends after 8.
TEST(Buckets, AWordSharedWithAnotherLevelForgetsWhatNoneOfItsDomainsHas) {
  Row row({{12, 7}, {195, 8}});
  row.set(12, 0);
  row.set(195, 0);
  row.reads();
  EXPECT_EQ(row.rising(10, 200, 6, kAll, 6), Positions{});
  EXPECT_EQ(row.reads(), 2);
  EXPECT_EQ(row.rising(10, 200, 6, kAll, 6), Positions{});
  EXPECT_EQ(row.reads(), 0);
}

TEST(Buckets, ARunFromTheAlignedDomainOnReadsNoWordOfTheDomainsBeforeIt) {
  Row row({{9, 7}, {10, 8}, {75, 9}, {199, 7}}, 10);
  EXPECT_EQ(row.rising(10, 200, 6, kAll, 6), Positions{199});
  EXPECT_EQ(row.reads(), 1);
  EXPECT_EQ(row.rising(10, 200, 9, kAll, 9), Positions{75});
  EXPECT_EQ(row.rising(0, 10, 6, kAll, 6), Positions{9});
  EXPECT_EQ(row.rising(0, 200, 6, kAll, 6), (Positions{9, 199}));
}

TEST(Buckets, FallingTakesTheLargest) {
  Row row({{3, 9}, {70, 50}, {130, 7}});
  EXPECT_EQ(row.falling(0, 200, kFirst), (Positions{70}));
  row.set(70, 1);
  EXPECT_EQ(row.falling(0, 200, kFirst), (Positions{3}));
}

TEST(Buckets, AClassThatEmptiedIsForgottenByTheSearchThatFindsItEmpty) {
  Row row({{3, 9}, {70, 50}});
  row.set(70, 0);
  row.reads();
  EXPECT_EQ(row.rising(0, 200, 40, kAll, 40), Positions{});
  EXPECT_EQ(row.reads(), 0);  // 50 is of class 34: nothing of class 40 or above was ever there
  EXPECT_EQ(row.rising(0, 200, 33, kAll, 33), Positions{});
  EXPECT_EQ(row.reads(), 1);  // the word of position 70
  EXPECT_EQ(row.rising(0, 200, 33, kAll, 33), Positions{});
  EXPECT_EQ(row.reads(), 0);
}

}  // namespace
}  // namespace tessera::solver
