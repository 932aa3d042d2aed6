// SPDX-License-Identifier: Apache-2.0
#include "topology/parent_forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <set>
#include <string>

namespace tessera::topology {
namespace {

using Position = ParentForest::Position;
constexpr Position kNone = ParentForest::kNone;

std::vector<NamedParent> read_things(std::string_view text) {
  std::vector<NamedParent> things;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t arrow = std::min(word.find('>'), word.size());
    things.push_back({word.substr(0, arrow), word.substr(std::min(arrow + 1, word.size()))});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return things;
}

struct ForestCase {
  const char* name;
  const char* things;   // "a>b": a, whose parent is b
  const char* order;    // "b a": parents first
  const char* circles;  // "a<b", members in the order of their parents; several with a blank
  const char* unknown;
};
const ForestCase kCases[] = {
    {"nothing", "", "", "", ""},
    {"roots keep their order", "b a", "b a", "", ""},
    {"a parent that comes later goes first", "c>b b>a a", "a b c", "", ""},
    {"by depth, not by tree", "x a>x b>a y z>y", "x y a z b", "", ""},
    {"its own parent", "a>a b>a", "a b", "a", ""},
    {"every member is named, from the lowest on", "x>c c>a a>b b>c", "c a b x", "c<a<b", ""},
    {"two circles", "d>e e>d a>b b>a c>a", "d e a b c", "d<e a<b", ""},
    {"a parent that is not there", "a>who b>a", "a b", "", "a"},
    {"the first of one name is meant", "a a>b b c>a", "a b c a", "", ""},
};

TEST(ParentForest, SortsNamedThings) {
  for (const ForestCase& c : kCases) {
    SCOPED_TRACE(c.name);
    const std::vector<NamedParent> things = read_things(c.things);
    const ParentForest forest(parent_positions(things));
    const auto names = [&](auto list, const char* between) {
      std::string text;
      for (const Position at : list) {
        if (!text.empty()) text += between;
        text += things[at].name;
      }
      return text;
    };
    std::string circles;
    for (const auto& circle : forest.circles()) {
      circles += (circles.empty() ? "" : " ") + names(circle, "<");
    }
    EXPECT_EQ(names(forest.order(), " "), c.order);
    EXPECT_EQ(circles, c.circles);
    EXPECT_EQ(names(forest.unknown_parents(), " "), c.unknown);
  }
}

/// What the header says, by walking up from one thing.
struct Walk {
  std::vector<Position> way;  // up to the first thing that was on the way before, or the root
  std::set<Position> circle;
};
Walk walk_up(const std::vector<Position>& parents, Position from) {
  Walk walk;
  for (Position at = from; at < parents.size(); at = parents[at]) {
    const auto before = std::find(walk.way.begin(), walk.way.end(), at);
    if (before != walk.way.end()) {
      walk.circle.insert(before, walk.way.end());
      break;
    }
    walk.way.push_back(at);
  }
  return walk;
}

void expect_as_walked(const ParentForest& forest, const std::vector<Position>& parents) {
  std::vector<Position> place(parents.size());
  for (std::size_t i = 0; i < parents.size(); ++i)
    place[forest.order()[i]] = static_cast<Position>(i);
  std::vector<Position> unknown, deep;
  for (Position i = 0; i < parents.size(); ++i) {
    const Walk walk = walk_up(parents, i);
    const auto top = std::find_if(walk.way.begin(), walk.way.end(),
                                  [&](Position at) { return walk.circle.count(at) > 0; });
    const Position root = top == walk.way.end() ? walk.way.back() : *top;
    ASSERT_EQ(forest.root(i), root);
    ASSERT_EQ(forest.depth(i),
              std::find(walk.way.begin(), walk.way.end(), root) - walk.way.begin());
    ASSERT_EQ(forest.circle(i).has_value(), !walk.circle.empty());
    if (forest.circle(i)) {
      const auto& told = forest.circles()[*forest.circle(i)];
      ASSERT_EQ(std::set(told.begin(), told.end()), walk.circle);
      ASSERT_EQ(told.front(), *walk.circle.begin());
      for (std::size_t k = 0; k < told.size(); ++k) {
        ASSERT_EQ(parents[told[k]], told[(k + 1) % told.size()]);
      }
    }
    const Position parent = root == i ? kNone : parents[i];
    ASSERT_EQ(forest.parent(i), parent);
    if (parent != kNone) {
      ASSERT_LT(place[parent], place[i]);
      const auto below = forest.children(parent);
      ASSERT_EQ(std::count(below.begin(), below.end(), i), 1);
      ASSERT_TRUE(std::is_sorted(below.begin(), below.end()));
    }
    if (parents[i] != kNone && parents[i] >= parents.size()) unknown.push_back(i);
    if (forest.depth(i) > 2) deep.push_back(i);
  }
  ASSERT_EQ(forest.unknown_parents(), unknown);
  ASSERT_EQ(forest.deeper_than(2), deep);
}

TEST(ParentForest, AgreesWithWalkingUpFromEachThing) {
  for (std::uint32_t seed = 1; seed <= 2'000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto size = static_cast<Position>(random() % 14);
    const std::uint32_t rootless = 1 + random() % 8;  // of how many things one has no parent
    std::vector<Position> parents(size);
    for (Position& parent : parents) {
      parent = random() % rootless == 0 ? kNone : static_cast<Position>(random() % (size + 1));
    }
    const ParentForest forest(parents);
    ASSERT_EQ(forest.size(), size);
    ASSERT_EQ(forest.order().size(), size);
    expect_as_walked(forest, parents);
    if (HasFatalFailure()) {
      for (const Position parent : parents) std::cout << parent << ' ';
      return;
    }
  }
}

// Quadratic time would take minutes here, and recursion would end the program.
TEST(ParentForest, TakesAChainOfAMillionAndACircleOfAsMany) {
  constexpr Position kLong = 1'000'000;
  std::vector<Position> parents(kLong);
  for (Position i = 0; i < kLong; ++i) parents[i] = i + 1;
  parents.back() = kNone;
  const ParentForest chain(parents);
  EXPECT_EQ(chain.depth(0), kLong - 1);
  EXPECT_EQ(chain.root(0), kLong - 1);
  EXPECT_EQ(chain.deeper_than(10).size(), kLong - 11);
  EXPECT_TRUE(chain.circles().empty());
  parents.back() = 0;
  const ParentForest circle(parents);
  ASSERT_EQ(circle.circles().size(), 1u);
  EXPECT_EQ(circle.circles()[0].size(), kLong);
}

}  // namespace
}  // namespace tessera::topology
