// SPDX-License-Identifier: Apache-2.0
// The counting kernels against ordinary division.
#include "solver/counting/count_kernel.h"

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "tests/support/random_world.h"

namespace tessera::solver {
namespace {

using test::Dice;

constexpr std::int32_t kMost = INT32_MAX;

void expect_exact(std::int32_t divisor, std::int64_t x) {
  if (x < 0 || x > kMost) return;
  const auto value = static_cast<std::int32_t>(x);
  ASSERT_EQ(Divider31(divisor).divide(value), value / divisor) << value << " / " << divisor;
}

/// Around every end that could go wrong: 0, multiples of the divisor, the largest number.
void expect_exact(std::int32_t divisor, Dice& dice) {
  for (const std::int64_t x : {std::int64_t{0}, std::int64_t{1}, std::int64_t{kMost}}) {
    expect_exact(divisor, x);
  }
  const std::int64_t largest = kMost / divisor;
  for (const std::int64_t multiple :
       {std::int64_t{1}, largest / 2, largest, dice.below(largest + 1), dice.below(largest + 1)}) {
    for (std::int64_t off = -1; off <= 1; ++off) expect_exact(divisor, multiple * divisor + off);
  }
}

TEST(Divider31, IsExactForSmallDivisors) {
  Dice dice(1);
  for (std::int32_t divisor = 1; divisor <= 4096; ++divisor) expect_exact(divisor, dice);
}

TEST(Divider31, IsExactAroundPowersOfTwo) {
  Dice dice(2);
  for (int bit = 1; bit < 31; ++bit) {
    for (std::int64_t off = -3; off <= 3; ++off) {
      const std::int64_t divisor = (std::int64_t{1} << bit) + off;
      if (divisor >= 1) expect_exact(static_cast<std::int32_t>(divisor), dice);
    }
  }
  expect_exact(kMost, dice);
}

TEST(Divider31, IsExactForRandomDivisors) {
  Dice dice(3);
  for (int i = 0; i < 100'000; ++i) {
    expect_exact(static_cast<std::int32_t>(1 + (dice.below(kMost) >> dice.below(31))), dice);
  }
}

/// Terms with their amounts, for the oracle.
struct Problem {
  std::vector<std::vector<std::int32_t>> free;
  std::vector<std::int32_t> per_pod, taken;
  std::vector<std::uint16_t> verdict;

