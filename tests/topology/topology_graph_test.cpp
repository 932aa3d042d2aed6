// SPDX-License-Identifier: Apache-2.0
#include "topology/topology_graph.h"

#include <gtest/gtest.h>

#include <ostream>

#include "tests/topology/compact_world.h"

namespace tessera::topology {
namespace {

using test::CompactWorld;

struct SharedCase {
  const char* name;
  const char* levels;
  const char* nodes;
  const char* shared;  // "label value: parent(example) parent(example); ..."
};
void PrintTo(const SharedCase& test, std::ostream* out) { *out << test.name; }

const SharedCase kShared[] = {
    {"a_tree_shares_nothing", "block rack host", "b1/r1/a b1/r2/b b2/r3/c", ""},
    {"a_rack_under_two_blocks", "block rack host", "b2/r1/a b1/r1/b b2/r1/c",
     "rack r1: b1(b) b2(a)"},
    {"whole_parent_paths_are_told", "zone block rack", "n1:z2/b/r n2:z1/b/r n3:z1/b/q",
     "block b: z1(n2) z2(n1); rack r: z1/b(n2) z2/b(n1)"},
    {"a_value_on_two_levels_is_not_shared", "block rack", "n1:x/x n2:y/z", ""},
    {"one_hostname_in_two_racks", "rack host", "n1:r1/h n2:r2/h n3:r1/g",
     "kubernetes.io/hostname h: r1(n1) r2(n2)"},
    {"a_cordoned_node_counts", "block rack", "n1:b1/r n2:b2/r!", "rack r: b1(n1) b2(n2)"},
    {"a_node_counts_down_to_its_first_gap", "zone block rack", "n1:z1/b/- n2:z2/b/r n3:z1/-/r",
     "block b: z1(n1) z2(n2)"},
};

class SharedValues : public ::testing::TestWithParam<SharedCase> {};

TEST_P(SharedValues, AreReportedWithAllParents) {
  const CompactWorld world = test::compact_world(GetParam().levels, GetParam().nodes);
  std::string text;
  for (const SharedValue& value : shared_values(world.topology, world.nodes)) {
    const TopologyLevel& level = world.topology.levels[static_cast<std::size_t>(value.level)];
    text += (text.empty() ? "" : "; ") + level.label.str() + " " + value.value.str() + ":";
    for (const SharedValue::Parent& parent : value.parents) {
      text += " " + parent.path + "(" + world.nodes[index(parent.example)].name.str() + ")";
    }
  }
  EXPECT_EQ(text, GetParam().shared);
}
INSTANTIATE_TEST_SUITE_P(Graph, SharedValues, ::testing::ValuesIn(kShared),
                         [](const auto& test) { return std::string(test.param.name); });

struct RefineCase {
  const char* name;
  const char* labels;
  const char* nodes;
  const char* ordered;  // or the error
};
void PrintTo(const RefineCase& test, std::ostream* out) { *out << test.name; }

const RefineCase kRefinements[] = {
    {"coarse_first_whatever_the_input_order", "rack zone block",
     "n1:r1/z/b1 n2:r2/z/b1 n3:r3/z/b2 n4:r4/y/b3", "zone block rack"},
    {"labels_that_say_the_same_keep_their_order", "p q", "n1:1/a n2:2/b", "p q"},
    {"one_label", "p", "n1:1", "p"},
    {"labels_that_never_meet_keep_their_order", "p q", "n1:1/- n2:-/b", "p q"},
    {"unusable_nodes_do_not_decide", "p q", "n1:1/a n2:1/b n3:2/a!", "p q"},
    {"crossing_labels_are_refused_with_nodes", "p q", "n1:1/a n2:1/b n3:2/a",
     "labels p and q cross: nodes n1 and n3 share q \"a\" but have p \"1\" and \"2\", nodes n1 and "
     "n2 share p \"1\" but have q \"a\" and \"b\"; name the levels in a Topology, or under "
     "topologies in the configuration"},
    {"three_labels_that_go_in_a_circle_are_refused", "p q r",
     "n1:1/a/- n2:1/b/- n3:-/c/x n4:-/c/y n5:3/-/z n6:4/-/z",
     "labels p q r have no common order: node n1 has no r; name the levels in a Topology, or under "
     "topologies in the configuration"},
};

class Refinement : public ::testing::TestWithParam<RefineCase> {};

TEST_P(Refinement, OrdersOrNamesNodes) {
  const CompactWorld world = test::compact_world(GetParam().labels, GetParam().nodes);
  std::vector<Symbol> labels;
  for (const std::string& word : test::words(GetParam().labels)) labels.emplace_back(word);
  const auto ordered = order_by_refinement(labels, world.nodes);
  std::string text;
  if (ordered) {
    for (const Symbol label : *ordered) text += (text.empty() ? "" : " ") + label.str();
  } else {
    text = ordered.error().message;
    EXPECT_EQ(ordered.error().code, ErrorCode::kConflict);
  }
  EXPECT_EQ(text, GetParam().ordered);
}
INSTANTIATE_TEST_SUITE_P(Graph, Refinement, ::testing::ValuesIn(kRefinements),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera::topology
