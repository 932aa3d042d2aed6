// SPDX-License-Identifier: Apache-2.0
// Changes of the input that must not change the answer, or only for the better, on random small
// worlds.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <string>
#include <variant>

#include "ingest/text/kueue_text.h"
#include "solver/search/place.h"
#include "tests/support/random_world.h"
#include "tests/support/shrink.h"
#include "tests/support/world.h"

namespace tessera::test {
namespace {

constexpr std::uint64_t kFirstSeed = 20260901;
constexpr int kWorlds = 2000;

using topology::NodeRecord;
using topology::Symbol;
using GangSource = solver::Gang (*)(Dice&, const WorldSpec&);

struct Family {
  const char* name;
  GangSource gang;
};

void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

const Family kFamilies[] = {{"SinglePodSet", random_pod_set},
                            {"LeaderGroup", random_group},
                            {"SeveralPodSets", random_gang}};
const Family kSingleUnit[] = {{"SinglePodSet", random_pod_set}, {"LeaderGroup", random_group}};

std::string family_name(const testing::TestParamInfo<Family>& info) { return info.param.name; }

/// Leaves and counts of each pod set, or the refusal's text.
std::string answer_text(const World& world, const solver::Answer& answer) {
  if (const auto* refusal = std::get_if<solver::Refusal>(&answer)) {
    return encode::kueue_text(*refusal, world.spec().topology);
  }
  std::string out;
  for (const solver::PodSetPlacement& pod_set : std::get<solver::Placement>(answer).pod_sets) {
    for (const solver::LeafPods& entry : pod_set) {
      out += std::to_string(index(entry.leaf)) + "=" + std::to_string(entry.pods) + " ";
    }
    out += "| ";
  }
  return out;
}

std::string placed_text(const WorldSpec& spec, const solver::Gang& gang) {
  World world(spec);
  return answer_text(world, world.place(gang, {}));
}

bool is_placed(const WorldSpec& spec, const solver::Gang& gang) {
  World world(spec);
  return std::holds_alternative<solver::Placement>(world.place(gang, {}));
}

/// A world in which earlier gangs hold something, and the next gang.
Situation random_situation(const Family& family, std::uint64_t seed) {
  Dice dice(seed);
  World world(random_world(dice));
  for (int i = 0; i < 2; ++i) {
    const solver::Gang gang = family.gang(dice, world.spec());
    const solver::Answer answer = world.place(gang, {});
    if (const auto* placement = std::get_if<solver::Placement>(&answer)) {
      world.book(gang, *placement);
    }
  }
  return {world.spec(), family.gang(dice, world.spec())};
}

/// Every name and level value with a prefix: byte order stays as it was.
WorldSpec renamed(WorldSpec world) {
  const auto prefixed = [](Symbol text) { return Symbol("zz-" + text.str()); };
  for (NodeRecord& node : world.nodes) {
    node.name = prefixed(node.name);
    for (const topology::TopologyLevel& level : world.topology.levels) {
      const auto value = node.labels.find(level.label);
      if (value) node.labels.set(level.label, prefixed(*value));
    }
  }
  for (Holding& holding : world.holdings) {
    for (Symbol& value : holding.domain) value = prefixed(value);
  }
  return world;
}

WorldSpec reordered(WorldSpec world) {
  std::reverse(world.nodes.begin(), world.nodes.end());
  std::rotate(world.nodes.begin(), world.nodes.begin() + 1, world.nodes.end());
  std::reverse(world.holdings.begin(), world.holdings.end());
  return world;
}

/// A new rack, in a new block if there are blocks, with one empty host.
WorldSpec with_idle_rack(WorldSpec world) {
  NodeRecord node = world.nodes.front();
  node.name = Symbol("zz");
  node.ready = true;
  node.unschedulable = false;
  node.taints.clear();
  for (const topology::TopologyLevel& level : world.topology.levels) {
    node.labels.set(level.label, Symbol("zz"));
  }
  world.nodes.push_back(std::move(node));
  return world;
}

void expect_for_all(const Family& family, const std::function<bool(const Situation&)>& fails) {
  for (int w = 0; w < kWorlds; ++w) {
    const std::uint64_t seed = kFirstSeed + static_cast<std::uint64_t>(w);
    const Situation situation = random_situation(family, seed);
    ASSERT_FALSE(fails(situation)) << "seed " << seed << "\n"
                                   << situation_text(shrink(situation, fails));
  }
}

class SameAnswer : public testing::TestWithParam<Family> {};

TEST_P(SameAnswer, WhenNamesChangeInOrder) {
  expect_for_all(GetParam(), [](const Situation& s) {
    return placed_text(s.world, s.gang) != placed_text(renamed(s.world), s.gang);
  });
}

TEST_P(SameAnswer, WhenInputIsReordered) {
  expect_for_all(GetParam(), [](const Situation& s) {
    if (s.world.nodes.empty()) return false;
    return placed_text(s.world, s.gang) != placed_text(reordered(s.world), s.gang);
  });
}
INSTANTIATE_TEST_SUITE_P(Metamorphic, SameAnswer, testing::ValuesIn(kFamilies), family_name);

// Gangs of several pod sets are placed one after the other, so more room for the first may cost the
// second: not claimed.
class StillPlaced : public testing::TestWithParam<Family> {};

TEST_P(StillPlaced, WhenAnIdleRackIsAdded) {
  expect_for_all(GetParam(), [](const Situation& s) {
    if (s.world.nodes.empty()) return false;
    return is_placed(s.world, s.gang) && !is_placed(with_idle_rack(s.world), s.gang);
  });
}
INSTANTIATE_TEST_SUITE_P(Metamorphic, StillPlaced, testing::ValuesIn(kSingleUnit), family_name);

}  // namespace
}  // namespace tessera::test