  std::size_t cells() const { return free.front().size(); }
  std::vector<CountTerm> terms() const {
    std::vector<CountTerm> terms;
    for (std::size_t t = 0; t < free.size(); ++t) {
      terms.push_back({free[t].data(), taken[t], Divider31(per_pod[t])});
    }
    return terms;
  }
};

Problem random_problem(Dice& dice, std::size_t cells) {
  Problem problem;
  const std::int64_t terms = dice.between(1, dice.percent(80) ? 4 : kMostTerms);
  for (std::int64_t t = 0; t < terms; ++t) {
    const auto small = static_cast<int>(dice.below(31));
    std::vector<std::int32_t>& free = problem.free.emplace_back();
    for (std::size_t i = 0; i < cells; ++i) {
      free.push_back(static_cast<std::int32_t>(dice.below(kMost) >> small));
    }
    const auto shrink = static_cast<int>(dice.between(std::min(small, 29), 30));
    problem.per_pod.push_back(static_cast<std::int32_t>(
        dice.percent(40) ? 1 << dice.below(31) : 1 + (dice.below(kMost) >> shrink)));
    problem.taken.push_back(
        dice.percent(50) ? 0 : static_cast<std::int32_t>(dice.below(kMost) >> shrink));
  }
  if (dice.percent(60)) {
    for (std::size_t i = 0; i < cells; ++i) {
      problem.verdict.push_back(
          static_cast<std::uint16_t>(dice.percent(20) ? dice.between(1, UINT16_MAX) : 0));
    }
  }
  return problem;
}

struct Result {
  std::vector<std::int32_t> codes;
  std::vector<std::int64_t> tally;
  friend bool operator==(const Result&, const Result&) = default;
};

Result by_division(const Problem& problem) {
  Result result;
  result.tally.resize(problem.free.size(), 5);
  for (std::size_t i = 0; i < problem.cells(); ++i) {
    std::int64_t code = kMost;
    for (std::size_t t = problem.free.size(); t-- > 0;) {
      const std::int64_t left =
          std::max(std::int64_t{0}, std::int64_t{problem.free[t][i]} - problem.taken[t]);
      const std::int64_t pods = left / problem.per_pod[t];
      code = pods == 0 ? -static_cast<std::int64_t>(t) - 1 : std::min(code, pods);
    }
    if (!problem.verdict.empty() && problem.verdict[i] != 0) code = kExcludedLeaf;
    if (code < 0 && code != kExcludedLeaf) ++result.tally[static_cast<std::size_t>(-code - 1)];
    result.codes.push_back(static_cast<std::int32_t>(code));
  }
  return result;
}

Result by_kernel(const Problem& problem, CountKernel kernel) {
  Result result;
  result.codes.resize(problem.cells());
  result.tally.resize(problem.free.size(), 5);
  count_cells_by(kernel, problem.terms(),
                 problem.verdict.empty() ? nullptr : problem.verdict.data(), problem.cells(),
                 result.codes.data(), result.tally.data());
  return result;
}

class CountKernels : public testing::TestWithParam<CountKernel> {};

TEST_P(CountKernels, CountLikeDivisionForEveryLength) {
  // Without the instructions the plain kernel stands in: the run says so.
  const CountKernel kernel = has_kernel(GetParam()) ? GetParam() : CountKernel::kPlain;
  std::cout << (kernel == GetParam() ? "runs itself\n" : "not on this machine: plain kernel\n");
  Dice dice(4);
  for (std::size_t cells = 0; cells <= 150; ++cells) {
    for (int i = 0; i < 20; ++i) {
      const Problem problem = random_problem(dice, cells);
      const Result counted = by_kernel(problem, kernel);
      ASSERT_EQ(counted, by_division(problem)) << cells << " cells, run " << i;
      std::vector<std::int32_t> codes(cells + 1, 77);
      count_cells_by(kernel, problem.terms(),
                     problem.verdict.empty() ? nullptr : problem.verdict.data(), cells,
                     codes.data(), nullptr);
      EXPECT_EQ(codes.back(), 77);
      codes.pop_back();
      ASSERT_EQ(codes, counted.codes) << "without tally, " << cells << " cells";
    }
  }
}

std::string name_of(const testing::TestParamInfo<CountKernel>& instance) {
  const char* const names[] = {"Plain", "EightLanes", "SixteenLanes"};
  return names[static_cast<int>(instance.param)];
}

INSTANTIATE_TEST_SUITE_P(All, CountKernels,
                         testing::Values(CountKernel::kPlain, CountKernel::kEightLanes,
                                         CountKernel::kSixteenLanes),
                         name_of);

TEST(CountKernel, TheFirstTermWithoutRoomIsNamed) {
  const std::vector<std::int32_t> none(20, 0), some(20, 9);
  const std::vector<CountTerm> terms = {{some.data(), 0, Divider31(3)},
                                        {none.data(), 0, Divider31(1)},
                                        {none.data(), 0, Divider31(2)}};
  std::vector<std::int32_t> codes(20);
  std::vector<std::int64_t> tally(3, 0);
  count_cells(terms, nullptr, 20, codes.data(), tally.data());
  EXPECT_EQ(codes, std::vector<std::int32_t>(20, -2));
  EXPECT_EQ(tally, (std::vector<std::int64_t>{0, 20, 0}));
}

TEST(CountKernel, PodsAreSummedWithoutTheCodesBelowZero) {
  Dice dice(5);
  for (std::size_t cells = 0; cells < 100; ++cells) {
    std::vector<std::int32_t> codes;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < cells; ++i) {
      codes.push_back(dice.percent(30) ? kExcludedLeaf
                                       : static_cast<std::int32_t>(dice.between(-9, kMost)));
      sum += std::max(0, codes.back());
    }
    ASSERT_EQ(sum_pods(codes.data(), codes.size()), sum);
  }
}

TEST(CountKernel, RunsOfPodsAreSummedLikeEachAlone) {
  Dice dice(6);
  for (int i = 0; i < 300; ++i) {
    const auto first = static_cast<std::uint32_t>(dice.below(1000));
    std::vector<topology::DomainRange> runs;
    std::vector<std::int32_t> codes;
    for (std::int64_t count = dice.between(1, 20); count > 0; --count) {
      const std::uint32_t begin = first + static_cast<std::uint32_t>(codes.size());
      for (std::int64_t size = dice.below(40); size > 0; --size) {
        codes.push_back(dice.percent(30) ? kExcludedLeaf
                                         : static_cast<std::int32_t>(dice.between(-9, kMost)));
      }
      runs.push_back({begin, first + static_cast<std::uint32_t>(codes.size())});
    }
    std::vector<std::int64_t> sums(runs.size());
    sum_pods(codes.data(), first, runs, sums.data());
    for (std::size_t r = 0; r < runs.size(); ++r) {
      ASSERT_EQ(sums[r], sum_pods(codes.data() + (runs[r].begin - first), runs[r].size()));
    }
  }
}

}  // namespace
}  // namespace tessera::solver
