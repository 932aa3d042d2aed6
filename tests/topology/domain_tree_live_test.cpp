// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>
#include <ostream>

#include "tests/topology/compact_world.h"
#include "topology/domain_tree.h"

namespace tessera::topology {
namespace {

using test::compact_world;
using test::CompactWorld;
using test::leaves_text;
using test::node_names;

DomainTree live_tree(const CompactWorld& world, bool open = false) {
  return DomainTree(world.topology, world.nodes, {}, open, TreeUse::kLive);
}

std::vector<Symbol> path_of(std::string_view text) {
  std::vector<Symbol> path;
  for (const std::string& word : test::words(text)) path.emplace_back(word == "-" ? "" : word);
  return path;
}

/// All slots in order: "b1/r1/a", "(b1/r1/b)" if hidden, "_" for a hole; nodes as in leaves_text().
std::string slots_text(const DomainTree& tree, const std::vector<NodeRecord>& nodes) {
  std::string text;
  for (std::uint32_t i = 0; i < tree.leaf_count(); ++i) {
    const LeafId leaf{i};
    const DomainId domain = tree.domain_of(leaf);
    std::string slot = tree.path_text(domain);
    const std::string members = node_names(tree.nodes(leaf), nodes);
    if (members != tree.value(domain).view()) slot += "=" + members;
    if (tree.nodes(leaf).empty()) {
      EXPECT_TRUE(tree.value(domain).empty());
      EXPECT_FALSE(tree.shown(leaf));
      slot = "_";
    } else if (!tree.shown(leaf)) {
      slot = "(" + slot + ")";
    }
    text += (text.empty() ? "" : " ") + slot;
  }
  return text;
}

std::string left_out_text(const DomainTree& tree, const std::vector<NodeRecord>& nodes) {
  constexpr const char* kCauses[] = {"cordoned", "not ready", "flavor", "level"};
  std::string text;
  for (const LeftOutNode& out : tree.left_out()) {
    text += (text.empty() ? "" : ", ") + nodes[index(out.node)].name.str() + " " +
            kCauses[static_cast<std::size_t>(out.cause)];
  }
  return text;
}

struct BuildCase {
  const char* name;
  const char* levels;
  const char* nodes;
  bool open;
  const char* slots;
  const char* left_out;
};
void PrintTo(const BuildCase& test, std::ostream* out) { *out << test.name; }

const BuildCase kBuilds[] = {
    {"unusable_nodes_are_hidden_leaves", "block rack host", "b1/r1/a! b1/r1/b b1/r2/c~", false,
     "(b1/r1/a) b1/r1/b _ (b1/r2/c) _", ""},
    {"an_unusable_node_without_a_level_is_left_out_for_what_it_is", "rack host", "r1/a -/b! -/c",
     false, "r1/a _", "b cordoned, c level"},
    {"seventeen_leaves_have_one_spare_slot", "rack host",
     "r/a r/b r/c r/d r/e r/f r/g r/h r/i r/j r/k r/l r/m r/n r/o r/p r/q", false,
     "r/a r/b r/c r/d r/e r/f r/g r/h r/i r/j r/k r/l r/m r/n r/o r/p r/q _", ""},
    {"thirty_two_leaves_have_two_whatever_is_hidden", "host",
     "a b c d e f g h i j k l m n o p q r s t u v w x y z! 1 2 3 4 5 6", false,
     "1 2 3 4 5 6 a b c d e f g h i j k l m n o p q r s t u v w x y (z) _ _", ""},
    {"a_flat_tree_without_nodes_can_take_one_in", "host", "", false, "_", ""},
    {"without_nodes_there_are_no_domains", "rack host", "", false, "", ""},
    {"an_open_tree_has_spare_slots_for_unlabelled_nodes", "block rack host", "b1/r1/a -/-/n -/-/m~",
     true, "(-/-/m) -/-/n _ b1/r1/a _", ""},
    {"an_empty_hostname_is_a_leaf_and_no_hole", "rack host", "n1:r1/''", false, "r1/-=n1 _", ""},
    {"a_usable_node_keeps_its_path_before_an_unusable_one_of_its_hostname", "rack host",
     "n1:r1/a! n2:r2/a n3:r3/b~ n4:-/c", false, "r2/a=n2 _ (r3/b=n3) _", "n1 cordoned, n4 level"},
    {"unusable_nodes_of_one_hostname_are_one_hidden_leaf", "rack host", "n1:r1/a! n2:r2/a~", false,
     "(r1/a=n1+n2) _", ""},
};

class LiveBuild : public ::testing::TestWithParam<BuildCase> {};

TEST_P(LiveBuild, HidesUnusableNodesAndAddsSpareSlots) {
  CompactWorld world = compact_world(GetParam().levels, GetParam().nodes);
  if (GetParam().open) world.topology.unlabelled = UnlabelledNodes::kUnconstrainedOnly;
  const DomainTree tree = live_tree(world, GetParam().open);
  EXPECT_EQ(slots_text(tree, world.nodes), GetParam().slots);
  EXPECT_EQ(left_out_text(tree, world.nodes), GetParam().left_out);
}
INSTANTIATE_TEST_SUITE_P(Trees, LiveBuild, ::testing::ValuesIn(kBuilds),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(LiveTree, AboveTheHostItIsBuiltForOnce) {
  const CompactWorld world = compact_world("block rack", "n1:b1/r1 n2:b1/r1! n3:b1/r2~");
  DomainTree tree = live_tree(world);
  EXPECT_FALSE(tree.live());
  EXPECT_EQ(leaves_text(tree, world.nodes), "b1/r1=n1");
  EXPECT_EQ(left_out_text(tree, world.nodes), "n2 cordoned, n3 not ready");
  EXPECT_FALSE(tree.insert(path_of("b1 r1"), NodeId{1}));
}

TEST(LiveTree, CountsFollowShowAndHideAtAllLevels) {
  const CompactWorld world = compact_world("block rack host", "b1/r1/a b1/r1/b! b1/r2/c b2/r3/d~");
  DomainTree tree = live_tree(world);
  const auto counts = [&] {
    std::string text;
    for (const char* path : {"b1", "b2", "b1 r1", "b1 r2", "b2 r3"}) {
      const DomainId domain = *tree.find_domain(path_of(path));
      text += std::to_string(tree.shown_leaves(domain)) + (tree.exists(domain) ? " " : "- ");
    }
    return text + std::to_string(tree.shown_leaf_count());
  };
  const LeafId c = *tree.find_host(Symbol("c")), d = *tree.find_host(Symbol("d"));
  EXPECT_EQ(counts(), "2 0- 1 1 0- 2");
  EXPECT_FALSE(tree.find_leaf(path_of("d")));
  tree.show(d);
  tree.show(d);
  EXPECT_EQ(counts(), "2 1 1 1 1 3");
  EXPECT_EQ(tree.find_leaf(path_of("d")), d);
  tree.hide(c);
  tree.hide(c);
  EXPECT_EQ(counts(), "1 1 1 0- 1 2");
  EXPECT_FALSE(tree.find_leaf(path_of("b1 r2 c")));
  tree.vacate(d);
  tree.vacate(*tree.find_host(Symbol("b")));
  EXPECT_EQ(counts(), "1 0- 1 0- 0- 1");
  EXPECT_FALSE(tree.find_host(Symbol("d")));
}

TEST(LiveTree, ATreeForOnceCountsTheLeavesBelowADomain) {
  const CompactWorld world = compact_world("block rack host", "b1/r1/a b1/r1/b b1/r2/c b2/r3/d!");
  const DomainTree tree(world.topology, world.nodes, {}, false);
  EXPECT_EQ(tree.shown_leaf_count(), 3U);
  EXPECT_EQ(tree.shown_leaves(*tree.find_domain(path_of("b1"))), 3U);
  EXPECT_EQ(tree.shown_leaves(*tree.find_domain(path_of("b1 r1"))), 2U);
  EXPECT_EQ(tree.shown_leaves(tree.domain_of(LeafId{0})), 1U);
  EXPECT_TRUE(tree.exists(DomainId{0}) && tree.shown(LeafId{2}));
  EXPECT_FALSE(tree.find_domain(path_of("b2")));
}

struct DomainCase {
  const char* name;
  const char* path;
  const char* found;  // "" if none
};
void PrintTo(const DomainCase& test, std::ostream* out) { *out << test.name; }

const DomainCase kDomains[] = {
    {"a_block", "b1", "b1"},
    {"a_rack", "b2 r1", "b2/r1"},
    {"a_rack_whose_leaves_are_all_hidden", "b1 r2", "b1/r2"},
    {"a_rack_of_another_block", "b2 r2", ""},
    {"a_rack_alone", "r1", ""},
    {"a_hostname_is_no_block", "a", ""},
    {"a_leaf_is_not_above_the_leaves", "b1 r1 a", ""},
    {"no_values", "", ""},
};

class FindDomain : public ::testing::TestWithParam<DomainCase> {};

TEST_P(FindDomain, GivesTheDomainAboveTheLeaves) {
  const CompactWorld world = compact_world("block rack host", "b1/r1/a b1/r2/b~ b2/r1/b1");
  const DomainTree tree = live_tree(world);
  const std::optional<DomainId> domain = tree.find_domain(path_of(GetParam().path));
  EXPECT_EQ(domain ? tree.path_text(*domain) : "", GetParam().found);
}
INSTANTIATE_TEST_SUITE_P(Trees, FindDomain, ::testing::ValuesIn(kDomains),
                         [](const auto& test) { return std::string(test.param.name); });

struct InsertCase {
  const char* name;
  const char* levels;
  const char* nodes;
  const char* vacated;  // hostnames
  const char* path;     // of the last node, whose first leaf is vacated as well
  const char* slots;    // "": refused
  std::uint32_t hole, at;
};
void PrintTo(const InsertCase& test, std::ostream* out) { *out << test.name; }

const InsertCase kInserts[] = {
    {"leaves_behind_move_towards_a_hole_behind", "rack host", "r1/a r1/c r1/e r2/z", "", "r1 b",
     "r1/a (r1/b=z) r1/c r1/e _ _", 3, 1},
    {"leaves_before_move_towards_a_hole_before", "rack host", "r1/a r1/b r1/c r1/e r1/f r1/g r2/z",
     "a", "r1 d", "r1/b r1/c (r1/d=z) r1/e r1/f r1/g _ _ _", 0, 2},
    {"the_nearer_hole_is_taken", "rack host", "r1/a r1/b r1/c r1/e r1/f r2/z", "b", "r1 d",
     "r1/a r1/c (r1/d=z) r1/e r1/f _ _ _", 1, 2},
    {"equally_near_the_one_behind_is_taken", "rack host", "r1/a r1/b r1/c r2/z", "a", "r1 bb",
     "_ r1/b (r1/bb=z) r1/c _ _", 3, 2},
    {"in_its_place_nothing_moves", "rack host", "r1/a r1/b r1/c r2/z", "b", "r1 bb",
     "r1/a (r1/bb=z) r1/c _ _ _", 1, 1},
    {"last_of_all", "rack host", "r1/a r2/z", "", "r1 z", "r1/a (r1/z) _ _", 1, 1},
    {"back_into_its_own_slot", "rack host", "r1/a r1/z", "", "r1 z", "r1/a (r1/z) _", 1, 1},
    {"hidden_leaves_move_and_stay_hidden", "rack host", "r1/a r1/c! r1/d r2/z", "", "r1 b",
     "r1/a (r1/b=z) (r1/c) r1/d _ _", 3, 1},
    {"a_leaf_of_two_nodes_moves_whole", "rack host", "n1:r1/b n2:r1/b n3:r1/c n4:r2/z", "", "r1 a",
     "(r1/a=n4) r1/b=n1+n2 r1/c=n3 _ _", 2, 0},
    {"a_flat_tree_moves_to_its_end", "host", "b d f z", "", "c", "b (c=z) d f _", 3, 1},
    {"a_hostname_may_start_unlike_all_others", "rack host", "r1/host-b r1/host-d r2/host-z", "",
     "r1 a", "(r1/a=host-z) r1/host-b r1/host-d _ _", 2, 0},
    {"hostnames_that_differ_late_are_ordered", "rack host", "r1/aaaaaaaaaa1 r1/aaaaaaaaaa3 r2/z",
     "", "r1 aaaaaaaaaa2", "r1/aaaaaaaaaa1 (r1/aaaaaaaaaa2=z) r1/aaaaaaaaaa3 _ _", 2, 1},
    {"an_emptied_rack_takes_nodes_in", "rack host", "r1/a r1/b r2/z", "a b", "r1 c",
     "(r1/c=z) _ _ _ _", 0, 0},
    {"an_unknown_rack_needs_a_new_tree", "rack host", "r1/a r2/z", "", "r3 z", "", 0, 0},
    {"a_taken_hostname_needs_a_new_tree", "rack host", "r1/a r2/z", "", "r1 a", "", 0, 0},
    {"a_hidden_hostname_is_taken", "rack host", "r1/a r2/b! r3/z", "", "r1 b", "", 0, 0},
    {"half_a_path_names_no_leaf", "block rack host", "b1/r1/a b1/r1/z", "", "b1 z", "", 0, 0},
};

class LiveInsert : public ::testing::TestWithParam<InsertCase> {};

TEST_P(LiveInsert, PutsTheNodeInPathOrder) {
  const CompactWorld world = compact_world(GetParam().levels, GetParam().nodes);
  DomainTree tree = live_tree(world);
  const NodeId moved{static_cast<std::uint32_t>(world.nodes.size() - 1)};
  tree.vacate(*tree.find_host(*world.nodes.back().labels.find(hostname_label())));
  for (const Symbol hostname : path_of(GetParam().vacated)) tree.vacate(*tree.find_host(hostname));

  const std::string before = slots_text(tree, world.nodes);
  const std::optional<SlotShift> shift = tree.insert(path_of(GetParam().path), moved);
  ASSERT_EQ(shift.has_value(), *GetParam().slots != '\0');
  EXPECT_EQ(slots_text(tree, world.nodes), shift ? GetParam().slots : before);
  if (!shift) return;
  EXPECT_EQ(index(shift->hole), GetParam().hole);
  EXPECT_EQ(index(shift->at), GetParam().at);
  EXPECT_EQ(tree.find_host(path_of(GetParam().path).back()), shift->at);
}
INSTANTIATE_TEST_SUITE_P(Trees, LiveInsert, ::testing::ValuesIn(kInserts),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(LiveTree, WithoutAHoleNothingChanges) {
  const CompactWorld world = compact_world("rack host", "r1/a r1/b r2/c r2/d");
  DomainTree tree = live_tree(world);
  for (const char* hostname : {"c", "d"}) tree.vacate(*tree.find_host(Symbol(hostname)));
  ASSERT_TRUE(tree.insert(path_of("r1 c"), NodeId{2}));
  const std::string before = slots_text(tree, world.nodes);
  EXPECT_EQ(before, "r1/a r1/b (r1/c) _ _ _");
  EXPECT_FALSE(tree.insert(path_of("r1 d"), NodeId{3}));
  EXPECT_EQ(slots_text(tree, world.nodes), before);
  EXPECT_FALSE(tree.find_host(Symbol("d")));
  EXPECT_TRUE(tree.insert(path_of("r2 d"), NodeId{3}));
}

TEST(LiveTree, ACopyIsATreeOfItsOwn) {
  const CompactWorld world = compact_world("rack host", "r1/a r1/c r2/b");
  DomainTree tree = live_tree(world);
  DomainTree copy = tree;
  const std::string before = slots_text(tree, world.nodes);
  tree.vacate(*tree.find_host(Symbol("b")));
  ASSERT_TRUE(tree.insert(path_of("r1 b"), NodeId{1}));
  tree.hide(*tree.find_host(Symbol("a")));
  EXPECT_EQ(slots_text(copy, world.nodes), before);
  EXPECT_EQ(copy.find_leaf(path_of("r2 b")), LeafId{3});
  copy.vacate(LeafId{0});
  EXPECT_EQ(slots_text(tree, world.nodes), "(r1/a) (r1/b) r1/c _ _");
  tree = copy;
  EXPECT_EQ(slots_text(tree, world.nodes), "_ r1/c _ r2/b _");
}

struct RotateCase {
  const char* name;
  std::uint32_t hole, at;
  std::vector<int> row;  // of 0 1 2 3 4
};
void PrintTo(const RotateCase& test, std::ostream* out) { *out << test.name; }

const RotateCase kRotations[] = {
    {"a_hole_behind", 3, 1, {0, 3, 1, 2, 4}},
    {"a_hole_before", 1, 4, {0, 2, 3, 4, 1}},
    {"a_hole_in_place", 2, 2, {0, 1, 2, 3, 4}},
};

class RotateSlots : public ::testing::TestWithParam<RotateCase> {};

TEST_P(RotateSlots, TakesTheHoleOutAndPutsItIn) {
  std::vector<int> row(5);
  std::iota(row.begin(), row.end(), 0);
  rotate_slots({LeafId{GetParam().hole}, LeafId{GetParam().at}}, row.data());
  EXPECT_EQ(row, GetParam().row);
}
INSTANTIATE_TEST_SUITE_P(Rows, RotateSlots, ::testing::ValuesIn(kRotations),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera::topology
