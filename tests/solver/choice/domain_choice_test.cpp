// SPDX-License-Identifier: Apache-2.0
// The choice of exactly n domains with the least room (placement.md 5.5): cases by hand, and
// against the programme as 5.5 tells it, steps included.
#include "solver/choice/domain_choice.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tessera::solver {
namespace {

/// A domain: pods; pods beside the leader, or -1 where the leader has no room; whether a slice
/// fits.
struct Room {
  std::int64_t pods;
  std::int64_t beside = -1;
  bool slice = true;
};

std::vector<Candidate> list_of(const std::vector<Room>& rooms) {
  std::vector<Candidate> out;
  for (const Room& room : rooms) {
    Candidate c;
    c.domain = topology::DomainId{static_cast<std::uint32_t>(out.size())};
    c.counts.pods = c.counts.pods_with_leader = room.pods;
    c.counts.slices = room.slice ? room.pods : 0;
    c.counts.leaders = room.beside >= 0 ? 1 : 0;
    if (room.beside >= 0) c.counts.pods_with_leader = room.beside;
    out.push_back(c);
  }
  return out;
}

using Chosen = std::optional<std::vector<std::size_t>>;

struct ChoiceCase {
  const char* name;
  std::vector<Room> rooms;
  ChoiceProblem problem;  // domains, leaders, pods
  Chosen chosen;
};

void PrintTo(const ChoiceCase& c, std::ostream* out) { *out << c.name; }

class DomainChoice : public testing::TestWithParam<ChoiceCase> {};

TEST_P(DomainChoice, IsTheSetOf55) {
  Steps steps(1'000'000);
  EXPECT_EQ(choose_domains(list_of(GetParam().rooms), GetParam().problem, steps),
            GetParam().chosen);
}

const ChoiceCase kChoices[] = {
    {"TheLeastRoomThatSuffices_B2", {{9}, {7}, {7}}, {2, 0, 13}, {{1, 2}}},
    {"TheOnlySetThatSuffices_B1", {{9}, {6}, {5}}, {2, 0, 15}, {{0, 1}}},
    {"NoSetSuffices", {{9}, {6}, {5}}, {2, 0, 16}, std::nullopt},
    {"ExactlySoManyDomains", {{4}, {4}, {8}}, {1, 0, 8}, {{2}}},
    {"AFullSetTakesNoFurtherDomain", {{8}, {8}}, {2, 0, 8}, std::nullopt},
    {"NotFewerThanAsked", {{8}}, {2, 0, 8}, std::nullopt},
    {"OfEqualSetsTheFirstFound", {{3}, {3}, {3}}, {2, 0, 6}, {{0, 1}}},
    {"OfEqualRoomTheFirstFound", {{4}, {3}, {4}}, {2, 0, 7}, {{0, 1}}},
    {"AMixOfSizesFitsExactly", {{5}, {2}, {5}, {4}}, {3, 0, 11}, {{0, 1, 3}}},
    {"WithoutASliceADomainIsNotTaken", {{5, -1, false}, {6}}, {1, 0, 5}, {{1}}},
    {"ButItMayHoldTheLeader", {{5, 5, false}, {6}}, {1, 1, 5}, {{0}}},
    {"TheLeaderTakesRoom", {{3}, {3, 2}}, {2, 1, 5}, {{0, 1}}},
    {"TheLeaderLeavesTooLittle", {{3}, {3, 2}}, {2, 1, 6}, std::nullopt},
    {"NobodyCanLead", {{3}, {3}}, {2, 1, 4}, std::nullopt},
    {"TheLeaderGoesWhereItCostsLeast", {{4, 1}, {4, 4}}, {1, 1, 4}, {{1}}},
    {"ALeaderOnlyWhereOneIsWanted", {{4, 1}, {5, 5}}, {1, 0, 4}, {{0}}},
    {"ASetWithoutRoomLeftStillWaitsForItsLeader", {{4}, {4, 0}}, {2, 1, 4}, {{0, 1}}},
    {"NoDomainsHoldNothing", {{4}}, {0, 0, 1}, std::nullopt},
    {"NoDomainsForNothing", {{4}}, {0, 0, 0}, std::vector<std::size_t>{}},
};
INSTANTIATE_TEST_SUITE_P(ByHand, DomainChoice, testing::ValuesIn(kChoices),
                         [](const auto& instance) { return std::string(instance.param.name); });

// Three equal domains: the first looks at one state, the second at two, the third at three, two
// steps each.
TEST(DomainChoiceSteps, ALookAtAStateCostsTwo) {
  const std::vector<Candidate> list = list_of({{3}, {3}, {3}});
  Steps enough(12);
  EXPECT_TRUE(choose_domains(list, {3, 0, 9}, enough).has_value());
  EXPECT_EQ(enough.spent(), 12);
  Steps too_few(11);
  EXPECT_FALSE(choose_domains(list, {3, 0, 9}, too_few).has_value());
  EXPECT_EQ(too_few.spent(), 12);
}

/// The programme of 5.5, state by state.
class AsTold {
 public:
  AsTold(std::vector<Candidate> list, const ChoiceProblem& problem)
      : list_(std::move(list)), layers_(problem.domains + 1) {
    layers_[0][{problem.leaders, problem.pods}] = {};
  }
  Chosen run(Steps& steps) {
    for (std::size_t d = 0; d < list_.size(); ++d) {
      for (std::size_t count = layers_.size() - 1; count-- > 0;) {
        for (const auto& [state, taken] : layers_[count]) {
          if (!steps.spend(2)) return std::nullopt;
          extend(count, state, taken, d);
        }
      }
    }
    Chosen best;
    for (const auto& [state, taken] : layers_.back()) {
      if (state.first == 0 && state.second <= 0) best = taken;
    }
    return best;
  }

