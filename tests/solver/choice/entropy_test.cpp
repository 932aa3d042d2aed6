// SPDX-License-Identifier: Apache-2.0
// Evenness of children and the order of members that follows from it (placement.md 5.5), by hand.
#include "solver/choice/entropy.h"

#include <gtest/gtest.h>

#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace tessera::solver {
namespace {

constexpr double kOne = 4294967296;  // entropies come in 2^-32

std::vector<Candidate> candidates(const std::vector<std::int64_t>& pods) {
  std::vector<Candidate> out;
  for (const std::int64_t each : pods) {
    Candidate c;
    c.domain = topology::DomainId{static_cast<std::uint32_t>(out.size())};
    c.counts.pods = each;
    out.push_back(c);
  }
  return out;
}

struct EntropyCase {
  const char* name;
  std::vector<std::int64_t> pods;
  double bits;
};

void PrintTo(const EntropyCase& c, std::ostream* out) { *out << c.name; }

class Entropy : public testing::TestWithParam<EntropyCase> {};

TEST_P(Entropy, IsTheNumberOfBits) {
  const double bits = static_cast<double>(entropy(candidates(GetParam().pods))) / kOne;
  EXPECT_NEAR(bits, GetParam().bits, 1e-8);
}

const EntropyCase kEntropies[] = {
    {"NoChildren", {}, 0},
    {"ChildrenWithoutPods", {0, 0}, 0},
    {"OneChildHasAll", {8}, 0},
    {"OneChildHasAllBesideEmptyOnes", {0, 8, 0}, 0},
    {"TwoHalves", {4, 4}, 1},
    {"FourQuarters", {1, 1, 1, 1}, 2},
    {"AHalfAndTwoQuarters", {2, 1, 1}, 1.5},
    {"ThreeQuartersAndAQuarter", {3, 1}, 0.8112781244591328},  // 2 - 3/4 log2(3)
    {"ThreeThirds", {5, 5, 5}, 1.5849625007211562},            // log2(3)
    {"AThirdAndTwoThirds", {1, 2}, 0.9182958340544896},        // log2(3) - 2/3
    // 7 and 71 share a place in a table of logarithms of 64 places.
    {"NumbersThatDifferBy64", {7, 71, 7, 71}, 1.4356133734874321},
    {"NumbersAboveTwoToThe31", {std::int64_t{1} << 40, std::int64_t{1} << 40}, 1},
};
INSTANTIATE_TEST_SUITE_P(ByHand, Entropy, testing::ValuesIn(kEntropies),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Entropy, IsTheSameWhateverTheOrderOfTheChildren) {
  EXPECT_EQ(entropy(candidates({3, 1, 7, 7, 100})), entropy(candidates({7, 100, 1, 7, 3})));
}

struct Member {
  std::int64_t leaders, slices_with_leader;
  std::vector<std::int64_t> children;
};

struct OrderCase {
  const char* name;
  std::vector<Member> members;
  std::vector<std::size_t> order;
};

void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.name; }

class EntropyOrder : public testing::TestWithParam<OrderCase> {};

TEST_P(EntropyOrder, IsTheOrderOf55) {
  std::vector<Candidate> members;
  std::vector<std::vector<Candidate>> children;
  for (const Member& member : GetParam().members) {
    Candidate c;
    c.domain = topology::DomainId{static_cast<std::uint32_t>(members.size())};
    c.counts.leaders = member.leaders;
    c.counts.slices_with_leader = member.slices_with_leader;
    members.push_back(c);
    children.push_back(candidates(member.children));
  }
  const std::vector<std::span<const Candidate>> spans(children.begin(), children.end());
  EXPECT_EQ(entropy_order(members, spans), GetParam().order);
}

const OrderCase kOrders[] = {
    {"WhoCanLeadComesFirst", {{0, 9, {4, 4}}, {1, 1, {8}}}, {1, 0}},
    {"ThenMoreSlicesBesideTheLeader", {{1, 3, {4, 4}}, {1, 4, {8}}}, {1, 0}},
    {"ThenTheMoreEven", {{1, 4, {6, 2}}, {1, 4, {4, 4}}, {1, 4, {8}}}, {1, 0, 2}},
    {"MoreChildrenAreMoreEven", {{0, 4, {4, 4}}, {0, 4, {3, 3, 2}}}, {1, 0}},
    {"ThenThePath", {{0, 4, {3, 5}}, {0, 4, {5, 3}}, {0, 4, {4, 4}}}, {2, 0, 1}},
    {"SharesCountNotSizes", {{0, 4, {1, 1}}, {0, 4, {40, 40}}}, {0, 1}},
};
INSTANTIATE_TEST_SUITE_P(ByHand, EntropyOrder, testing::ValuesIn(kOrders),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace tessera::solver
