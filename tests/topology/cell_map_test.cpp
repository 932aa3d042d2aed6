// SPDX-License-Identifier: Apache-2.0
#include "topology/cell_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <ostream>

#include "tests/topology/compact_world.h"

namespace tessera::topology {
namespace {

using test::CompactWorld;
using test::node_names;

/// Nodes of every case, with levels block, rack, host and flavor labels x, y, z. Nodes d1 and d2
/// share a hostname.
constexpr const char* kNodes =
    "a:b1/r1/a+x=1+y=1 b:b1/r1/b+x=1+y=1 c:b1/r2/c+x=1 d1:b2/r3/d+x=1 d2:b2/r3/d+y=1+z=1";

struct MapCase {
  const char* name;
  CellPolicy policy;
  std::vector<const char*>
      trees;          // "x block rack host": flavor label and levels; equal flavors have one scope
  const char* cells;  // node names of each cell, by CellId
  std::vector<const char*> leaves;  // cells of each tree's leaves
  const char* observers;            // "cell>cells that see it"
};
void PrintTo(const MapCase& test, std::ostream* out) { *out << test.name; }

constexpr CellPolicy kShared{true, false};
constexpr CellPolicy kOwnHosts{false, false};
constexpr CellPolicy kOwnAbove{true, true};

const MapCase kMaps[] = {
    {"one_tree_has_a_cell_a_leaf", kShared, {"x block rack host"}, "a b c d1", {"0 1 2 3"}, ""},
    {"flavors_over_the_same_hosts_share_cells_and_see_a_shared_hostname",
     kShared,
     {"x block rack host", "y rack host"},
     "a b c d1 d2",
     {"0 1 2 3", "0 1 4"},
     "3>4 4>3"},
    {"without_overlap_each_flavor_has_its_own_hosts",
     kOwnHosts,
     {"x block rack host", "y rack host"},
     "a b c d1 a b d2",
     {"0 1 2 3", "4 5 6"},
     ""},
    {"two_trees_of_one_flavor_share_their_own_hosts",
     kOwnHosts,
     {"x block rack host", "x block rack host"},
     "a b c d1",
     {"0 1 2 3", "0 1 2 3"},
     ""},
    {"equal_levels_and_nodes_above_the_host_are_one_cell",
     kShared,
     {"x block rack", "y block rack"},
     "a+b c d1 d2",
     {"0 1 2", "0 3"},
     ""},
    {"other_levels_over_the_same_nodes_are_another_cell_that_sees",
     kShared,
     {"x block rack", "x block"},
     "a+b c d1 a+b+c d1",
     {"0 1 2", "3 4"},
     "0>3 1>3 2>4 4>2"},
    {"racks_see_hosts_and_hosts_do_not_see_racks",
     kShared,
     {"x block rack host", "y block rack"},
     "a b c d1 a+b d2",
     {"0 1 2 3", "4 5"},
     "0>4 1>4"},
    {"own_usage_above_the_host_sees_nothing_else",
     kOwnAbove,
     {"x block rack host", "x block rack", "y block rack"},
     "a b c d1 a+b c d1 a+b d2",
     {"0 1 2 3", "4 5 6", "7 8"},
     ""},
    {"own_usage_above_the_host_leaves_hosts_shared",
     kOwnAbove,
     {"x rack host", "y rack host", "z rack"},
     "a b c d1 d2 d2",
     {"0 1 2 3", "0 1 4", "5"},
     "3>4 4>3"},
    {"a_host_of_two_nodes_overlaps_with_each",
     kShared,
     {"x host", "z host", "- host"},
     "a b c d1 d2 d1+d2",
     {"0 1 2 3", "4", "0 1 2 5"},
     "3>4,5 4>3,5 5>3,4"},
};

std::string joined(std::span<const CellId> cells, const char* separator) {
  std::string text;
  for (const CellId cell : cells) {
    text += (text.empty() ? "" : separator) + std::to_string(index(cell));
  }
  return text;
}

class CellMapTable : public ::testing::TestWithParam<MapCase> {};

TEST_P(CellMapTable, SharesCellsAndKnowsWhoSeesThem) {
  const CompactWorld world = test::compact_world("block rack host", kNodes);
  std::deque<DomainTree> trees;
  std::vector<const DomainTree*> pointers;
  std::vector<std::uint32_t> scopes;
  for (const char* text : GetParam().trees) {
    const std::string flavor(text, 1);
    std::vector<std::pair<Symbol, Symbol>> labels;
    if (flavor != "-") labels = {{Symbol(flavor), Symbol("1")}};
    trees.emplace_back(test::compact_topology(text + 2), world.nodes, labels, false);
    pointers.push_back(&trees.back());
    scopes.push_back(static_cast<std::uint32_t>(flavor[0]));
  }
  const auto node_count = static_cast<std::uint32_t>(world.nodes.size());
  const CellMap map(pointers, scopes, node_count, GetParam().policy);

  std::string cells, observers;
  for (std::uint32_t i = 0; i < map.cell_count(); ++i) {
    cells += (i == 0 ? "" : " ") + node_names(map.nodes(CellId{i}), world.nodes);
    for (const NodeId node : map.nodes(CellId{i})) {
      const auto holders = map.cells_of_node(node);
      EXPECT_EQ(std::count(holders.begin(), holders.end(), CellId{i}), 1);
    }
    if (map.observers(CellId{i}).empty()) continue;
    observers += (observers.empty() ? "" : " ") + std::to_string(i) + ">" +
                 joined(map.observers(CellId{i}), ",");
  }
  EXPECT_EQ(cells, GetParam().cells);
  EXPECT_EQ(observers, GetParam().observers);
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    EXPECT_EQ(joined(map.cells_of_tree(tree), " "), GetParam().leaves[tree]);
    for (const CellId cell : map.cells_of_tree(tree)) {
      EXPECT_EQ(map.is_host(cell), trees[tree].topology().host_level());
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Cells, CellMapTable, ::testing::ValuesIn(kMaps),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CellMap, AnOpenTreeSharesTheCellsOfTheClosedOne) {
  CompactWorld world = test::compact_world("rack host", "r1/a -/b r1/c");
  world.topology.unlabelled = UnlabelledNodes::kUnconstrainedOnly;
  const DomainTree closed(world.topology, world.nodes, {}, false);
  const DomainTree open(world.topology, world.nodes, {}, true);
  const DomainTree* trees[] = {&closed, &open};
  const std::uint32_t scopes[] = {7, 7};
  for (const bool overlapping : {true, false}) {
    const CellMap map(trees, scopes, 3, {overlapping, false});
    EXPECT_EQ(joined(map.cells_of_tree(0), " "), "0 1");
    EXPECT_EQ(joined(map.cells_of_tree(1), " "), "2 0 1");
  }
}

TEST(CellMap, ANodeOutsideAllTreesHasNoCells) {
  const CompactWorld world = test::compact_world("rack host", "r1/a -/b");
  const DomainTree tree(world.topology, world.nodes, {}, false);
  const DomainTree* trees[] = {&tree};
  const std::uint32_t scopes[] = {0};
  const CellMap map(trees, scopes, 2, {});
  EXPECT_EQ(map.cells_of_node(NodeId{0}).size(), 1U);
  EXPECT_TRUE(map.cells_of_node(NodeId{1}).empty());
  EXPECT_EQ(CellMap({}, {}, 2, {}).cell_count(), 0U);
}

}  // namespace
}  // namespace tessera::topology
