// SPDX-License-Identifier: Apache-2.0
// The step budget of a search: where it ends, what it leaves behind, and that an index spares no
// steps. That history and threads change none: index_churn_test.cpp and index_threads_test.cpp,
// whose texts of answers name them.
#include "solver/choice/steps.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/support/live_world.h"

namespace tessera::test {
namespace {

using solver::Answer;
using solver::OutOfSteps;
using solver::SearchOptions;
using Search = LiveWorld::Search;

struct BudgetCase {
  const char* name;
  solver::Gang (*gang)(Dice&, const WorldSpec&);
  solver::BalancedPlacement balanced;
  LiveWorldSpec world;
};

void PrintTo(const BudgetCase& budget, std::ostream* out) { *out << budget.name; }

constexpr LiveWorldSpec kSmall{.index = {.max_keys = 4, .max_age_cycles = 1000, .threads = 1}};
constexpr LiveWorldSpec kLongLevels{.blocks = 20,
                                    .racks_in_block = 10,
                                    .nodes_in_rack = 3,
                                    .index = {.max_keys = 4, .max_age_cycles = 1000, .threads = 1}};
constexpr auto kOff = solver::BalancedPlacement::kOff;
constexpr auto kKueue = solver::BalancedPlacement::kKueue;

const BudgetCase kCases[] = {
    {"PodSet", random_pod_set, kOff, kSmall},
    {"Group", random_group, kOff, kSmall},
    {"SlicedGroup", random_sliced_group, kOff, kSmall},
    {"SeveralPodSets", random_gang, kOff, kSmall},
    {"SeveralPodSetsOnLongLevels", random_gang, kOff, kLongLevels},
    {"BalancedPodSet", random_pod_set, kKueue, kSmall},
    {"BalancedGroup", random_group, kKueue, kSmall},
    {"BalancedWhenFewer", random_gang, solver::BalancedPlacement::kWhenFewer, kSmall},
};

std::int64_t steps_of(const Answer& answer) {
  return std::visit([](const auto& each) { return each.steps; }, answer);
}

/// All that is free, on either basis.
std::vector<std::int64_t> amounts(const topology::Capacity& capacity) {
  std::vector<std::int64_t> out;
  for (const auto basis : {topology::Basis::kFree, topology::Basis::kEmpty}) {
    for (std::uint32_t row = 0; row < capacity.rows(basis).rows(); ++row) {
      for (std::uint32_t cell = 0; cell < capacity.rows(basis).cells(); ++cell) {
        out.push_back(capacity.rows(basis).get(row, cell));
      }
    }
  }
  return out;
}

class StepBudget : public testing::TestWithParam<BudgetCase> {
 protected:
  /// Calls check(world, gang, options, answer without a limit) for random gangs of random worlds,
  /// each booked if it fits.
  template <class Check>
  void for_each_gang(Check check) {
    for (std::uint64_t seed = 1; seed <= 30 && !HasFailure(); ++seed) {
      Dice dice(seed);
      LiveWorld world(GetParam().world, seed);
      for (int i = 0; i < 12; ++i) {
        const solver::Gang gang = GetParam().gang(dice, world.shapes());
        SearchOptions options;
        options.balanced = GetParam().balanced;
        options.required = static_cast<solver::Algorithm>(dice.below(3));
        options.preferred = options.unconstrained = options.required;
        const Answer answer = world.place(gang, options, Search::kPlain);
        check(world, gang, options, answer);
        ASSERT_FALSE(HasFailure()) << "seed " << seed << " gang " << i;
        if (const auto* placed = std::get_if<solver::Placement>(&answer)) world.book(gang, *placed);
      }
    }
  }
};

TEST_P(StepBudget, ExactlyTheStepsSpentAreEnough) {
  for_each_gang(
      [](LiveWorld& world, const solver::Gang& gang, SearchOptions options, const Answer& answer) {
        options.max_steps = steps_of(answer);
        EXPECT_EQ(world.text(world.place(gang, options, Search::kPlain)), world.text(answer));
      });
}

TEST_P(StepBudget, AnyStepLessEndsTheSearchAndLeavesTheCapacityAsItWas) {
  for_each_gang(
      [](LiveWorld& world, const solver::Gang& gang, SearchOptions options, const Answer& answer) {
        const std::vector<std::int64_t> before = amounts(world.capacity());
        const std::int64_t spent = steps_of(answer);
        // Each of the last steps, and some of the others.
        for (std::int64_t less = 1; less <= spent; less += less < 40 ? 1 : 7) {
          options.max_steps = spent - less;
          const Answer ended = world.place(gang, options, Search::kPlain);
          ASSERT_TRUE(std::holds_alternative<OutOfSteps>(ended))
              << options.max_steps << " of " << spent;
          EXPECT_GT(steps_of(ended), options.max_steps);
          EXPECT_LE(steps_of(ended), spent);
          ASSERT_EQ(world.text(world.place(gang, options, Search::kIndex)), world.text(ended));
        }
        EXPECT_EQ(amounts(world.capacity()), before);
      });
}

TEST_P(StepBudget, AnIndexSparesNoStepsColdOrWarm) {
  for_each_gang([](LiveWorld& world, const solver::Gang& gang, const SearchOptions& options,
                   const Answer& answer) {
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(world.text(world.place(gang, options, Search::kIndex)), world.text(answer));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Gangs, StepBudget, testing::ValuesIn(kCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(StepBudget, HiddenLeavesAndSpareSlotsCostNothing) {
  const auto steps = [](std::size_t usable) {
    LiveWorld world(kLongLevels, 3);
    for (std::uint32_t n = 0; n < world.nodes().size(); ++n) {
      topology::NodeRecord record = world.nodes()[n];
      record.ready = n < usable;
      world.update(topology::NodeId{n}, std::move(record));
    }
    solver::Gang gang{{solver::PodSet{}}};
    gang.pod_sets[0].count = 1'000'000;
    return steps_of(world.place(gang, {}, Search::kPlain));
  };
  EXPECT_LT(steps(60), steps(600) / 4);
}

}  // namespace
}  // namespace tessera::test
