// SPDX-License-Identifier: Apache-2.0
// Whole runs of the engine with KAI Queues: who enters, whose limit stands in the way.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::pods;
using test::schedule;
using topology::kUnlimited;

/// Two hosts of two flavors, 8 GPUs each; org (12) over team-a (8) and team-b (8).
ClusterBuilder org() {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8 b/r2/b:8").flavor("f1").flavor("f2");
  builder.node("a").labels.set(Symbol("pool"), Symbol("p1"));
  builder.node("b").labels.set(Symbol("pool"), Symbol("p2"));
  builder.flavor_record("f1").node_labels = {{Symbol("pool"), Symbol("p1")}};
  builder.flavor_record("f2").node_labels = {{Symbol("pool"), Symbol("p2")}};
  builder.kai_queue("org", 12);
  builder.kai_queue("team-a", 8, "org");
  builder.kai_queue("team-b", 8, "org");
  return builder;
}

struct RunCase {
  const char* name;
  void (*add)(ClusterBuilder&);
  const char* expected;
};

void PrintTo(const RunCase& tested, std::ostream* out) { *out << tested.name; }

const RunCase kRuns[] = {
    {"LeafTakesWorkloadsWithoutLocalQueue",
     [](ClusterBuilder& b) { b.kai_workload("w", {pods("main", 4, 1)}, "team-a"); },
     "w Placed main[a:4]"},
    {"AnyFlavorServes",
     [](ClusterBuilder& b) {
       b.kai_workload("w", {pods("main", 1, 8)}, "team-a");
       b.kai_workload("x", {pods("main", 1, 4)}, "team-b");
     },
     "w Placed main[a:1]\nx Placed main[b:1]"},
    {"LeafAtItsLimitWaitsForQuota",
     [](ClusterBuilder& b) {
       b.kai_workload("w", {pods("main", 6, 1)}, "team-a");
       b.kai_workload("x", {pods("main", 3, 1)}, "team-a");
       b.kai_workload("y", {pods("main", 2, 1)}, "team-a");
     },
     "w Placed main[a:6]\ny Placed main[a:2]\nx Waits Quota"},
    {"ParentsLimitHoldsForBothLeavesTogether",
     [](ClusterBuilder& b) {
       b.kai_workload("w", {pods("main", 8, 1)}, "team-a");
       b.kai_workload("x", {pods("main", 5, 1)}, "team-b");
       b.kai_workload("y", {pods("main", 4, 1)}, "team-b");
     },
     "w Placed main[a:8]\ny Placed main[b:4]\nx Waits QuotaParent"},
    {"MoreThanTheLeafCanEverGet",
     [](ClusterBuilder& b) { b.kai_workload("w", {pods("main", 9, 1)}, "team-a"); },
     "w Never Quota"},
    {"MoreThanTheParentCanEverGet",
     [](ClusterBuilder& b) {
       b.kai_queue("wide", kUnlimited, "org");
       b.kai_workload("w", {pods("main", 13, 1)}, "wide");
     },
     "w Never QuotaParent"},
    {"PodSetsOfOneWorkloadCountTogetherOverFlavors",
     [](ClusterBuilder& b) {
       b.kai_workload("w", {pods("one", 1, 6), pods("two", 1, 3)}, "team-a");
       b.kai_workload("x", {pods("one", 1, 5), pods("two", 1, 3)}, "team-b");
     },
     "x Placed one[a:1] two[a:1]\nw Never Quota"},
    {"AdmittedWorkloadsHoldLimitsAndThoseGoneDoNot",
     [](ClusterBuilder& b) {
       b.admitted("gone", pods("main", 8, 1), "a:8", "f1", "team-a").status.finished = true;
       b.admitted("here", pods("main", 8, 1), "b:8", "f2", "team-b");
       b.kai_workload("x", {pods("main", 5, 1)}, "team-a");
       b.kai_workload("y", {pods("main", 4, 1)}, "team-a");
     },
     "y Placed main[a:4]\nx Waits QuotaParent"},
    {"RunningPodsHoldLimits",
     [](ClusterBuilder& b) {
       b.bound_pod("p", "a", 7).kai_queue = Symbol("team-a");
       b.kai_workload("x", {pods("main", 2, 1)}, "team-a");
       b.kai_workload("y", {pods("main", 6, 1)}, "team-b");
     },
     "x Waits Quota\ny Waits QuotaParent"},
    {"PodsOfAnAdmittedWorkloadAreNotCountedTwice",
     [](ClusterBuilder& b) {
       b.admitted("w", pods("main", 4, 1), "a:4", "f1", "team-a");
       PodRecord& pod = b.bound_pod("p", "a", 4);
       pod.kai_queue = Symbol("team-a");
       pod.workload = "ns/w";
       b.kai_workload("x", {pods("main", 4, 1)}, "team-a");
     },
     "x Placed main[a:4]"},
    {"ResourceThatIsNotNamedHasNoLimit",
     [](ClusterBuilder& b) {
       b.node("b").allocatable.set(Symbol("rdma/hca"), 4);
       solver::PodSet pod_set = pods("main", 1, 1);
       pod_set.request.set(Symbol("rdma/hca"), 4);
       b.kai_workload("w", {pod_set}, "team-a");
     },
     "w Placed main[b:1]"},
    {"UnsetMemoryLimitAllowsNone",
     [](ClusterBuilder& b) {
       b.kai_queue("bare", 8).memory.limit = 0;
       solver::PodSet pod_set = pods("main", 1, 1);
       pod_set.request.set(Symbol("memory"), 1);
       b.kai_workload("w", {pod_set}, "bare");
     },
     "w Never Quota"},
    {"ParentTakesNoWorkloads",
     [](ClusterBuilder& b) { b.kai_workload("w", {pods("main", 1, 1)}, "org"); },
     "w Waits QuotaParent"},
    {"UnknownParent",
     [](ClusterBuilder& b) {
       b.kai_queue("lost", 8, "nowhere");
       b.kai_queue("below", 8, "lost");
       b.kai_workload("w", {pods("main", 1, 1)}, "below");
     },
     "w Waits QuotaParent"},
    {"CycleOfParents",
     [](ClusterBuilder& b) {
       b.kai_queue("x", 8, "y");
       b.kai_queue("y", 8, "x");
       b.kai_queue("leaf", 8, "x");
       b.kai_workload("w", {pods("main", 1, 1)}, "leaf");
       b.kai_workload("v", {pods("main", 1, 1)}, "team-a");
     },
     "v Placed main[a:1]\nw Waits QuotaParent"},
    {"UnknownQueue", [](ClusterBuilder& b) { b.kai_workload("w", {pods("main", 1, 1)}, "nope"); },
     "w Waits QueueMissing"},
    {"KueuesLabelDoesNotNameAKaiQueue",
     [](ClusterBuilder& b) { b.workload("w", {pods("main", 1, 1)}, "team-a"); },
     "w Waits QueueMissing"},
    {"KueueAndKaiSideBySide",
     [](ClusterBuilder& b) {
       b.queue("q", {"f2"}, 4);
       b.workload("k", {pods("main", 4, 1)}, "q");
       b.workload("l", {pods("main", 1, 1)}, "q");
       b.kai_workload("w", {pods("main", 8, 1)}, "team-a");
       b.kai_workload("x", {pods("main", 4, 1)}, "team-b");
     },
     "k Placed main[b:4]\nw Placed main[a:8]\nx Placed main[b:4]\nl Waits Quota"},
    {"ClusterQueueOfTheSameNameGoesFirst",
     [](ClusterBuilder& b) {
       b.kai_queue("q", 8);
       b.queue("q", {"f1"}, 4);
       b.workload("k", {pods("main", 4, 1)}, "q");
       b.kai_workload("w", {pods("main", 1, 1)}, "q");
     },
     "k Placed main[a:4]\nw Waits QueueMissing"},
};

