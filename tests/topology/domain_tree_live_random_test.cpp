// SPDX-License-Identifier: Apache-2.0
// A live tree after thousands of changes against one built from the same nodes at once.
#include <gtest/gtest.h>

#include <ostream>
#include <random>

#include "tests/topology/compact_world.h"
#include "topology/domain_tree.h"

namespace tessera::topology {
namespace {

using test::CompactWorld;
using test::node_names;

struct RandomCase {
  const char* name;
  const char* levels;
  std::uint32_t blocks, racks;  // values a level
  std::uint32_t nodes;
  bool open;
};
void PrintTo(const RandomCase& test, std::ostream* out) { *out << test.name; }

const RandomCase kRandom[] = {
    {"three_levels", "block rack host", 3, 4, 120, false},
    {"three_levels_open", "block rack host", 2, 3, 60, true},
    {"racks_only", "rack host", 1, 5, 90, false},
    {"flat", "host", 1, 1, 70, false},
    {"tiny_racks", "block rack host", 4, 6, 40, false},
};

/// Nodes and a live tree that follows them, with a row of node ids by leaf that is only rotated.
class Following {
 public:
  Following(const RandomCase& test, std::uint32_t seed) : test_(test), random_(seed) {
    topology_ = test::compact_topology(test.levels);
    if (test.open) topology_.unlabelled = UnlabelledNodes::kUnconstrainedOnly;
    for (std::uint32_t i = 0; i < test.nodes; ++i) {
      NodeRecord& node = nodes_.emplace_back();
      node.name = Symbol("n" + std::to_string(1000 + i));
      node.ready = pick(8) > 0;
      node.labels = random_labels("h" + std::to_string(i));
    }
    build();
  }

  void step() {
    const NodeId id{pick(static_cast<std::uint32_t>(nodes_.size()))};
    NodeRecord& node = nodes_[index(id)];
    switch (pick(4)) {
      case 0:
        node.ready = !node.ready;
        break;
      case 1:
        node.unschedulable = !node.unschedulable;
        break;
      default:
        move(id);
    }
    const std::optional<LeafId> leaf = tree_->find_host(hostname_of(node));
    if (!leaf) return;
    node.usable() ? tree_->show(*leaf) : tree_->hide(*leaf);
  }

  void expect_row_agrees() const {
    for (std::uint32_t leaf = 0; leaf < tree_->leaf_count(); ++leaf) {
      const std::span<const NodeId> nodes = tree_->nodes(LeafId{leaf});
      ASSERT_EQ(nodes.empty() ? kHole : nodes.front(), row_[leaf]);
    }
  }

  void expect_like_fresh() const {
    const DomainTree fresh(topology_, nodes_, {}, test_.open);
    ASSERT_EQ(shown_text(*tree_), shown_text(fresh));
    ASSERT_EQ(tree_->shown_leaf_count(), fresh.leaf_count());
    for (int level = 0; level < fresh.level_count(); ++level) {
      ASSERT_EQ(tree_->existing(level), fresh.level(level).size());
    }
    for (const NodeRecord& node : nodes_) expect_same_leaf(fresh, node);
    for (std::uint32_t i = 0; i < tree_->level(tree_->leaf_level()).begin; ++i) {
      const DomainId domain{i};
      const std::optional<DomainId> same = fresh.find_domain(tree_->path(domain));
      ASSERT_EQ(tree_->exists(domain), same.has_value());
      ASSERT_EQ(tree_->shown_leaves(domain), same ? fresh.shown_leaves(*same) : 0);
      ASSERT_EQ(tree_->find_domain(tree_->path(domain)), domain);
      expect_children_below(domain);
    }
  }

  int moves() const { return moves_; }
  int rebuilds() const { return rebuilds_; }

 private:
  static constexpr NodeId kHole{UINT32_MAX};

  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

