// SPDX-License-Identifier: Apache-2.0
// The small kernel against ordinary division, and which requests it takes.
#include "solver/counting/small_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/random_world.h"

namespace tessera::solver {
namespace {

using test::Dice;

constexpr std::int32_t kEnd = 1 << 15;

TEST(Divider15, IsExactForEveryNumberAndManyDivisors) {
  for (std::int32_t divisor = 1; divisor < kEnd; divisor += divisor < 600 ? 1 : 61) {
    const Divider15 by(divisor);
    for (std::int32_t x = 0; x < kEnd; ++x) ASSERT_EQ(by.divide(x), x / divisor) << x << divisor;
  }
}

TEST(Divider15, IsExactAroundMultiplesOfEveryDivisor) {
  for (std::int32_t divisor = 1; divisor < kEnd; ++divisor) {
    const Divider15 by(divisor);
    for (std::int32_t x = 0; x < kEnd; x += divisor) {
      ASSERT_EQ(by.divide(x), x / divisor) << x << " / " << divisor;
      const std::int32_t less = std::max(0, x - 1);
      ASSERT_EQ(by.divide(less), less / divisor) << less << " / " << divisor;
    }
  }
}

/// A row of either width, and the request.
struct Row {
  std::vector<std::int32_t> free;
  std::vector<std::int16_t> small;  // the same, if it is a small row
  std::int32_t per_pod = 1;
  SmallTerm term;
};

Row random_row(Dice& dice, std::size_t cells) {
  Row row;
  const bool small = dice.percent(50);
  std::optional<SmallTerm> term;
  int bits = 15;
  while (!term) {
    if (!small) bits = static_cast<int>(dice.between(15, 31));
    const auto odd = static_cast<std::int32_t>(1 + (dice.below(kEnd) >> dice.below(15)));
    row.per_pod = small ? std::min(odd, kEnd - 1)
                        : static_cast<std::int32_t>(std::min<std::int64_t>(
                              std::int64_t{odd} << dice.between(0, 17), INT32_MAX));
    term = small_term(row.per_pod, bits, small);
  }
  row.term = *term;
  const auto fewer = static_cast<int>(dice.below(bits));
  for (std::size_t i = 0; i < cells; ++i) {
    const std::int64_t most = (std::int64_t{1} << bits) - 1;
    row.free.push_back(static_cast<std::int32_t>(
        dice.percent(5) ? most : dice.below(most + 1) >> (dice.percent(50) ? fewer : 0)));
    if (small) row.small.push_back(static_cast<std::int16_t>(row.free.back()));
  }
  return row;
}

struct Result {
  std::vector<std::int32_t> codes;
  std::vector<std::int64_t> tally;
  friend bool operator==(const Result&, const Result&) = default;
};

Result by_division(const std::vector<Row>& rows, const std::vector<std::uint16_t>& verdict,
                   std::size_t cells) {
  Result result;
  result.tally.resize(rows.size(), 5);
  for (std::size_t i = 0; i < cells; ++i) {
    std::int32_t code = INT32_MAX;
    for (std::size_t t = rows.size(); t-- > 0;) {
      const std::int32_t pods = rows[t].free[i] / rows[t].per_pod;
      code = pods == 0 ? -static_cast<std::int32_t>(t) - 1 : std::min(code, pods);
    }
    if (!verdict.empty() && verdict[i] != 0) code = kExcludedLeaf;
    if (code < 0 && code != kExcludedLeaf) ++result.tally[static_cast<std::size_t>(-code - 1)];
    result.codes.push_back(code);
  }
  return result;
}

class SmallKernels : public testing::TestWithParam<CountKernel> {
 protected:
  /// Without the instructions the plain kernel stands in: the run says so.
  static CountKernel kernel() {
    const CountKernel kernel = has_kernel(GetParam()) ? GetParam() : CountKernel::kPlain;
    std::cout << (kernel == GetParam() ? "runs itself\n" : "not on this machine: plain kernel\n");
    return kernel;
  }
  static void expect_like_division(CountKernel kernel, Dice& dice, std::size_t cells) {
    std::vector<Row> rows;
    std::vector<SmallTerm> terms;
    const std::int64_t count = dice.between(1, dice.percent(80) ? 4 : kMostTerms);
    for (std::int64_t t = 0; t < count; ++t) rows.push_back(random_row(dice, cells));
    for (const Row& row : rows) {
      SmallTerm& term = terms.emplace_back(row.term);
      if (row.small.empty()) {
        term.wide = row.free.data();
      } else {
        term.small = row.small.data();
      }
    }
    std::vector<std::uint16_t> verdict;
    const bool filtered = dice.percent(60);
    for (std::size_t i = 0; filtered && i < cells; ++i) {
      verdict.push_back(
          static_cast<std::uint16_t>(dice.percent(20) ? dice.between(1, UINT16_MAX) : 0));
    }
    const std::uint16_t* const verdicts = verdict.empty() ? nullptr : verdict.data();
    Result result;
    result.codes.assign(cells + 1, 77);
    result.tally.resize(rows.size(), 5);
    count_small_cells_by(kernel, terms, verdicts, cells, result.codes.data(), result.tally.data());
    std::vector<std::int32_t> codes(cells + 1, 77);
    count_small_cells_by(kernel, terms, verdicts, cells, codes.data(), nullptr);
    ASSERT_EQ(codes, result.codes) << "without tally, " << cells << " cells";
    ASSERT_EQ(codes.back(), 77);
    result.codes.pop_back();
    ASSERT_EQ(result, by_division(rows, verdict, cells)) << cells << " cells";
  }
};

TEST_P(SmallKernels, CountLikeDivisionForEveryLength) {
  const CountKernel used = kernel();
  Dice dice(4);
  for (std::size_t cells = 0; cells <= 200; ++cells) {
    for (int i = 0; i < 20; ++i) {
      expect_like_division(used, dice, cells);
      ASSERT_FALSE(HasFailure()) << "run " << i;
    }
  }
}

TEST_P(SmallKernels, TallyMoreCellsThanALaneCanCount) {
  const CountKernel used = kernel();
  Dice dice(5);
  for (const std::size_t cells : {70'000U, 600'000U, 1'200'000U}) {
    expect_like_division(used, dice, cells);
  }
}

std::string name_of(const testing::TestParamInfo<CountKernel>& instance) {
  const char* const names[] = {"Plain", "EightLanes", "SixteenLanes"};
  return names[static_cast<int>(instance.param)];
}

INSTANTIATE_TEST_SUITE_P(All, SmallKernels,
                         testing::Values(CountKernel::kPlain, CountKernel::kEightLanes,
                                         CountKernel::kSixteenLanes),
                         name_of);

struct TakenCase {
  const char* name;
  std::int32_t units;
  int bits;
  bool small_row, taken;
};

class SmallTerms : public testing::TestWithParam<TakenCase> {};

TEST_P(SmallTerms, AreTakenWhereTheDivisorsPowerOfTwoLeaves15Bits) {
  const TakenCase& c = GetParam();
  EXPECT_EQ(small_term(c.units, c.bits, c.small_row).has_value(), c.taken);
}

INSTANTIATE_TEST_SUITE_P(
    Requests, SmallTerms,
    testing::Values(TakenCase{"OneDevice", 1, 15, true, true},
                    TakenCase{"MoreThanSmallRowsHold", 1 << 15, 15, true, false},
                    TakenCase{"TwelveCores", 12'000, 18, false, true},
                    TakenCase{"HalfACore", 500, 18, false, false},
                    TakenCase{"AnOddNumberOfMilliCores", 12'001, 18, false, false},
                    TakenCase{"EightGibibytesInMebibytes", 8'192, 20, false, true},
                    TakenCase{"AWideRowOfSmallNumbers", 7, 15, false, true}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace tessera::solver
