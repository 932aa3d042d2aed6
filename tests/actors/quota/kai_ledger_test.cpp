// SPDX-License-Identifier: Apache-2.0
// The ledger of KAI trees: a limit bounds the sum of all that is below it, over all flavors.
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <random>

#include "actors/quota/ledger.h"

namespace tessera::core {
namespace {

using topology::kUnlimited;

KaiQueueRecord kai(const std::string& name, const std::string& parent, std::int64_t gpus) {
  KaiQueueRecord record;
  record.name = name;
  record.parent = parent;
  record.gpu.limit = gpus;
  return record;
}

/// A ledger of KAI Queues and GPUs, spoken to by name.
struct World {
  explicit World(std::vector<KaiQueueRecord> queues) : ledger({}, {}, queues) {}

  QuotaNode node(const std::string& name) const { return *ledger.queue(name); }
  QuotaColumn column() const {
    return *ledger.column(QuotaNode{0}, Symbol(""), topology::gpu_resource());
  }
  std::int64_t available(const std::string& name) const {
    return ledger.available(node(name), column());
  }
  std::int64_t maximum(const std::string& name) const {
    return ledger.maximum(node(name), column());
  }
  std::int64_t usage(const std::string& name) const { return ledger.usage(node(name), column()); }
  std::string tightest(const std::string& name, bool idle) const {
    return ledger.name(ledger.tightest(node(name), column(), idle));
  }

