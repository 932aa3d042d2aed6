// SPDX-License-Identifier: Apache-2.0
// The cells of live trees: holes and hidden leaves.
#include <gtest/gtest.h>

#include "tests/topology/compact_world.h"
#include "topology/cell_map.h"

namespace tessera::topology {
namespace {

using test::CompactWorld;

std::string text_of(std::span<const CellId> cells) {
  std::string text;
  for (const CellId cell : cells) text += (text.empty() ? "" : " ") + std::to_string(index(cell));
  return text;
}

/// "a b - c": the nodes of each cell.
std::string cells_text(const CellMap& map, const CompactWorld& world) {
  std::string text;
  for (std::uint32_t i = 0; i < map.cell_count(); ++i) {
    const std::string names = test::node_names(map.nodes(CellId{i}), world.nodes);
    text += (i == 0 ? "" : " ") + (names.empty() ? "-" : names);
  }
  return text;
}

TEST(CellMapLive, TheCellsOfTheFirstTreeAreNumberedLikeItsSlots) {
  const CompactWorld world = test::compact_world("rack host", "r1/a r1/b! r2/c~ -/d");
  const DomainTree live(world.topology, world.nodes, {}, false, TreeUse::kLive);
  const DomainTree racks(test::compact_topology("rack"), world.nodes, {}, false);
  const DomainTree* trees[] = {&live, &racks};
  const std::uint32_t scopes[] = {1, 2};
  const CellMap map(trees, scopes, 4, {});
  EXPECT_EQ(cells_text(map, world), "a b - c - a");
  EXPECT_EQ(text_of(map.cells_of_tree(0)), "0 1 2 3 4");
  EXPECT_EQ(text_of(map.cells_of_tree(1)), "5");
  EXPECT_EQ(text_of(map.cells_of_node(NodeId{0})), "0 5");
  EXPECT_EQ(text_of(map.cells_of_node(NodeId{2})), "3");
  EXPECT_EQ(text_of(map.cells_of_node(NodeId{3})), "");
  EXPECT_EQ(text_of(map.observers(CellId{0})), "5");
  for (std::uint32_t cell = 0; cell < 5; ++cell) EXPECT_TRUE(map.is_host(CellId{cell}));
}

TEST(CellMapLive, HolesAreNeverSharedAndSeeNothing) {
  CompactWorld world = test::compact_world("rack host", "r1/a n1:r2/'' -/c");
  world.topology.unlabelled = UnlabelledNodes::kUnconstrainedOnly;
  const DomainTree closed(world.topology, world.nodes, {}, false, TreeUse::kLive);
  const DomainTree open(world.topology, world.nodes, {}, true, TreeUse::kLive);
  const DomainTree* trees[] = {&closed, &open};
  const std::uint32_t scopes[] = {1, 1};
  for (const bool overlapping : {true, false}) {
    const CellMap map(trees, scopes, 3, {overlapping, false});
    EXPECT_EQ(cells_text(map, world), "a - n1 - c - - -");
    EXPECT_EQ(text_of(map.cells_of_tree(0)), "0 1 2 3");
    EXPECT_EQ(text_of(map.cells_of_tree(1)), "4 5 0 6 2 7");
    for (std::uint32_t cell = 0; cell < map.cell_count(); ++cell) {
      EXPECT_EQ(text_of(map.observers(CellId{cell})), "");
    }
  }
}

TEST(CellMapLive, AChangeOfTheTreeLeavesCellsAsTheyWere) {
  const CompactWorld world = test::compact_world("rack host", "r1/a r1/c r2/b");
  DomainTree live(world.topology, world.nodes, {}, false, TreeUse::kLive);
  const DomainTree* trees[] = {&live};
  const std::uint32_t scopes[] = {1};
  const CellMap map(trees, scopes, 3, {});
  std::vector<CellId> cells(map.cells_of_tree(0).begin(), map.cells_of_tree(0).end());

  const LeafId from = *live.find_host(Symbol("b"));
  const CellId moved = cells[index(from)];
  live.vacate(from);
  const auto shift = live.insert(std::vector{Symbol("r1"), Symbol("b")}, NodeId{1});
  ASSERT_TRUE(shift);
  rotate_slots(*shift, cells.data());
  std::swap(cells[index(from)], cells[index(shift->at)]);  // the hole's cell for the node's
  EXPECT_EQ(cells[index(shift->at)], moved);
  for (std::uint32_t leaf = 0; leaf < live.leaf_count(); ++leaf) {
    const std::span<const NodeId> nodes = live.nodes(LeafId{leaf});
    if (nodes.empty()) continue;
    EXPECT_EQ(text_of(map.cells_of_node(nodes[0])), std::to_string(index(cells[leaf])));
  }
}

}  // namespace
}  // namespace tessera::topology
