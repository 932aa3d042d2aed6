// SPDX-License-Identifier: Apache-2.0
// Gang trees by hand: one case for each thing that the search must see.
#include <gtest/gtest.h>

#include "tests/support/trees/tree_vector.h"

namespace tessera::test {
namespace {

using topology::Amounts;
using topology::Symbol;

constexpr std::int64_t kEnoughSteps = 1'000'000;

Amounts gpus(std::int64_t count) {
  return {{topology::gpu_resource(), count}, {topology::pods_resource(), 1}};
}

/// Blocks of racks of nodes with 4 GPUs: "b0", "b0r0", "b0r0n0".
TreeVector cluster(int blocks, int racks, int nodes) {
  TreeVector out;
  out.levels = {"block", "rack"};
  for (int b = 0; b < blocks; ++b) {
    for (int r = 0; r < racks; ++r) {
      for (int n = 0; n < nodes; ++n) {
        topology::NodeRecord node;
        const std::string block = "b" + std::to_string(b);
        const std::string rack = block + "r" + std::to_string(r);
        node.name = Symbol(rack + "n" + std::to_string(n));
        node.labels.set(Symbol("block"), Symbol(block));
        node.labels.set(Symbol("rack"), Symbol(rack));
        node.allocatable = {{topology::gpu_resource(), 4}, {topology::pods_resource(), 100}};
        node.capacity = node.allocatable;
        node.ready = true;
        out.nodes.push_back(node);
      }
    }
  }
  return out;
}

TreeVectorGroup leaf(const std::string& name, int pods, std::int64_t size,
                     const std::string& required = "") {
  TreeVectorGroup out;
  out.name = name;
  out.min_pods = pods;
  out.required = required;
  for (int i = 0; i < pods; ++i) out.pods.push_back({name + "." + std::to_string(i), gpus(size)});
  return out;
}

TreeVectorGroup inner(const std::string& name, std::vector<TreeVectorGroup> children,
                      const std::string& required = "") {
  TreeVectorGroup out;
  out.name = name;
  out.children = std::move(children);
  out.required = required;
  return out;
}

TreeWorld::Result place(TreeVector vector, TreeVectorGroup tree) {
  vector.gangs.push_back({tree.name, std::move(tree), std::nullopt});
  TreeWorld world(vector);
  TreeWorld::Result out = world.place(vector.gangs[0], kEnoughSteps);
  EXPECT_EQ(broken_rules(vector, {{vector.gangs[0].name, out.places}}), std::vector<std::string>());
  return out;
}

/// "b0r0" of every node that the pods of a leaf are on.
std::string racks_of(const TreeWorld::Result& result, const std::string& leaf_name) {
  std::string out;
  for (const auto& [pod, node] : result.places) {
    if (pod.rfind(leaf_name + ".", 0) != 0) continue;
    const std::string rack = node.substr(0, 4);
    if (out.find(rack) == std::string::npos) out += (out.empty() ? "" : " ") + rack;
  }
  return out;
}

TEST(TreeCases, PodsMoveOutOfADomainThatAGroupGetsForItself) {
  // `a` has one block to choose from, so it comes first, on the smallest host. That host is in the
  // only rack without pods of others.
  TreeVector vector = cluster(1, 2, 3);
  vector.nodes[2].allocatable.set(topology::gpu_resource(), 2);
  vector.bound = {{"b0r1n0", "", "", "", gpus(1), false}};
  TreeVectorGroup own = leaf("own", 2, 4, "rack");
  own.exclusive = "rack";
  own.everyone = true;
  const TreeVectorGroup tree = inner("g", {leaf("a", 1, 1, "block"), own});
  const TreeWorld::Result result = place(vector, tree);
  EXPECT_EQ(racks_of(result, "a"), "b0r1");
  EXPECT_EQ(racks_of(result, "own"), "b0r0");
  vector.bound.push_back({"b0r0n0", "", "", "", gpus(0), false});
  EXPECT_EQ(place(vector, tree).verdict, solver::TreeVerdict::kRefused);
}

TEST(TreeCases, AnEarlierChoiceIsTakenBackWhenALaterGroupNeedsIt) {
  // `small` fits in both racks and takes the fuller one; only that one has three whole hosts.
  TreeVector vector = cluster(1, 2, 3);
  vector.bound = {{"b0r1n0", "", "", "", gpus(1), false},
                  {"b0r1n1", "", "", "", gpus(1), false},
                  {"b0r1n2", "", "", "", gpus(1), false}};
  const auto result =
      place(vector, inner("g", {leaf("small", 3, 3, "rack"), leaf("whole", 3, 4, "rack")}));
  EXPECT_EQ(racks_of(result, "small"), "b0r1");
  EXPECT_EQ(racks_of(result, "whole"), "b0r0");
}

TEST(TreeCases, AFlowRefusesWhatEachGroupAndEachDomainAcceptsAlone) {
  // Nine groups of different sizes, each in a rack of its own, for eight racks. Without the flow
  // the search would try every order of eight groups on eight racks.
  std::vector<TreeVectorGroup> groups;
  for (int i = 0; i < 9; ++i) {
    groups.push_back(leaf("s" + std::to_string(i), 1, 1, "rack"));
    groups.back().pods[0].total.set(topology::pods_resource(), 1 + i);
    groups.back().exclusive = "rack";
  }
  const auto result = place(cluster(1, 8, 2), inner("g", groups));
  EXPECT_EQ(result.verdict, solver::TreeVerdict::kRefused);
  EXPECT_LT(result.steps, 1'000);
}

TEST(TreeCases, ChildrenLieInDifferentDomains) {
  std::vector<TreeVectorGroup> groups;
  for (int i = 0; i < 4; ++i) groups.push_back(leaf("s" + std::to_string(i), 1, 1));
  TreeVectorGroup tree = inner("g", groups);
  tree.spread = "rack";
  EXPECT_EQ(place(cluster(1, 4, 1), tree).places.size(), 4U);
  EXPECT_EQ(place(cluster(1, 3, 1), tree).verdict, solver::TreeVerdict::kRefused);
  tree.most = 2;
  EXPECT_EQ(place(cluster(1, 3, 1), tree).places.size(), 4U);
}

TEST(TreeCases, AnotherChildIsTakenWhenTheFirstDoesNotFit) {
  TreeVectorGroup tree =
      inner("g", {leaf("large", 9, 4, "rack"), leaf("s1", 2, 4, "rack"), leaf("s2", 2, 4, "rack")});
  tree.min_children = 2;
  const auto result = place(cluster(1, 2, 2), tree);
  EXPECT_EQ(racks_of(result, "large"), "");
  EXPECT_NE(racks_of(result, "s1"), racks_of(result, "s2"));
}

TEST(TreeCases, APreferredLevelIsKeptWhereItFitsAndLetGoWhereNot) {
  TreeVectorGroup near = leaf("near", 2, 4), far = leaf("far", 3, 4);
  near.preferred = far.preferred = "rack";
  const auto result = place(cluster(1, 3, 2), inner("g", {near, far}, "block"));
  EXPECT_EQ(racks_of(result, "near").size(), 4U);  // one rack
  EXPECT_EQ(result.places.size(), 5U);
}

/// The racks of two groups of two small pods, by the choice. Rack b0r0 has 8 GPUs, b0r1 is half
/// used, b1r0 nearly full; b1r1 is whole.
std::string racks_by(solver::DomainChoice choice) {
  TreeVector vector = cluster(2, 2, 2);
  vector.choice = choice;
  vector.bound = {{"b0r1n0", "", "", "", gpus(4), false},
                  {"b1r0n0", "", "", "", gpus(4), false},
                  {"b1r0n1", "", "", "", gpus(2), false}};
  const auto result = place(vector, inner("g", {leaf("x", 2, 1, "rack"), leaf("y", 2, 1, "rack")}));
  return racks_of(result, "x") + " " + racks_of(result, "y");
}

TEST(TreeChoices, EachChoiceHasItsOrder) {
  using solver::DomainChoice;
  EXPECT_EQ(racks_by(DomainChoice::kTightest), "b1r0 b0r1");
  EXPECT_EQ(racks_by(DomainChoice::kLoosest), "b0r0 b0r0");
  EXPECT_EQ(racks_by(DomainChoice::kFewestDomains), "b0r0 b0r0");
  EXPECT_EQ(racks_by(DomainChoice::kLowestId), "b0r0 b0r0");
  // Three racks of whole hosts cost more than a used one, even if that one is roomier.
  EXPECT_EQ(racks_by(DomainChoice::kWholePrice), "b1r0 b0r1");
}

std::string why(TreeVector vector, TreeVectorGroup tree) {
  vector.gangs.push_back({tree.name, std::move(tree), std::nullopt});
  TreeWorld world(vector);
  EXPECT_EQ(world.place(vector.gangs[0], kEnoughSteps).verdict, solver::TreeVerdict::kRefused);
  return world.why(vector.gangs[0], kEnoughSteps);
}

TEST(TreeReasons, AGroupThatFitsNowhereIsNamedWithTheBestDomain) {
  TreeVector vector = cluster(2, 2, 3);
  vector.bound = {{"b0r0n0", "", "", "", gpus(1), false},
                  {"b1r1n0", "", "", "", gpus(1), false},
                  {"b0r1n0", "", "", "", gpus(1), false},
                  {"b0r1n1", "", "", "", gpus(1), false}};
  const TreeVectorGroup tree =
      inner("g", {leaf("small", 1, 1, "rack"), leaf("large", 4, 4, "rack")}, "block");
  EXPECT_EQ(why(vector, tree),
            "group large needs 4 pods of leaf 1 in rack, best b1/b1r0 has room for 3");
}

TEST(TreeReasons, SiblingsThatTakeTheRoomAreNamed) {
  const TreeVectorGroup tree = inner(
      "g", {leaf("a", 2, 4, "rack"), leaf("b", 2, 4, "rack"), leaf("c", 2, 4, "rack")}, "block");
  EXPECT_EQ(why(cluster(2, 2, 2), tree),
            "group c needs 2 pods of leaf 2 in rack, best b0/b0r0 has room for 2; blocked by a b");
}

TEST(TreeReasons, ADomainThatIsTooSmallForAllPartsOfAGroup) {
  // Each half fits into a rack, both do not.
  const TreeVectorGroup tree = inner("g", {leaf("a", 2, 4), leaf("b", 1, 4)}, "rack");
  EXPECT_EQ(why(cluster(1, 2, 2), tree),
            "group b needs 1 pods of leaf 1 in rack, best b0/b0r0 has room for 1; blocked by a");
}

TEST(TreeReasons, TheWholeClusterIsTooSmall) {
  EXPECT_EQ(why(cluster(1, 2, 2), inner("g", {leaf("a", 5, 4)})),
            "group a needs 5 pods of leaf 0 has room for 4");
  EXPECT_EQ(why(cluster(1, 2, 2), inner("g", {leaf("a", 1, 9, "rack")})),
            "group a needs 1 pods of leaf 0 in rack, best none has room for 0");
}

TEST(TreeReasons, OneOfTheChildrenIsEnoughAndNoneFits) {
  TreeVectorGroup tree = inner("g", {leaf("a", 3, 4, "rack"), leaf("b", 4, 4, "rack")});
  tree.min_children = 1;
  EXPECT_EQ(why(cluster(1, 2, 2), tree),
            "group b needs 4 pods of leaf 1 in rack, best b0/b0r0 has room for 2");
}

TEST(TreeCases, ASearchWithoutStepsSaysSo) {
  TreeVector vector = cluster(2, 4, 4);
  vector.gangs.push_back({"g", inner("g", {leaf("a", 4, 4, "rack"), leaf("b", 4, 4, "rack")}), {}});
  TreeWorld world(vector);
  EXPECT_EQ(world.place(vector.gangs[0], 3).verdict, solver::TreeVerdict::kBounded);
  EXPECT_EQ(world.place(vector.gangs[0], kEnoughSteps).verdict, solver::TreeVerdict::kPlaced);
}

TEST(TreeCases, PodsOfTwoSizesArePackedAnewOnManyHosts) {
  // One host has 4 GPUs, 9,999 have 3. The small pod goes to a host with 3 first, where one of the
  // large pods must go. Nothing recurses along the hosts.
  TreeVector vector = cluster(1, 1, 1);
  for (int i = 1; i < 10'000; ++i) {
    vector.nodes.push_back(vector.nodes[0]);
    vector.nodes.back().name = Symbol("m" + std::to_string(i));
    vector.nodes.back().allocatable.set(topology::gpu_resource(), 3);
  }
  const auto result =
      place(vector, inner("g", {leaf("small", 1, 1), leaf("large", 10'000, 3)}, "rack"));
  EXPECT_EQ(result.places.size(), 10'001U);
  EXPECT_EQ(result.places.at("small.0"), "b0r0n0");
}

}  // namespace
}  // namespace tessera::test