  Ledger ledger;
};

struct LimitCase {
  const char* name;
  std::int64_t root, team, leaf;  // limits of a chain; "other" is a second leaf of the team
  std::int64_t other_uses, leaf_uses;
  std::int64_t available, maximum;  // of the leaf
  const char* tightest;
};

void PrintTo(const LimitCase& tested, std::ostream* out) { *out << tested.name; }

const LimitCase kLimits[] = {
    {"OwnLimit", 10, 8, 4, 0, 1, 3, 4, "leaf"},
    {"ParentsLimitIdle", 10, 3, 4, 0, 0, 3, 3, "team"},
    {"RootsLimitIdle", 2, 8, 4, 0, 1, 1, 2, "root"},
    {"ParentIsUsedByTheOtherLeaf", 10, 8, 6, 5, 2, 1, 6, "team"},
    {"RootIsUsedUp", 5, 8, 6, 4, 1, 0, 5, "root"},
    {"EqualRoomIsOfTheLowest", 4, 4, 4, 0, 0, 4, 4, "leaf"},
    {"AllUnlimited", kUnlimited, kUnlimited, kUnlimited, 7, 9, kUnlimited, kUnlimited, "leaf"},
    {"UnlimitedBelowALimit", kUnlimited, 8, kUnlimited, 5, 1, 2, 8, "team"},
    {"LimitBelowUnlimited", kUnlimited, kUnlimited, 8, 5, 1, 7, 8, "leaf"},
    {"ZeroAllowsNothing", 10, 8, 0, 0, 0, 0, 0, "leaf"},
    {"ZeroAboveAllowsNothing", 0, kUnlimited, kUnlimited, 0, 0, 0, 0, "root"},
    {"UseAboveTheLimitLeavesNothing", 10, 4, 6, 7, 0, 0, 4, "team"},
};

class Limits : public ::testing::TestWithParam<LimitCase> {};

TEST_P(Limits, BoundWhatTheLeafMayTake) {
  const LimitCase& c = GetParam();
  World world({kai("leaf", "team", c.leaf), kai("other", "team", kUnlimited),
               kai("root", "", c.root), kai("team", "root", c.team)});
  EXPECT_EQ(world.maximum("leaf"), c.maximum);
  world.ledger.add(world.node("other"), world.column(), c.other_uses);
  world.ledger.add(world.node("leaf"), world.column(), c.leaf_uses);
  EXPECT_EQ(world.available("leaf"), c.available);
  EXPECT_EQ(world.tightest("leaf", false), c.tightest);
  EXPECT_EQ(world.usage("root"), c.other_uses + c.leaf_uses);
  world.ledger.remove(world.node("leaf"), world.column(), c.leaf_uses);
  EXPECT_EQ(world.usage("team"), c.other_uses);
}

INSTANTIATE_TEST_SUITE_P(KaiLedger, Limits, ::testing::ValuesIn(kLimits),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(KaiLedger, CountsAllFlavorsInOneColumnAndLeavesOtherResourcesFree) {
  const World world({kai("q", "", 4)});
  const QuotaNode q = world.node("q");
  EXPECT_EQ(world.ledger.column(q, Symbol("a"), topology::gpu_resource()),
            world.ledger.column(q, Symbol("b"), topology::gpu_resource()));
  EXPECT_FALSE(world.ledger.column(q, Symbol("a"), Symbol("rdma/hca")));
}

TEST(KaiLedger, ColumnsOfKueueAndKaiAreApart) {
  ClusterQueueRecord queue;
  queue.name = "kueue";
  queue.groups = {{{topology::gpu_resource()}, {{"f", {{topology::gpu_resource(), 6, {}, {}}}}}}};
  Ledger ledger(std::vector{queue}, {}, std::vector{kai("kai", "", 4)});
  const QuotaNode of_kueue = *ledger.queue("kueue"), of_kai = *ledger.queue("kai");
  const QuotaColumn f = *ledger.column(of_kueue, Symbol("f"), topology::gpu_resource());
  const QuotaColumn all = *ledger.column(of_kai, Symbol("f"), topology::gpu_resource());
  EXPECT_FALSE(ledger.column(of_kueue, Symbol("g"), topology::gpu_resource()));
  ledger.add(of_kai, all, 3);
  EXPECT_EQ(ledger.available(of_kueue, f), 6);
  EXPECT_EQ(ledger.available(of_kai, all), 1);
}

TEST(KaiLedger, CycleOfParentsIsReportedForAllBelowIt) {
  const World world({kai("a", "b", 1), kai("b", "a", 1), kai("below", "a", 1), kai("free", "", 1)});
  EXPECT_TRUE(world.ledger.in_cycle(world.node("a")));
  EXPECT_TRUE(world.ledger.in_cycle(world.node("below")));
  EXPECT_FALSE(world.ledger.in_cycle(world.node("free")));
  EXPECT_EQ(world.available("below"), 0);
}

// Random trees, counted without the ledger: a node's use is the sum over the leaves below it.
struct RandomTree {
  explicit RandomTree(std::uint32_t seed) : random(seed) {
    const int nodes = pick(1, 9);
    for (int i = 0; i < nodes; ++i) {
      const int parent = pick(-1, i - 1);  // several roots
      const std::int64_t limit = pick(0, 4) == 0 ? kUnlimited : pick(0, 12);
      queues.push_back(kai(name(i), parent < 0 ? "" : name(parent), limit));
      parents.push_back(parent);
    }
    for (int i = 0; i < nodes; ++i) {
      if (std::count(parents.begin(), parents.end(), i) == 0) leaves.push_back(i);
    }
  }
  static std::string name(int i) { return "q" + std::to_string(i); }
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

  /// No limit is broken if each leaf uses what `use` says.
  bool holds(const std::map<int, std::int64_t>& use) const {
    for (std::size_t node = 0; node < queues.size(); ++node) {
      if (queues[node].gpu.limit == kUnlimited) continue;
      if (sum_below(static_cast<int>(node), use) > queues[node].gpu.limit) return false;
    }
    return true;
  }
  std::int64_t sum_below(int node, const std::map<int, std::int64_t>& use) const {
    std::int64_t sum = 0;
    for (const auto& [leaf, amount] : use) {
      for (int at = leaf; at >= 0; at = parents[static_cast<std::size_t>(at)]) {
        if (at == node) sum += amount;
      }
    }
    return sum;
  }
  /// The largest amount that breaks no limit; kUnlimited if even more than all limits does not.
  std::int64_t most(int leaf, std::map<int, std::int64_t> use) const {
    constexpr std::int64_t kAboveAllLimits = 100;
    std::int64_t amount = 0;
    for (; amount < kAboveAllLimits; ++amount) {
      ++use[leaf];
      if (!holds(use)) return amount;
    }
    return kUnlimited;
  }

  std::mt19937 random;
  std::vector<KaiQueueRecord> queues;
  std::vector<int> parents, leaves;
};

TEST(KaiLedgerProperty, AvailableIsTheMostThatKeepsEveryLimit) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomTree tree(seed);
    World world(tree.queues);
    std::map<int, std::int64_t> use;
    for (int step = 0; step < 30; ++step) {
      const int leaf = tree.leaves[static_cast<std::size_t>(
          tree.pick(0, static_cast<int>(tree.leaves.size()) - 1))];
      const QuotaNode node = world.node(RandomTree::name(leaf));
      const std::int64_t room = world.ledger.available(node, world.column());
      ASSERT_EQ(room, tree.most(leaf, use)) << RandomTree::name(leaf);
      if (room > 0 && tree.pick(0, 2) > 0) {
        const std::int64_t amount = tree.pick(1, static_cast<int>(std::min<std::int64_t>(room, 8)));
        world.ledger.add(node, world.column(), amount);
        use[leaf] += amount;
      } else if (use[leaf] > 0) {
        const std::int64_t amount = tree.pick(1, static_cast<int>(use[leaf]));
        world.ledger.remove(node, world.column(), amount);
        use[leaf] -= amount;
      }
      ASSERT_TRUE(tree.holds(use));
      for (std::size_t i = 0; i < tree.queues.size(); ++i) {
        const int at = static_cast<int>(i);
        ASSERT_EQ(world.usage(RandomTree::name(at)), tree.sum_below(at, use)) << "of q" << at;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::core