  /// One node in ten lacks its fabric labels: an open tree has it as a leaf, any other leaves it
  /// out.
  Labels random_labels(const std::string& hostname) {
    Labels labels;
    const bool bare = pick(10) == 0;
    for (const TopologyLevel& level : topology_.levels) {
      if (level.label == hostname_label()) {
        labels.set(level.label, Symbol(hostname));
      } else if (!bare) {
        const bool block = level.label.view() == "block";
        labels.set(level.label, Symbol(std::to_string(pick(block ? test_.blocks : test_.racks))));
      }
    }
    return labels;
  }

  std::vector<Symbol> path_of(const NodeRecord& node) const {
    std::vector<Symbol> path;
    for (const TopologyLevel& level : topology_.levels) {
      path.push_back(node.labels.find(level.label).value_or(Symbol()));
    }
    return path;
  }

  static Symbol hostname_of(const NodeRecord& node) { return *node.labels.find(hostname_label()); }

  bool in_tree(const NodeRecord& node) const {
    return topology_.first_missing(node) < 0 ||
           (test_.open && topology_.allows_unlabelled(node.labels));
  }

  void build() {
    tree_.emplace(topology_, nodes_, std::vector<std::pair<Symbol, Symbol>>{}, test_.open,
                  TreeUse::kLive);
    row_.assign(tree_->leaf_count(), kHole);
    for (std::uint32_t leaf = 0; leaf < tree_->leaf_count(); ++leaf) {
      const std::span<const NodeId> nodes = tree_->nodes(LeafId{leaf});
      if (!nodes.empty()) row_[leaf] = nodes.front();
    }
  }

  void move(NodeId id) {
    NodeRecord& node = nodes_[index(id)];
    Symbol hostname = hostname_of(node);
    if (const std::optional<LeafId> leaf = tree_->find_host(hostname)) {
      tree_->vacate(*leaf);
      row_[index(*leaf)] = kHole;
    }
    // From a pool of hostnames: most have been used before, and some are in use.
    if (pick(2) == 0) {
      hostname = Symbol("h" + std::to_string(pick(test_.nodes * 2)));
      for (const NodeRecord& other : nodes_) {
        if (&other == &node || hostname_of(other) != hostname) continue;
        node.labels = random_labels(hostname.str());
        if (in_tree(node) && tree_->find_host(hostname)) expect_refused(id);
        hostname = Symbol("new" + std::to_string(moves_));
        break;
      }
    }
    node.labels = random_labels(hostname.str());
    ++moves_;
    if (!in_tree(node)) return;
    const std::string before = shown_text(*tree_);
    const std::optional<SlotShift> shift = tree_->insert(path_of(node), id);
    ASSERT_EQ(shown_text(*tree_), before);
    if (!shift) {
      expect_row_agrees();
      ++rebuilds_;
      build();
      return;
    }
    rotate_slots(*shift, row_.data());
    ASSERT_EQ(row_[index(shift->at)], kHole);
    row_[index(shift->at)] = id;
  }

  void expect_refused(NodeId id) {
    ASSERT_FALSE(tree_->insert(path_of(nodes_[index(id)]), id));
    expect_row_agrees();
  }

  std::string shown_text(const DomainTree& tree) const {
    std::string text;
    for (std::uint32_t i = 0; i < tree.leaf_count(); ++i) {
      const LeafId leaf{i};
      if (!tree.shown(leaf)) continue;
      text +=
          tree.path_text(tree.domain_of(leaf)) + "=" + node_names(tree.nodes(leaf), nodes_) + " ";
    }
    return text;
  }

  void expect_same_leaf(const DomainTree& fresh, const NodeRecord& node) const {
    const std::vector<Symbol> path = path_of(node);
    for (const std::span<const Symbol> values : {std::span(path), std::span(path).last(1)}) {
      const std::optional<LeafId> leaf = tree_->find_leaf(values), same = fresh.find_leaf(values);
      ASSERT_EQ(leaf.has_value(), same.has_value());
      if (!leaf) continue;
      ASSERT_EQ(node_names(tree_->nodes(*leaf), nodes_), node_names(fresh.nodes(*same), nodes_));
      ASSERT_EQ(tree_->path(tree_->domain_of(*leaf)), path);
    }
  }

