// SPDX-License-Identifier: Apache-2.0
#include "actors/quota/ledger.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tessera::core {
namespace {

constexpr const char* kFlavor = "f";

std::vector<ResourceGroup> quota(std::int64_t nominal, std::optional<std::int64_t> borrow = {},
                                 std::optional<std::int64_t> lend = {}) {
  ResourceGroup group;
  group.covered = {topology::gpu_resource()};
  group.flavors = {{kFlavor, {{topology::gpu_resource(), nominal, borrow, lend}}}};
  return {group};
}

ClusterQueueRecord queue_record(const std::string& name, const std::string& cohort,
                                std::vector<ResourceGroup> groups) {
  ClusterQueueRecord record;
  record.name = name;
  record.cohort = cohort;
  record.groups = std::move(groups);
  return record;
}

CohortRecord cohort_record(const std::string& name, const std::string& parent,
                           std::vector<ResourceGroup> groups = {}) {
  CohortRecord record;
  record.name = name;
  record.parent = parent;
  record.groups = std::move(groups);
  return record;
}

/// A ledger of one flavor and resource, spoken to by queue name.
struct World {
  World(std::vector<ClusterQueueRecord> queues, std::vector<CohortRecord> cohorts)
      : ledger(queues, cohorts, {}),
        column(*ledger.column(QuotaNode{0}, Symbol(kFlavor), topology::gpu_resource())) {}

  QuotaNode node(const std::string& name) const {
    const auto queue = ledger.queue(name);
    return queue ? *queue : *ledger.cohort(name);
  }
  std::int64_t maximum(const std::string& name) const { return ledger.maximum(node(name), column); }
  std::int64_t available(const std::string& name) const {
    return ledger.available(node(name), column);
  }
  std::int64_t usage(const std::string& name) const { return ledger.usage(node(name), column); }
  int level(const std::string& name, std::int64_t amount) const {
    return ledger.borrowing_level(node(name), column, amount);
  }
  void add(const std::string& name, std::int64_t amount) { ledger.add(node(name), column, amount); }
  void remove(const std::string& name, std::int64_t amount) {
    ledger.remove(node(name), column, amount);
  }