 private:
  using State = std::pair<std::int64_t, std::int64_t>;  // leaders and pods left
  using Taken = std::vector<std::size_t>;
  void extend(std::size_t count, const State& state, const Taken& taken, std::size_t d) {
    if (state.first == 0 && state.second <= 0) return;
    Taken more = taken;
    more.push_back(d);
    const Counts& c = list_[d].counts;
    if (state.first > 0 && c.leaders > 0) {
      layers_[count + 1].try_emplace({0, state.second - c.pods_with_leader}, more);
    }
    if (c.slices > 0) layers_[count + 1].try_emplace({state.first, state.second - c.pods}, more);
  }

  std::vector<Candidate> list_;
  std::vector<std::map<State, Taken>> layers_;
};

TEST(DomainChoiceOracle, ChoosesAndSpendsAs55Does) {
  for (unsigned seed = 1; seed <= 4'000; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&random](unsigned bound) { return static_cast<int>(random() % bound); };
    std::vector<Room> rooms;
    const int kinds = 1 + below(6), size = 1 + below(12);
    std::vector<Room> kind;
    for (int k = 0; k < kinds; ++k) {
      const int pods = below(8);
      kind.push_back({pods, below(3) == 0 ? -1 : below(static_cast<unsigned>(pods) + 1),
                      pods > 0 && below(8) > 0});
    }
    for (int i = 0; i < size; ++i)
      rooms.push_back(kind[static_cast<std::size_t>(below(static_cast<unsigned>(kind.size())))]);
    const ChoiceProblem problem{static_cast<std::size_t>(below(7)), below(2), below(30)};
    const std::vector<Candidate> list = list_of(rooms);
    const std::int64_t most = below(3) == 0 ? below(400) : 1'000'000;
    Steps told(most), spent(most);
    const Chosen expected = AsTold(list, problem).run(told);
    EXPECT_EQ(choose_domains(list, problem, spent), expected) << "seed " << seed;
    EXPECT_EQ(spent.spent(), told.spent()) << "seed " << seed;
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace tessera::solver