  void expect_children_below(DomainId domain) const {
    const int level = tree_->level_of(domain);
    const DomainRange children = tree_->children(domain);
    for (std::uint32_t child = children.begin; child < children.end; ++child) {
      ASSERT_EQ(tree_->parent(DomainId{child}), domain);
      ASSERT_EQ(tree_->ancestor(DomainId{child}, level), domain);
      ASSERT_EQ(tree_->level_of(DomainId{child}), level + 1);
    }
  }

  RandomCase test_;
  std::mt19937 random_;
  TopologySpec topology_;
  std::vector<NodeRecord> nodes_;
  std::optional<DomainTree> tree_;
  std::vector<NodeId> row_;
  int moves_ = 0, rebuilds_ = 0;
};

class LiveTreeRandom : public ::testing::TestWithParam<RandomCase> {};

TEST_P(LiveTreeRandom, IsTheTreeBuiltAtOnceAfterEveryChange) {
  constexpr int kSteps = 20'000, kCompareEvery = 20;
  Following world(GetParam(), 7);
  ASSERT_NO_FATAL_FAILURE(world.expect_like_fresh());
  for (int step = 1; step <= kSteps; ++step) {
    ASSERT_NO_FATAL_FAILURE(world.step()) << "step " << step;
    ASSERT_NO_FATAL_FAILURE(world.expect_row_agrees()) << "step " << step;
    if (step % kCompareEvery > 0) continue;
    ASSERT_NO_FATAL_FAILURE(world.expect_like_fresh()) << "step " << step;
  }
  EXPECT_GT(world.moves(), kSteps / 4);
  EXPECT_LT(world.rebuilds(), world.moves() / 4);
  RecordProperty("moves", world.moves());
  RecordProperty("rebuilds", world.rebuilds());
}
INSTANTIATE_TEST_SUITE_P(Trees, LiveTreeRandom, ::testing::ValuesIn(kRandom),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(LiveTree, WithAllNodesUsableItShowsTheTreeBuiltForOnce) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    std::string notation;
    for (std::uint32_t i = 0; i < 1 + seed; ++i) {  // hostnames shared by some
      notation += "n" + std::to_string(i) + ":b" + std::to_string(random() % 3) + "/r" +
                  std::to_string(random() % 4) + "/h" + std::to_string(random() % 150) + " ";
    }
    const CompactWorld world = test::compact_world("block rack host", notation);
    const DomainTree once(world.topology, world.nodes, {}, false);
    const DomainTree live(world.topology, world.nodes, {}, false, TreeUse::kLive);
    std::string shown;
    for (std::uint32_t i = 0; i < live.leaf_count(); ++i) {
      if (!live.shown(LeafId{i})) continue;
      const std::string members = node_names(live.nodes(LeafId{i}), world.nodes);
      shown += (shown.empty() ? "" : " ") + live.path_text(live.domain_of(LeafId{i}));
      if (members != live.value(live.domain_of(LeafId{i})).view()) shown += "=" + members;
    }
    ASSERT_EQ(shown, test::leaves_text(once, world.nodes)) << "seed " << seed;
    ASSERT_EQ(live.shared_hostnames().size(), once.shared_hostnames().size()) << "seed " << seed;
    for (int level = 0; level < 2; ++level) {
      ASSERT_EQ(live.level(level).size(), once.level(level).size()) << "seed " << seed;
      for (std::uint32_t d = once.level(level).begin; d < once.level(level).end; ++d) {
        ASSERT_EQ(live.path_text(DomainId{d}), once.path_text(DomainId{d})) << "seed " << seed;
        ASSERT_EQ(live.shown_leaves(DomainId{d}), once.shown_leaves(DomainId{d}));
      }
    }
  }
}

}  // namespace
}  // namespace tessera::topology
