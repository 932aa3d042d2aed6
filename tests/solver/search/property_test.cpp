// SPDX-License-Identifier: Apache-2.0
// What must hold for every placement, on random small worlds where one gang after the other is
// placed and booked.
//
// A failure prints its seed and the shrunk world and gang in the notation of
// tests/support/notation.h, ready to be a case.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "solver/search/place.h"
#include "tests/support/brute_force.h"
#include "tests/support/placement_verifier.h"
#include "tests/support/random_world.h"
#include "tests/support/shrink.h"
#include "tests/support/world.h"

namespace tessera::test {
namespace {

constexpr int kGangsInAWorld = 4;
constexpr std::uint64_t kFirstSeed = 20260822;

using GangSource = solver::Gang (*)(Dice&, const WorldSpec&);

solver::SearchOptions with_algorithm(solver::Algorithm algorithm) {
  solver::SearchOptions options;
  options.required = options.preferred = options.unconstrained = algorithm;
  return options;
}

solver::SearchOptions with_balanced(solver::BalancedPlacement balanced) {
  solver::SearchOptions options;
  options.balanced = balanced;
  return options;
}

solver::SearchOptions like_kueue() {
  solver::SearchOptions options = with_balanced(solver::BalancedPlacement::kKueue);
  options.leader_filters = solver::LeaderFilters::kWorkers;
  options.slice_remainder = solver::SliceRemainder::kKueue;
  options.preferred_affinity = false;
  return options;
}

struct Family {
  const char* name;
  GangSource gang;
  solver::SearchOptions options;
  int worlds;
};

void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

/// What is wrong with the answer, or nothing.
using Fault = std::string (*)(World&, const solver::Gang&, const solver::SearchOptions&,
                              const solver::Answer&);

std::string feasibility_fault(World& world, const solver::Gang& gang, const solver::SearchOptions&,
                              const solver::Answer& answer) {
  const bool placed = std::holds_alternative<solver::Placement>(answer);
  if (placed == placement_exists(world.spec(), gang)) return "";
  return placed ? "placed although nothing fits" : "refused although a placement exists";
}

std::string placement_fault(World& world, const solver::Gang& gang,
                            const solver::SearchOptions& options, const solver::Answer& answer,
                            bool room) {
  const auto* placement = std::get_if<solver::Placement>(&answer);
  if (placement == nullptr) return "";
  const Verdict verdict =
      verify_placement(world, gang, *placement, topology::Basis::kFree, options.leader_filters);
  for (const std::string& fault : verdict.faults) {
    if (room == (fault.find("oversubscribed") != std::string::npos)) return fault;
  }
  return "";
}

std::string room_fault(World& world, const solver::Gang& gang, const solver::SearchOptions& options,
                       const solver::Answer& answer) {
  return placement_fault(world, gang, options, answer, true);
}

std::string wholeness_fault(World& world, const solver::Gang& gang,
                            const solver::SearchOptions& options, const solver::Answer& answer) {
  return placement_fault(world, gang, options, answer, false);
}

std::string shrunk_failure(const WorldSpec& world, const solver::Gang& gang,
                           const solver::SearchOptions& options, Fault fault) {
  const auto text = [&](const Situation& situation) {
    World fresh(situation.world);
    return fault(fresh, situation.gang, options, fresh.place(situation.gang, options));
  };
  const Situation small =
      shrink({world, gang}, [&](const Situation& situation) { return !text(situation).empty(); });
  return text(small) + "\n" + situation_text(small);
}

/// Places and books gangs in the world of `seed`; the first fault, shrunk, or nothing.
std::string first_failure(const Family& family, std::uint64_t seed, Fault fault) {
  Dice dice(seed);
  World world(random_world(dice));
  for (int i = 0; i < kGangsInAWorld; ++i) {
    const solver::Gang gang = family.gang(dice, world.spec());
    const solver::Answer answer = world.place(gang, family.options);
    const std::string found = fault(world, gang, family.options, answer);
    if (!found.empty()) {
      return "seed " + std::to_string(seed) + ": " +
             shrunk_failure(world.spec(), gang, family.options, fault);
    }
    if (const auto* placement = std::get_if<solver::Placement>(&answer)) {
      world.book(gang, *placement);
    }
  }
  return "";
}

void expect_none(const Family& family, Fault fault) {
  for (int w = 0; w < family.worlds; ++w) {
    const std::string failure =
        first_failure(family, kFirstSeed + static_cast<std::uint64_t>(w), fault);
    ASSERT_TRUE(failure.empty()) << failure;
  }
}

std::string family_name(const testing::TestParamInfo<Family>& info) { return info.param.name; }

const Family kComplete[] = {
    {"SinglePodSet", random_pod_set, {}, 15000},
    {"LeaderGroup", random_group, {}, 15000},
    {"SlicedGroup", random_sliced_group, {}, 5000},
    {"LeastFree", random_sliced_group, with_algorithm(solver::Algorithm::kLeastFreeCapacity), 3000},
    {"MostFree", random_sliced_group, with_algorithm(solver::Algorithm::kMostFreeCapacity), 3000},
    {"BalancedPodSet", random_pod_set, with_balanced(solver::BalancedPlacement::kKueue), 3000},
    {"BalancedGroup", random_group, with_balanced(solver::BalancedPlacement::kKueue), 3000},
    {"BalancedWhenFewer", random_pod_set, with_balanced(solver::BalancedPlacement::kWhenFewer),
     3000},
};

class CompleteSearch : public testing::TestWithParam<Family> {};
TEST_P(CompleteSearch, PlacedIffFeasible) { expect_none(GetParam(), feasibility_fault); }
INSTANTIATE_TEST_SUITE_P(Property, CompleteSearch, testing::ValuesIn(kComplete), family_name);

const Family kAny[] = {
    {"SinglePodSet", random_pod_set, {}, 3000},
    {"LeaderGroup", random_group, {}, 3000},
    {"SlicedGroup", random_sliced_group, {}, 3000},
    {"SeveralPodSets", random_gang, {}, 3000},
    {"BestFit", random_gang, with_algorithm(solver::Algorithm::kBestFit), 2000},
    {"LeastFree", random_gang, with_algorithm(solver::Algorithm::kLeastFreeCapacity), 2000},
    {"MostFree", random_gang, with_algorithm(solver::Algorithm::kMostFreeCapacity), 2000},
    {"BalancedWhenFewer", random_gang, with_balanced(solver::BalancedPlacement::kWhenFewer), 2000},
    {"LikeKueueBalanced", random_gang, like_kueue(), 3000},
};

class AnyPlacement : public testing::TestWithParam<Family> {};
TEST_P(AnyPlacement, NeverOversubscribes) { expect_none(GetParam(), room_fault); }
TEST_P(AnyPlacement, IsWholeOrAbsent) { expect_none(GetParam(), wholeness_fault); }
INSTANTIATE_TEST_SUITE_P(Property, AnyPlacement, testing::ValuesIn(kAny), family_name);

}  // namespace
}  // namespace tessera::test