  Ledger ledger;
  QuotaColumn column;
};

World two_queues(std::optional<std::int64_t> a_may_borrow = {}) {
  return World(
      {queue_record("a", "co", quota(10, a_may_borrow)), queue_record("b", "co", quota(6, {}, 2))},
      {});
}

World two_levels() {
  return World({queue_record("q1", "C", quota(3, {}, 2)), queue_record("q2", "R", quota(5))},
               {cohort_record("R", "", quota(4)), cohort_record("C", "R", quota(2, 3, 1))});
}

// In quadratic time this would take minutes.
TEST(Ledger, TheRootOfALongChainIsKnownToEachMember) {
  constexpr int kLinks = 100'000;
  std::vector<CohortRecord> cohorts;
  for (int i = 0; i < kLinks; ++i) {
    cohorts.push_back(
        cohort_record("c" + std::to_string(i), i + 1 < kLinks ? "c" + std::to_string(i + 1) : ""));
  }
  const Ledger ledger({}, cohorts, {});
  const QuotaNode top = *ledger.cohort("c" + std::to_string(kLinks - 1));
  for (int i = 0; i < kLinks; ++i) {
    ASSERT_EQ(ledger.root(*ledger.cohort("c" + std::to_string(i))), top) << i;
  }
}

TEST(LedgerExamples, E1LendingLimitKeepsTheRestAtHome) {
  const World world = two_queues();
  EXPECT_EQ(world.ledger.subtree(world.node("co"), world.column), 12);
  EXPECT_EQ(world.maximum("a"), 12);
  EXPECT_EQ(world.maximum("b"), 16);
  EXPECT_EQ(world.available("a"), 12);
  EXPECT_EQ(world.available("b"), 16);
}

TEST(LedgerExamples, E2LocalUseIsNotSeenByTheParent) {
  World world = two_queues();
  world.add("b", 5);
  EXPECT_EQ(world.usage("co"), 1);
  EXPECT_EQ(world.available("a"), 11);
  EXPECT_EQ(world.available("b"), 11);
}

TEST(LedgerExamples, E3BorrowingLimitCapsWhatComesFromAbove) {
  World world = two_queues(1);
  EXPECT_EQ(world.maximum("a"), 11);
  world.add("b", 5);
  world.add("a", 4);
  EXPECT_EQ(world.usage("co"), 5);
  EXPECT_EQ(world.available("a"), 7);
  EXPECT_EQ(world.available("b"), 7);
}

TEST(LedgerExamples, E4CohortsHaveQuotaAndLimitsOfTheirOwn) {
  const World world = two_levels();
  EXPECT_EQ(world.ledger.subtree(world.node("C"), world.column), 4);
  EXPECT_EQ(world.ledger.subtree(world.node("R"), world.column), 10);
  EXPECT_EQ(world.maximum("q1"), 8);
  EXPECT_EQ(world.maximum("q2"), 10);
}

TEST(LedgerExamples, E5UseBubblesUpAboveWhatIsLocal) {
  World world = two_levels();
  world.add("q1", 6);
  EXPECT_EQ(world.usage("C"), 5);
  EXPECT_EQ(world.usage("R"), 2);
  EXPECT_EQ(world.available("q1"), 2);
  EXPECT_EQ(world.available("q2"), 8);
}

TEST(LedgerExamples, E6GivingBackEmptiesTheTopFirst) {
  World world = two_levels();
  world.add("q1", 6);
  world.remove("q1", 3);
  EXPECT_EQ(world.usage("q1"), 3);
  EXPECT_EQ(world.usage("C"), 2);
  EXPECT_EQ(world.usage("R"), 0);
  EXPECT_EQ(world.available("q1"), 5);
  EXPECT_EQ(world.available("q2"), 10);
}

TEST(LedgerExamples, E7BorrowingLevelIsTheHeightThatCarriesTheRequest) {
  const World world = two_levels();
  EXPECT_EQ(world.level("q1", 3), 0);
  EXPECT_EQ(world.level("q1", 5), 1);
  EXPECT_EQ(world.level("q1", 7), 2);
}

TEST(LedgerExamples, E7RequestMayReclaimBelowTheRootOnly) {
  const World world = two_levels();
  const auto below = [&world](const char* queue, std::int64_t amount) {
    return world.ledger.stays_below_root(world.node(queue), world.column, amount);
  };
  EXPECT_TRUE(below("q1", 3)) << "within nominal quota of a queue that has a cohort";
  EXPECT_TRUE(below("q1", 5));
  EXPECT_FALSE(below("q1", 7));
  const World alone({queue_record("a", "", quota(3))}, {});
  EXPECT_FALSE(alone.ledger.stays_below_root(alone.node("a"), alone.column, 1));
}

TEST(Ledger, CohortExistsAsSoonAsItIsNamed) {
  const World world({queue_record("a", "never-declared", quota(3))}, {});
  EXPECT_TRUE(world.ledger.cohort("never-declared"));
  EXPECT_EQ(world.ledger.height(world.node("never-declared")), 1);
}

TEST(Ledger, UnlimitedNominalStaysUnlimitedInTheTree) {
  World world(
      {queue_record("a", "co", quota(topology::kUnlimited)), queue_record("b", "co", quota(1))},
      {});
  world.add("a", 1000);
  EXPECT_EQ(world.available("b"), topology::kUnlimited);
  EXPECT_EQ(world.maximum("b"), topology::kUnlimited);
}

TEST(Ledger, QuotaCutBelowUseLeavesNothingRatherThanLess) {
  World world({queue_record("a", "", quota(4))}, {});
  world.add("a", 9);
  EXPECT_EQ(world.available("a"), 0);
}

TEST(Ledger, CohortBelowItselfIsReportedForEveryQueueUnderIt) {
  const World world({queue_record("in", "x", quota(1)), queue_record("below", "leaf", quota(1)),
                     queue_record("free", "other", quota(1))},
                    {cohort_record("x", "y"), cohort_record("y", "x"), cohort_record("leaf", "x")});
  EXPECT_TRUE(world.ledger.in_cycle(world.node("in")));
  EXPECT_TRUE(world.ledger.in_cycle(world.node("below")));
  EXPECT_FALSE(world.ledger.in_cycle(world.node("free")));
}

TEST(Ledger, CohortThatIsItsOwnParentIsACycle) {
  const World world({queue_record("a", "x", quota(1))}, {cohort_record("x", "x")});
  EXPECT_TRUE(world.ledger.in_cycle(world.node("a")));
}

// In quadratic time this would take minutes, and recursion would end the program.
TEST(Ledger, TakesAChainOfAHundredThousandCohorts) {
  constexpr int kLinks = 100'000;
  std::vector<CohortRecord> cohorts;
  for (int i = 0; i < kLinks; ++i) {
    const bool top = i + 1 == kLinks;
    cohorts.push_back(cohort_record("c" + std::to_string(i), top ? "" : "c" + std::to_string(i + 1),
                                    top ? quota(7) : std::vector<ResourceGroup>{}));
  }
  World world({queue_record("a", "c0", quota(2))}, cohorts);
  EXPECT_EQ(world.available("a"), 9);
  EXPECT_EQ(world.maximum("a"), 9);
  world.add("a", 5);
  EXPECT_EQ(world.available("a"), 4);
  EXPECT_EQ(world.level("a", 4), kLinks);
  world.remove("a", 5);
  EXPECT_EQ(world.available("a"), 9);
}

// Random trees of up to 3 levels of cohorts, random adds and removes.
struct RandomWorld {
  explicit RandomWorld(std::uint32_t seed) : random(seed) {
    std::vector<CohortRecord> cohorts;
    const int cohort_count = pick(1, 5);
    for (int i = 0; i < cohort_count; ++i) {
      const std::string parent = i == 0 ? "" : "c" + std::to_string(pick(0, i - 1));
      cohorts.push_back(
          cohort_record("c" + std::to_string(i), parent, random_quota(!parent.empty())));
    }
    const int queue_count = pick(1, 6);
    for (int i = 0; i < queue_count; ++i) {
      names.push_back("q" + std::to_string(i));
      queues.push_back(queue_record(names.back(), "c" + std::to_string(pick(0, cohort_count - 1)),
                                    random_quota(true)));
    }
    all_cohorts = cohorts;
  }
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  std::vector<ResourceGroup> random_quota(bool has_parent) {
    const std::int64_t nominal = pick(0, 12);
    std::optional<std::int64_t> borrow, lend;
    if (has_parent && pick(0, 2) == 0) borrow = pick(0, 6);
    if (has_parent && pick(0, 2) == 0) lend = pick(0, static_cast<int>(nominal));
    return quota(nominal, borrow, lend);
  }
  std::mt19937 random;
  std::vector<std::string> names;
  std::vector<ClusterQueueRecord> queues;
  std::vector<CohortRecord> all_cohorts;
};

/// usage(cohort) = sum over children of max(0, usage - local), counted without add() and remove().
void expect_usage_is_the_sum_of_children(const World& world, const RandomWorld& random) {
  std::map<std::string, std::int64_t> sums;
  const auto local = [&](const std::string& name, const std::vector<ResourceGroup>& groups) {
    const auto& lend = groups.front().flavors.front().resources.front().lending_limit;
    if (!lend) return std::int64_t{0};
    return std::max<std::int64_t>(0, world.ledger.subtree(world.node(name), world.column) - *lend);
  };
  for (const ClusterQueueRecord& queue : random.queues) {
    sums[queue.cohort] +=
        std::max<std::int64_t>(0, world.usage(queue.name) - local(queue.name, queue.groups));
  }
  for (const CohortRecord& cohort : random.all_cohorts) {
    if (cohort.parent.empty()) continue;
    sums[cohort.parent] +=
        std::max<std::int64_t>(0, world.usage(cohort.name) - local(cohort.name, cohort.groups));
  }
  for (const CohortRecord& cohort : random.all_cohorts) {
    EXPECT_EQ(world.usage(cohort.name), sums[cohort.name]) << cohort.name;
  }
}

TEST(LedgerProperty, BooksAddUpAndRemoveUndoesAdd) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomWorld random(seed);
    World world(random.queues, random.all_cohorts);
    std::vector<std::pair<std::string, std::int64_t>> held;
    for (int step = 0; step < 30; ++step) {
      const std::string& name = random.names[static_cast<std::size_t>(
          random.pick(0, static_cast<int>(random.names.size()) - 1))];
      const std::int64_t room = world.available(name);
      ASSERT_LE(room, world.maximum(name));
      if (room > 0 && random.pick(0, 2) > 0) {
        const std::int64_t amount = random.pick(1, static_cast<int>(room));
        world.add(name, amount);
        held.emplace_back(name, amount);
        ASSERT_EQ(world.available(name), room - amount) << "a request that fits takes what it asks";
      } else if (!held.empty()) {
        const auto at = static_cast<std::size_t>(random.pick(0, static_cast<int>(held.size()) - 1));
        world.remove(held[at].first, held[at].second);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
      }
      expect_usage_is_the_sum_of_children(world, random);
    }
    for (const auto& [name, amount] : held) world.remove(name, amount);
    for (const std::string& name : random.names) {
      ASSERT_EQ(world.usage(name), 0);
      ASSERT_EQ(world.available(name), World(random.queues, random.all_cohorts).available(name));
    }
    for (const CohortRecord& cohort : random.all_cohorts) ASSERT_EQ(world.usage(cohort.name), 0);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Ledger, EachTreeHasItsOwnNodesAndNoOthersAndCountsAsTheForest) {
  World forest({queue_record("q1", "C", quota(3, {}, 2)), queue_record("alone", "", quota(1)),
                queue_record("q2", "R", quota(5)), queue_record("lost", "X", quota(2))},
               {cohort_record("R", "", quota(4)), cohort_record("C", "R", quota(2, 3, 1)),
                cohort_record("X", "Y"), cohort_record("Y", "X")});
  const std::pair<const char*, std::vector<std::string>> trees[] = {
      {"R", {"R", "C", "q1", "q2"}}, {"alone", {"alone"}}, {"X", {"X", "lost"}}, {"Y", {"Y"}}};
  for (const auto& [root, names] : trees) {
    SCOPED_TRACE(root);
    std::vector<QuotaNode> members;
    Ledger tree = forest.ledger.tree(forest.node(root), members);
    ASSERT_EQ(members.size(), names.size());
    ASSERT_EQ(tree.node_count(), names.size());
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      const QuotaNode own{i};
      EXPECT_EQ(forest.ledger.name(members[i]), names[i]);
      EXPECT_EQ(tree.name(own), names[i]);
      EXPECT_EQ(tree.name(tree.root(own)), root);
      const bool is_queue = forest.ledger.queue(names[i]).has_value();
      EXPECT_EQ(tree.queue(names[i]), is_queue ? std::optional(own) : std::nullopt);
      EXPECT_EQ(tree.cohort(names[i]), is_queue ? std::nullopt : std::optional(own));
      if (!is_queue) continue;
      tree.add(own, forest.column, 4);
      forest.add(names[i], 4);
    }
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(tree.usage(QuotaNode{i}, forest.column), forest.usage(names[i]));
      EXPECT_EQ(tree.available(QuotaNode{i}, forest.column), forest.available(names[i]));
    }
  }
}

}  // namespace
}  // namespace tessera::core