class KaiRuns : public ::testing::TestWithParam<RunCase> {};

TEST_P(KaiRuns, GiveTheExpectedDecisions) {
  ClusterBuilder builder = org();
  GetParam().add(builder);
  EXPECT_EQ(schedule(builder.build()), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(KaiQueues, KaiRuns, ::testing::ValuesIn(kRuns),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(KaiQueues, RoundsOfKueueKeepTheLimitsToo) {
  ClusterBuilder builder = org();
  builder.kai_workload("w", {pods("main", 8, 1)}, "team-a");
  builder.kai_workload("x", {pods("main", 5, 1)}, "team-b");
  builder.kai_workload("y", {pods("main", 4, 1)}, "team-b");
  EngineOptions options;
  options.profile.rounds = config::Rounds::kKueue;
  EXPECT_EQ(schedule(builder.build(), options),
            "w Placed main[a:8]\ny Placed main[b:4]\nx Waits QuotaParent");
}

TEST(KaiQueues, RefusalNamesTheQueueWhoseLimitStandsInTheWay) {
  ClusterBuilder builder = org();
  builder.bound_pod("p", "a", 7).kai_queue = Symbol("team-a");
  builder.kai_workload("x", {pods("main", 6, 1)}, "team-b");
  const Inventory inventory = builder.build();
  Engine engine(inventory, {});
  const Decision decision = engine.run(test::waiting(inventory)).at(0);
  ASSERT_EQ(decision.rejections.size(), 1U) << "told once, not for each flavor";
  const FlavorRejection& told = decision.rejections[0];
  EXPECT_EQ(told.limiting_queue, "org");
  EXPECT_EQ(told.limit, 12);
  EXPECT_EQ(told.used, 7);
  EXPECT_EQ(told.request, 6);
  EXPECT_EQ(told.missing, 1);
}

TEST(KaiQueues, WarnsThatSharesAreNotEvaluated) {
  ClusterBuilder builder = org();
  EXPECT_TRUE(Engine(builder.build(), {}).accounting().queue_warnings.empty());
  builder.kai_queue("team-c", 8, "org").gpu.deserved = 4;
  const Inventory inventory = builder.build();
  EXPECT_EQ(Engine(inventory, {}).accounting().queue_warnings.size(), 1U);
}

// In quadratic time this would take minutes.
TEST(KaiQueues, AChainOfAHundredThousandIsAsGoodAsAShortOne) {
  constexpr int kLinks = 100'000;
  ClusterBuilder builder;
  builder.hosts("b/r/a:8");
  for (int i = 0; i < kLinks; ++i) {
    builder.kai_queue("q" + std::to_string(i), 8, i == 0 ? "" : "q" + std::to_string(i - 1));
  }
  builder.kai_workload("w", {pods("main", 2, 1)}, "q" + std::to_string(kLinks - 1));
  builder.kai_workload("x", {pods("main", 2, 1)}, "q0");
  EXPECT_EQ(schedule(builder.build()), "w Placed main[a:2]\nx Waits QuotaParent");
}

}  // namespace
}  // namespace tessera::core
