// SPDX-License-Identifier: Apache-2.0
// Kueue's rounds, rule by rule (queues.md 2, 3, 7.5, 11). Whole clusters against Kueue's own
// answers: tests/ingest/load/queue_vectors_test.cpp.
#include <gtest/gtest.h>

#include <ostream>

#include "actors/engine/engine.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::kHost;
using test::kRack;
using test::pods;
using test::required;
using topology::Symbol;

EngineOptions kueue_rounds() {
  EngineOptions options;
  options.profile.rounds = config::Rounds::kKueue;
  return options;
}

/// "2 w f1": w was placed in round 2 on f1; "w active 3 lost": it waits, last evaluated in round 3,
/// where it lost the place that it was to get. There is one entry for each decision.
std::string rounds_text(const Inventory& inventory, EngineOptions options = kueue_rounds()) {
  Engine engine(inventory, std::move(options));
  std::string text;
  for (const Decision& decision : engine.run(test::waiting(inventory))) {
    const std::string& name = inventory.workloads[decision.workload].name;
    if (!text.empty()) text += ", ";
    if (decision.outcome == Outcome::kPlaced) {
      text += std::to_string(decision.round) + " " + name + " " +
              decision.pod_sets[0].flavors.begin()->flavor.str();
      continue;
    }
    const RoundOutcome& outcome = decision.waits_in_rounds.value();
    text += name + (outcome.inadmissible ? " inadmissible " : " active ") +
            std::to_string(outcome.round) + (outcome.lost ? " lost" : "");
  }
  return text;
}

/// Quota alone: flavors without a topology.
ClusterBuilder quota_world() {
  ClusterBuilder builder;
  builder.flavor("f1", "").flavor("f2", "");
  return builder;
}

/// f1 has host a, f2 has host c.
ClusterBuilder two_pools() {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4 b/r3/c:8");
  builder.node("a").labels.set(Symbol("pool"), Symbol("p1"));
  builder.node("c").labels.set(Symbol("pool"), Symbol("p2"));
  builder.flavor("f1").flavor("f2");
  builder.flavor_record("f1").node_labels = {{Symbol("pool"), Symbol("p1")}};
  builder.flavor_record("f2").node_labels = {{Symbol("pool"), Symbol("p2")}};
  return builder;
}

TEST(Rounds, TakeOneHeadOfEachQueue) {
  ClusterBuilder builder = quota_world();
  builder.queue("q", {"f1"}, 10);
  builder.queue("other", {"f1"}, 10);
  builder.workload("w1", {pods("main", 1, 1)});
  builder.workload("w2", {pods("main", 1, 1)});
  builder.workload("x", {pods("main", 1, 1)}, "other");
  EXPECT_EQ(rounds_text(builder.build()), "1 w1 f1, 1 x f1, 2 w2 f1");
  EngineOptions one = kueue_rounds();
  one.rounds = 1;
  EXPECT_EQ(rounds_text(builder.build(), one), "1 w1 f1, 1 x f1, w2 active 0");
}

struct SortCase {
  const char* name;
  std::int64_t a_gpus, b_gpus, a_priority, b_priority, a_created, b_created;
  const char* expected;

  friend std::ostream& operator<<(std::ostream& out, const SortCase& c) { return out << c.name; }
};
// Queues a and b own 4 each of a cohort's 8.
const SortCase kSortCases[] = {
    {"LowerBorrowingLevelBeforeHigherPriority", 6, 4, 10, 0, 1, 1, "1 b f1, a inadmissible 2"},
    {"HigherPriorityAtEqualLevel", 5, 5, 0, 1, 1, 2, "1 b f1, a inadmissible 2"},
    {"EarlierTimeAtEqualPriority", 5, 5, 0, 0, 2, 1, "1 b f1, a inadmissible 2"},
    {"QueueNameWhereAllTies", 5, 5, 0, 0, 1, 1, "1 a f1, b inadmissible 2"},
};
class RoundOrder : public testing::TestWithParam<SortCase> {};

