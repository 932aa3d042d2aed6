// SPDX-License-Identifier: Apache-2.0
#include "topology/domain_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <random>

#include "tests/topology/compact_world.h"

namespace tessera::topology {
namespace {

using test::compact_world;
using test::CompactWorld;
using test::leaves_text;
using test::node_names;

std::string left_out_text(const DomainTree& tree, const std::vector<NodeRecord>& nodes) {
  std::string text;
  for (const LeftOutNode& out : tree.left_out()) {
    text += (text.empty() ? "" : ", ") + nodes[index(out.node)].name.str();
    switch (out.cause) {
      case LeftOut::kCordoned:
        text += " cordoned";
        break;
      case LeftOut::kNotReady:
        text += " not ready";
        break;
      case LeftOut::kFlavorLabels:
        text += " flavor";
        break;
      case LeftOut::kMissingLevel:
        text += " no " + tree.topology().levels[static_cast<std::size_t>(out.level)].label.str();
    }
  }
  return text;
}

struct TreeCase {
  const char* name;
  const char* levels;
  const char* nodes;
  const char* leaves;
  const char* left_out;
};
void PrintTo(const TreeCase& test, std::ostream* out) { *out << test.name; }

const TreeCase kClosedTrees[] = {
    {"C011_a_node_without_one_label_is_left_out_and_named", "block rack host",
     "n1:b1/r1/n1 n2:b1/-/n2", "b1/r1/n1", "n2 no rack"},
    {"C111_a_host_named_like_a_block_stays", "block host", "b1/b1 b1/n2 b1/b2 b2/n3",
     "b1/b1 b1/b2 b1/n2 b2/n3", ""},
    {"C163_a_clique_is_its_whole_text", "nvidia.com/gpu.clique host",
     "3183419e-0000-4f0e-86e8-d895a9fb06be.17044/a bbc2edac-0000-43a0-9053-cae96152c90a.17044/b "
     "7e3.0/c 7000.0/d",
     "3183419e-0000-4f0e-86e8-d895a9fb06be.17044/a 7000.0/d 7e3.0/c "
     "bbc2edac-0000-43a0-9053-cae96152c90a.17044/b",
     ""},
    {"one_rack_name_under_two_blocks_is_two_racks", "block rack host", "b1/r1/a b2/r1/b b1/r1/c",
     "b1/r1/a b1/r1/c b2/r1/b", ""},
    {"an_empty_value_counts_as_present", "block host", "''/a b1/b", "-/a b1/b", ""},
    {"the_first_missing_level_is_named", "block rack host", "n1:-/-/n1 n2:b1/r1/-", "",
     "n1 no block, n2 no kubernetes.io/hostname"},
    {"unusable_nodes_are_out", "block host", "b1/a! b1/b~ b1/c b1/d!~", "b1/c",
     "a cordoned, b not ready, d not ready"},
    {"two_nodes_of_one_hostname_take_the_path_of_the_smaller_name", "rack host",
     "n2:r1/a n1:r2/a n3:r1/b", "r1/b=n3 r2/a=n1+n2", ""},
    {"an_unusable_first_node_gives_no_path", "rack host", "n1:r2/a! n2:r1/a", "r1/a=n2",
     "n1 cordoned"},
    {"order_is_by_bytes_and_not_by_numbers", "host", "n1:a0 n2:9 n3:\xc3\xa9 n4:Z n5:10 n6:a n7:B",
     "10=n5 9=n2 B=n7 Z=n4 a=n6 a0=n1 \xc3\xa9=n3", ""},
    {"values_are_compared_one_by_one_and_not_joined", "rack host", "n1:a./z n2:a-b/x n3:a/y",
     "a/y=n3 a-b/x=n2 a./z=n1", ""},
    {"texts_that_differ_behind_a_long_common_start_are_ordered", "host",
     "n1:gb200-pod-0000-2 n2:gb200-pod-0000-1 n3:gb200-pod-0000",
     "gb200-pod-0000=n3 gb200-pod-0000-1=n2 gb200-pod-0000-2=n1", ""},
    {"texts_that_differ_late_are_ordered", "host",
     "n1:gb200-pod-0000-2 n2:gb200-pod-0000-1 n3:x n4:gb200-pod-0000",
     "gb200-pod-0000=n4 gb200-pod-0000-1=n2 gb200-pod-0000-2=n1 x=n3", ""},
    {"leaves_above_the_host_hold_their_nodes_by_name", "block rack", "n3:b1/r1 n1:b1/r1 n2:b1/r2",
     "b1/r1=n1+n3 b1/r2=n2", ""},
    {"no_nodes_no_domains", "block host", "", "", ""},
};

class ClosedTree : public ::testing::TestWithParam<TreeCase> {};

TEST_P(ClosedTree, HasTheseLeavesInPathOrder) {
  const CompactWorld world = compact_world(GetParam().levels, GetParam().nodes);
  const DomainTree tree(world.topology, world.nodes, {}, false);
  EXPECT_EQ(leaves_text(tree, world.nodes), GetParam().leaves);
  EXPECT_EQ(left_out_text(tree, world.nodes), GetParam().left_out);
}
INSTANTIATE_TEST_SUITE_P(Trees, ClosedTree, ::testing::ValuesIn(kClosedTrees),
                         [](const auto& test) { return std::string(test.param.name); });

const TreeCase kOpenTrees[] = {
    {"a_node_without_fabric_labels_is_a_leaf", "block rack host", "b1/r1/a n2:-/-/n2",
     "-/-/n2 b1/r1/a", ""},
    {"a_zone_does_not_make_a_fabric", "topology.kubernetes.io/zone rack host", "z1/r1/a z1/-/b",
     "z1/-/b z1/r1/a", ""},
    {"half_a_fabric_is_out", "block rack host", "b1/r1/a b1/-/b -/r1/c", "b1/r1/a",
     "b no rack, c no block"},
    {"without_a_hostname_a_node_is_out", "block rack host", "b1/r1/a n2:-/-/-", "b1/r1/a",
     "n2 no block"},
    {"whole_fabric_without_zone_is_out", "topology.kubernetes.io/zone rack host", "z1/r1/a -/r1/b",
     "z1/r1/a", "b no topology.kubernetes.io/zone"},
    {"a_topology_above_the_host_has_no_open_leaves", "block rack", "n1:b1/r1 n2:-/-", "b1/r1=n1",
     "n2 no block"},
};

class OpenTree : public ::testing::TestWithParam<TreeCase> {};

TEST_P(OpenTree, TakesInOnlyNodesWithoutFabricLabels) {
  CompactWorld world = compact_world(GetParam().levels, GetParam().nodes);
  world.topology.unlabelled = UnlabelledNodes::kUnconstrainedOnly;
  const DomainTree tree(world.topology, world.nodes, {}, true);
  EXPECT_EQ(leaves_text(tree, world.nodes), GetParam().leaves);
  EXPECT_EQ(left_out_text(tree, world.nodes), GetParam().left_out);
}
INSTANTIATE_TEST_SUITE_P(Trees, OpenTree, ::testing::ValuesIn(kOpenTrees),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(DomainTree, OpenMeansNothingIfTheTopologyExcludes) {
  const CompactWorld world = compact_world("rack host", "r1/a -/b");
  const DomainTree tree(world.topology, world.nodes, {}, true);
  EXPECT_EQ(leaves_text(tree, world.nodes), "r1/a");
  EXPECT_EQ(left_out_text(tree, world.nodes), "b no rack");
}

TEST(DomainTree, AFlavorTakesOnlyNodesWithAllItsLabels) {
  const CompactWorld world = compact_world("rack host",
                                           "r1/a+pool=x+team=t r1/b+pool=x r1/c+pool=y+team=t "
                                           "r1/d+pool=xx+team=t! r1/e+pool=x+team=t!");
  const DomainTree tree(world.topology, world.nodes,
                        {{Symbol("pool"), Symbol("x")}, {Symbol("team"), Symbol("t")}}, false);
  EXPECT_EQ(leaves_text(tree, world.nodes), "r1/a");
  EXPECT_EQ(left_out_text(tree, world.nodes), "b flavor, c flavor, d flavor, e cordoned");
}

TEST(DomainTree, SharedHostnamesAreListed) {
  const CompactWorld world = compact_world("rack host", "n2:r1/a n1:r2/a n3:r1/b");
  const DomainTree tree(world.topology, world.nodes, {}, false);
  ASSERT_EQ(tree.shared_hostnames().size(), 1U);
  EXPECT_EQ(tree.path_text(tree.domain_of(tree.shared_hostnames()[0])), "r2/a");
}

struct FindCase {
  const char* name;
  const char* levels;
  const char* values;
  const char* found;  // nodes of the leaf; "" if none
};
void PrintTo(const FindCase& test, std::ostream* out) { *out << test.name; }

const FindCase kFinds[] = {
    {"bare_hostname", "block rack host", "c", "c"},
    {"whole_path", "block rack host", "b1 r2 c", "c"},
    {"a_hostname_under_the_wrong_rack_is_unknown", "block rack host", "b1 r1 c", ""},
    {"a_rack_is_no_leaf", "block rack host", "b1 r1", ""},
    {"a_block_name_is_no_host", "block rack host", "b1", ""},
    {"a_path_above_the_host", "block rack", "b2 r1", "d"},
    {"the_last_value_alone_is_not_enough_above_the_host", "block rack", "r2", ""},
    {"a_rack_of_another_block", "block rack", "b2 r2", ""},
    {"too_many_values", "block rack host", "b1 r2 c x", ""},
    {"no_values", "block rack host", "", ""},
};

class FindLeaf : public ::testing::TestWithParam<FindCase> {};

TEST_P(FindLeaf, GivesTheLeafOfThePath) {
  const CompactWorld world = compact_world("block rack host", "b1/r1/a b1/r1/b b1/r2/c b2/r1/d");
  const DomainTree tree(test::compact_topology(GetParam().levels), world.nodes, {}, false);
  std::vector<Symbol> values;
  for (const std::string& word : test::words(GetParam().values)) values.emplace_back(word);
  const std::optional<LeafId> leaf = tree.find_leaf(values);
  EXPECT_EQ(leaf ? node_names(tree.nodes(*leaf), world.nodes) : "", GetParam().found);
}
INSTANTIATE_TEST_SUITE_P(Trees, FindLeaf, ::testing::ValuesIn(kFinds),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(TopologySpec, ALevelIsFoundByLabelThenAliasThenDisplay) {
  TopologySpec spec;
  spec.levels = {{Symbol("rack"), "x", "shown"}, {Symbol("x"), "rack", ""}, {Symbol("h"), "", ""}};
  EXPECT_EQ(spec.find_level("rack"), 0);
  EXPECT_EQ(spec.find_level("x"), 1);
  EXPECT_EQ(spec.find_level("shown"), 0);
  EXPECT_EQ(spec.find_level("h"), 2);
  EXPECT_EQ(spec.find_level(""), std::nullopt);
  EXPECT_EQ(spec.find_level("racks"), std::nullopt);
}

/// The same tree as maps of whole paths, made from the rule of placement.md 2.1.
using Paths = std::map<std::vector<std::string>, std::vector<std::string>>;  // leaf -> Node names

void expect_same(const DomainTree& tree, const CompactWorld& world, const Paths& leaves) {
  std::vector<std::vector<std::vector<std::string>>> domains(
      static_cast<std::size_t>(tree.level_count()));
  for (const auto& [path, members] : leaves) {
    for (std::size_t level = 0; level < path.size(); ++level) {
      const std::vector<std::string> prefix(path.begin(),
                                            path.begin() + static_cast<std::ptrdiff_t>(level + 1));
      auto& known = domains[level];
      if (known.empty() || known.back() != prefix) known.push_back(prefix);
    }
  }
  for (int level = 0; level < tree.level_count(); ++level) {
    const DomainRange range = tree.level(level);
    const auto& expected = domains[static_cast<std::size_t>(level)];
    ASSERT_EQ(range.size(), expected.size());
    for (std::uint32_t i = 0; i < range.size(); ++i) {
      const DomainId domain{range.begin + i};
      std::vector<std::string> path;
      for (const Symbol value : tree.path(domain)) path.push_back(value.str());
      ASSERT_EQ(path, expected[i]);
      EXPECT_EQ(tree.level_of(domain), level);
      const DomainRange children = tree.children(domain);
      EXPECT_EQ(children.size() == 0, level == tree.leaf_level());
      for (std::uint32_t child = children.begin; child < children.end; ++child) {
        EXPECT_EQ(tree.parent(DomainId{child}), domain);
        EXPECT_EQ(tree.ancestor(DomainId{child}, level), domain);
      }
      EXPECT_EQ(tree.parent(domain).has_value(), level > 0);
      EXPECT_EQ(tree.ancestor(domain, level), domain);
    }
  }
  std::uint32_t leaf = 0;
  for (const auto& [path, members] : leaves) {
    std::string names;
    for (const std::string& name : members) names += (names.empty() ? "" : "+") + name;
    EXPECT_EQ(node_names(tree.nodes(LeafId{leaf}), world.nodes), names);
    EXPECT_EQ(tree.leaf_of(tree.domain_of(LeafId{leaf})), LeafId{leaf});
    EXPECT_EQ(tree.find_leaf(tree.path(tree.domain_of(LeafId{leaf}))), LeafId{leaf});
    ++leaf;
  }
}

TEST(DomainTree, RandomTreesAreThoseOfPlainMaps) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](std::uint32_t below) {
      return static_cast<std::uint32_t>(random() % below);
    };
    const bool host = pick(2) == 0;
    const std::string levels = host ? "block rack host" : "block rack row";
    std::string notation;
    const std::uint32_t count = 1 + pick(40);
    for (std::uint32_t i = 0; i < count; ++i) {
      // Names of different lengths in no path order; hostnames sometimes shared.
      notation += "n" + std::to_string(i) + ":" + std::string(1 + pick(2), 'b') + "/r" +
                  std::to_string(pick(12)) + "/h" + std::to_string(pick(3 * count)) +
                  (pick(8) == 0 ? "!" : "") + " ";
    }
    const CompactWorld world = compact_world(levels, notation);
    Paths leaves;
    std::map<std::string, std::vector<std::string>> path_of_host;
    for (const NodeRecord& node : world.nodes) {
      if (!node.usable()) continue;
      std::vector<std::string> path;
      for (const TopologyLevel& level : world.topology.levels) {
        path.push_back(node.labels.find(level.label)->str());
      }
      if (host) path = path_of_host.emplace(path.back(), path).first->second;
      leaves[path].push_back(node.name.str());
    }
    const DomainTree tree(world.topology, world.nodes, {}, false);
    ASSERT_NO_FATAL_FAILURE(expect_same(tree, world, leaves))
        << "seed " << seed << ": " << notation;
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ": " << notation;
  }
}

}  // namespace
}  // namespace tessera::topology