TEST_P(RoundOrder, DecidesWhoGetsWhatTwoHeadsWant) {
  ClusterBuilder builder = quota_world();
  builder.queue("a", {"f1"}, 4, "co");
  builder.queue("b", {"f1"}, 4, "co");
  for (const bool first : {true, false}) {
    const SortCase& c = GetParam();
    Workload& workload = builder.workload(
        first ? "a" : "b", {pods("main", first ? c.a_gpus : c.b_gpus, 1)}, first ? "a" : "b");
    workload.priority = first ? c.a_priority : c.b_priority;
    workload.created = first ? c.a_created : c.b_created;
  }
  EXPECT_EQ(rounds_text(builder.build()), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, RoundOrder, testing::ValuesIn(kSortCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(Rounds, LoserIsSkippedNotReplannedOnAnotherFlavor) {
  ClusterBuilder builder = quota_world();
  builder.queue("a", {"f1", "f2"}, 2, "co");
  builder.queue("b", {"f1", "f2"}, 2, "co");
  builder.workload("x", {pods("main", 3, 1)}, "a");
  builder.workload("y", {pods("main", 3, 1)}, "b");
  EXPECT_EQ(rounds_text(builder.build()), "1 x f1, 2 y f2");
  EngineOptions one = kueue_rounds();
  one.rounds = 1;
  EXPECT_EQ(rounds_text(builder.build(), one), "1 x f1, y active 1 lost");
}

/// b borrows 2 of the 4 that a owns; a's head wants its 4, and b's next one the last 2.
ClusterBuilder blocked_head(const std::vector<std::string>& flavors_of_b) {
  ClusterBuilder builder = quota_world();
  builder.queue("a", {"f1"}, 4, "co");
  builder.queue("b", flavors_of_b, 4, "co");
  Workload& running = builder.admitted("j", pods("main", 1, 6), "", "f1", "b");
  running.status.admission->pod_sets[0].count = 1;
  running.status.admission->pod_sets[0].usage = pods("main", 1, 6).request;
  builder.workload("head", {pods("main", 1, 4)}, "a");
  builder.workload("y", {pods("main", 1, 2)}, "b");
  return builder;
}

TEST(Reservation, OfABlockedHeadHoldsForItsRoundOnly) {
  EXPECT_EQ(rounds_text(blocked_head({"f1"}).build()), "2 y f1, head inadmissible 1");
}

TEST(Reservation, IsNotMadeByAQueueThatReclaimsFromAny) {
  Inventory inventory = blocked_head({"f1"}).build();
  inventory.cluster_queues[0].reclaims_any = true;
  EXPECT_EQ(rounds_text(inventory), "1 y f1, head inadmissible 1");
}

TEST(Scan, SkippedHeadGoesOnBehindTheFlavorItLost) {  // though f1 is free again in round 2
  EXPECT_EQ(rounds_text(blocked_head({"f1", "f2"}).build()), "2 y f2, head inadmissible 1");
}

TEST(Scan, FailedPlacementTriesTheNextFlavorInTheNextRound) {
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f1", "f2"}, 100);
  builder.workload("w", {required(pods("main", 6, 1), kRack)});
  EXPECT_EQ(rounds_text(builder.build()), "2 w f2");
}

TEST(Scan, WorkloadStaysActiveUntilItsLastFlavor) {
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f1", "f2"}, 100);
  builder.workload("w", {required(pods("main", 9, 1), kRack)});
  EngineOptions one = kueue_rounds();
  one.rounds = 1;
  EXPECT_EQ(rounds_text(builder.build(), one), "w active 1");
  EXPECT_EQ(rounds_text(builder.build()), "w inadmissible 2");
}

struct GroupCase {
  const char* name;
  std::int64_t gpus, cpus;  // asked; 4 GPUs of f1 of which 3 are used, 1 cpu of f2
  const char* told;         // flavors

  friend std::ostream& operator<<(std::ostream& out, const GroupCase& c) { return out << c.name; }
};
const GroupCase kGroupCases[] = {
    {"BothWhereBothWaitForOthers", 2, 1000, "f1 f2"},
    {"OnlyTheGroupThatFoundNothing", 2, 2000, "f2"},
    {"OnlyTheFirstByHashThatFoundNothing", 5, 2000, "f1"},
};
class ResourceGroups : public testing::TestWithParam<GroupCase> {};

TEST_P(ResourceGroups, AreSearchedInTurnAndTold) {
  ClusterBuilder builder = quota_world();
  ClusterQueueRecord& queue = builder.queue("q", {"f1"}, 4);
  queue.groups[0].covered = {topology::gpu_resource()};
  queue.groups[0].flavors[0].resources.erase(queue.groups[0].flavors[0].resources.begin());
  ResourceGroup cpu;
  cpu.covered = {topology::cpu_resource()};
  cpu.flavors = {{"f2", {{topology::cpu_resource(), 1000, {}, {}}}}};
  queue.groups.push_back(cpu);
  solver::PodSet used = pods("main", 1, 3);
  used.request.set(topology::cpu_resource(), 1000);
  PodSetAssignment& holds = builder.admitted("j", used, "").status.admission.value().pod_sets[0];
  holds.count = 1;
  holds.usage = used.request;
  holds.flavors = {{"cpu", "f2"}, {"nvidia.com/gpu", "f1"}};
  solver::PodSet asked = pods("main", 1, GetParam().gpus);
  asked.request.set(topology::cpu_resource(), GetParam().cpus);
  builder.workload("w", {asked});
  const Inventory inventory = builder.build();
  Engine engine(inventory, kueue_rounds());
  std::string told;
  const std::vector<Decision> decisions = engine.run(test::waiting(inventory));
  for (const FlavorRejection& each : decisions[0].rejections) {
    told += (told.empty() ? "" : " ") + each.flavor;
  }
  EXPECT_EQ(told, GetParam().told);
}
INSTANTIATE_TEST_SUITE_P(Cases, ResourceGroups, testing::ValuesIn(kGroupCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(Scan, WhenCanBorrowTryNextFlavorPrefersTheFlavorThatBorrowsLess) {
  for (const bool next : {false, true}) {
    ClusterBuilder builder = quota_world();
    builder.queue("a", {"f1", "f2"}, 2, "co").borrow_tries_next_flavor = next;
    builder.queue("b", {"f1"}, 4, "co");
    builder.workload("w", {pods("main", 3, 1)}, "a");
    Inventory inventory = builder.build();
    inventory.cluster_queues[0].groups[0].flavors[1].resources[1].nominal = 4;
    EXPECT_EQ(rounds_text(inventory), next ? "1 w f2" : "1 w f1");
  }
}

TEST(Recompute, PlacesALostEntryElsewhereInTheSameRound) {
  for (const bool again : {true, false}) {
    ClusterBuilder builder;
    builder.hosts("b/r1/a:4 b/r1/c:4").flavor("f1");
    builder.queue("p", {"f1"}, 100);
    builder.queue("q", {"f1"}, 100);
    builder.workload("x", {required(pods("main", 4, 1), kHost)}, "p");
    builder.workload("y", {required(pods("main", 4, 1), kHost)}, "q");
    EngineOptions options = kueue_rounds();
    options.profile.recompute_in_cycle = again;
    EXPECT_EQ(rounds_text(builder.build(), options), again ? "1 x f1, 1 y f1" : "1 x f1, 2 y f1");
  }
}

TEST(Recompute, KeepsTheNominatedFlavor) {
  ClusterBuilder builder = two_pools();
  builder.queue("p", {"f1", "f2"}, 100);
  builder.queue("q", {"f1", "f2"}, 100);
  builder.workload("x", {required(pods("main", 4, 1), kHost)}, "p");
  builder.workload("y", {required(pods("main", 4, 1), kHost)}, "q");
  EXPECT_EQ(rounds_text(builder.build()), "1 x f1, 2 y f2");
}

TEST(Recompute, BlockedHeadIsToldWhatTheRoundLeft) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4 b/r1/c:4").flavor("f1");
  builder.queue("p", {"f1"}, 100);
  builder.queue("q", {"f1"}, 100);
  builder.admitted("j", pods("main", 1, 1), "a:1 c:2", "f1", "p");
  builder.workload("x", {required(pods("main", 1, 3), kHost)}, "p");
  builder.workload("y", {required(pods("main", 2, 3), kRack)}, "q");
  const Inventory inventory = builder.build();
  for (const bool again : {true, false}) {
    EngineOptions options = kueue_rounds();
    options.profile.recompute_in_cycle = again;
    options.rounds = 1;
    Engine engine(inventory, options);
    const std::vector<Decision> decisions = engine.run(test::waiting(inventory));
    ASSERT_EQ(decisions[1].rejections.size(), 1U);
    EXPECT_EQ(decisions[1].rejections[0].refusal->fits, again ? 0 : 1);
    EXPECT_EQ(decisions[1].waits_in_rounds->severity, Severity::kQuota);
  }
}

TEST(Recompute, MayLowerThePods) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:6").flavor("f1");
  builder.queue("p", {"f1"}, 100);
  builder.queue("q", {"f1"}, 100);
  builder.workload("x", {required(pods("main", 4, 1), kHost)}, "p");
  solver::PodSet elastic = required(pods("main", 4, 1), kHost);
  elastic.min_count = 1;
  builder.workload("y", {elastic}, "q");
  const Inventory inventory = builder.build();
  Engine engine(inventory, kueue_rounds());
  const std::vector<Decision> decisions = engine.run(test::waiting(inventory));
  EXPECT_EQ(test::text(engine, decisions), "x Placed main[a:4]\ny Placed main[a:2]");
  EXPECT_EQ(decisions[1].round, 1);
}

struct ShapeCase {
  const char* name;
  void (*change)(Workload& second);
  const char* expected;

  friend std::ostream& operator<<(std::ostream& out, const ShapeCase& c) { return out << c.name; }
};
const ShapeCase kShapeCases[] = {
    {"EqualIsMovedUnevaluated", [](Workload&) {},
     "2 small f1, big1 inadmissible 1, big2 inadmissible 0"},
    {"OtherLabelsAndTimesAreEqual", [](Workload& w) { w.uid = "z", w.priority_class = "x"; },
     "2 small f1, big1 inadmissible 1, big2 inadmissible 0"},
    {"OtherPriorityIsNot", [](Workload& w) { w.priority = 4; },
     "3 small f1, big1 inadmissible 1, big2 inadmissible 2"},
    {"OtherPodSetNameIsNot", [](Workload& w) { w.gang.pod_sets[0].name = "other"; },
     "3 small f1, big1 inadmissible 1, big2 inadmissible 2"},
    {"OtherContainersAreNot", [](Workload& w) { w.templates = {7}; },
     "3 small f1, big1 inadmissible 1, big2 inadmissible 2"},
};
class BulkMove : public testing::TestWithParam<ShapeCase> {};

TEST_P(BulkMove, TakesWorkloadsOfTheRefusedShape) {
  ClusterBuilder builder = quota_world();
  builder.queue("q", {"f1"}, 4);
  builder.workload("big1", {pods("main", 9, 1)}).priority = 5;
  Workload& second = builder.workload("big2", {pods("main", 9, 1)});
  second.priority = 5;
  GetParam().change(second);
  builder.workload("small", {pods("main", 1, 1)});
  EXPECT_EQ(rounds_text(builder.build()), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, BulkMove, testing::ValuesIn(kShapeCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(Requeue, StrictFifoHeadStaysAndNothingBehindItIsLookedAt) {
  ClusterBuilder builder = quota_world();
  builder.queue("q", {"f1"}, 4).strategy = QueueStrategy::kStrictFifo;
  builder.workload("big", {pods("main", 9, 1)});
  builder.workload("small", {pods("main", 1, 1)});
  EXPECT_EQ(rounds_text(builder.build()), "big active 2, small active 0");
}

TEST(Requeue, HeadOfAnotherNamespaceCostsARoundAndBlocksNobody) {
  for (const QueueStrategy strategy :
       {QueueStrategy::kStrictFifo, QueueStrategy::kBestEffortFifo}) {
    ClusterBuilder builder = quota_world();
    ClusterQueueRecord& queue = builder.queue("q", {"f1"}, 4);
    queue.strategy = strategy;
    queue.namespace_selector->requirements = {
        {Symbol("team"), topology::LabelOperator::kExists, {}}};
    builder.workload("foreign", {pods("main", 1, 1)});
    builder.workload("w", {pods("main", 1, 1)});
    Inventory inventory = builder.build();
    topology::Labels labels;
    labels.set(Symbol("team"), Symbol("a"));
    inventory.namespaces = {{"team-a", labels}};
    inventory.local_queues.push_back({"team-a", "q", "q", StopPolicy::kNone});
    inventory.workloads[test::find(inventory, "w")].namespace_name = "team-a";
    EXPECT_EQ(rounds_text(inventory), "2 w f1, foreign inadmissible 1");
  }
}

TEST(Requeue, HeadThatIsNotNominatedBlocksAStrictFifoQueueOnly) {
  for (const bool strict : {true, false}) {
    ClusterBuilder builder = quota_world();
    ClusterQueueRecord& queue = builder.queue("q", {"f1"}, 4);
    if (strict) queue.strategy = QueueStrategy::kStrictFifo;
    builder.workload("faulty", {pods("main", 1, 1)}).resources_fault = "requests above limits";
    builder.workload("w", {pods("main", 1, 1)});
    EXPECT_EQ(rounds_text(builder.build()),
              strict ? "faulty active 2, w active 0" : "2 w f1, faulty inadmissible 1");
  }
}

TEST(Rounds, PartialAdmissionTakesTheMostThatFitsQuota) {
  ClusterBuilder builder = quota_world();
  builder.queue("q", {"f1"}, 4);
  solver::PodSet elastic = pods("main", 9, 1);
  elastic.min_count = 2;
  builder.workload("w", {elastic});
  const Inventory inventory = builder.build();
  Engine engine(inventory, kueue_rounds());
  EXPECT_EQ(engine.run({0})[0].pod_sets[0].count, 4);
  EngineOptions whole = kueue_rounds();
  whole.profile.partial_admission = false;
  EXPECT_EQ(rounds_text(inventory, whole), "w inadmissible 1");
}

TEST(Rounds, WorkWithoutAnyQueueInTheInput) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4");
  builder.workload("w", {pods("main", 4, 1)});
  builder.workload("x", {pods("main", 1, 1)});
  EXPECT_EQ(rounds_text(builder.build()), "1 w default, x inadmissible 2");
}

TEST(Rounds, IgnoredQuotaIsNotCounted) {
  ClusterBuilder builder = quota_world();
  builder.queue("q", {"f1"}, 1);
  builder.workload("w", {pods("main", 4, 1)});
  EngineOptions options = kueue_rounds();
  options.ignore_quota = true;
  EXPECT_EQ(rounds_text(builder.build(), options), "1 w f1");
}

}  // namespace
}  // namespace tessera::core
