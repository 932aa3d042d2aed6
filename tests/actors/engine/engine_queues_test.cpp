// SPDX-License-Identifier: Apache-2.0
// Whole runs of the engine: flavors, quota, and which workloads are planned in which order.
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
using test::schedule;
using topology::Symbol;

EngineOptions with(const config::Profile& profile) {
  EngineOptions options;
  options.profile = profile;
  return options;
}

ClusterBuilder two_pools() {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4 b/r2/b:4 b/r3/c:8");
  for (const char* host : {"a", "b"}) builder.node(host).labels.set(Symbol("pool"), Symbol("p1"));
  builder.node("c").labels.set(Symbol("pool"), Symbol("p2"));
  builder.flavor("f1").flavor("f2");
  builder.flavor_record("f1").node_labels = {{Symbol("pool"), Symbol("p1")}};
  builder.flavor_record("f2").node_labels = {{Symbol("pool"), Symbol("p2")}};
  return builder;
}

TEST(Flavors, FlavorWhosePlacementFailsIsPassedOver) {  // cases.md C081
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f1", "f2"}, 100);
  builder.workload("w", {required(pods("main", 6, 1), kRack)});
  const Inventory inventory = builder.build();
  Engine engine(inventory, {});
  const std::vector<Decision> decisions = engine.run(test::waiting(inventory));
  EXPECT_EQ(test::text(engine, decisions), "w Placed main[c:6]");
  EXPECT_EQ(decisions[0].pod_sets[0].topology_flavor, "f2");
}

TEST(Flavors, RefusalTellsTheFirstFailingPlacementThenTheOthers) {
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f1", "f2"}, 100);
  builder.workload("w", {required(pods("main", 9, 1), kRack)});
  const Inventory inventory = builder.build();
  Engine engine(inventory, {});
  const std::vector<Decision> decisions = engine.run(test::waiting(inventory));
  ASSERT_EQ(decisions[0].rejections.size(), 2U);
  EXPECT_EQ(decisions[0].rejections[0].flavor, "f1");
  EXPECT_EQ(decisions[0].rejections[0].refusal->fits, 4);
  EXPECT_EQ(decisions[0].rejections[1].flavor, "f2");
  EXPECT_EQ(decisions[0].rejections[1].refusal->fits, 8);
}

TEST(Flavors, FailedPlacementTakesNoQuota) {  // cases.md C085
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f2"}, 8);
  builder.admitted("j", pods("main", 3, 1), "c:3", "f2");
  builder.workload("big",
                   {required(pods("main", 5, 1), kRack), required(pods("more", 1, 0), "no/level")});
  builder.workload("small", {pods("main", 5, 1)});
  const Inventory inventory = builder.build();
  Engine engine(inventory, {});
  const std::vector<Decision> decisions = engine.run(test::waiting(inventory));
  EXPECT_EQ(test::text(engine, decisions), "small Placed main[c:5]\nbig Never Flavor");
}

TEST(Quota, ZeroOfAFullResourceIsAdmitted) {  // cases.md C087
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f2"}, 4);
  builder.admitted("j", pods("main", 4, 1), "c:4", "f2");
  solver::PodSet pod_set = pods("main", 1, 0);
  pod_set.request.set(topology::cpu_resource(), 4000);
  builder.workload("w", {pod_set});
  EXPECT_EQ(schedule(builder.build()), "w Placed main[c:1]");
}

TEST(Quota, PodSetWithoutPodsIsAdmittedEmpty) {  // cases.md C027
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4");
  solver::PodSet workers = required(pods("workers", 0, 1), kRack);
  workers.topology.layers = {{Symbol(kHost), 2}};
  builder.workload("w", {required(pods("leader", 1, 1), kRack), workers});
  EXPECT_EQ(schedule(builder.build()), "w Placed leader[a:1] workers[]");
}

TEST(Quota, GroupWhoseWorkersHaveNoPodsPlacesItsLeader) {  // cases.md C027
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4");
  solver::PodSet leader = required(pods("leader", 1, 1), kRack);
  solver::PodSet workers = required(pods("workers", 0, 1), kRack);
  leader.unit = workers.unit = "g";
  builder.workload("w", {leader, workers});
  EXPECT_EQ(schedule(builder.build()), "w Placed leader[a:1] workers[]");
}

struct NeverCase {
  const char* name;
  std::int64_t used, asked;
  const char* expected;

  friend std::ostream& operator<<(std::ostream& out, const NeverCase& c) { return out << c.name; }
};
const NeverCase kNeverCases[] = {
    {"UsedByOthersWaits", 4, 3, "w Waits Quota"},
    {"AboveTheMaximumIsNever", 0, 7, "w Never Quota"},
    {"WithinIsPlaced", 3, 3, "w Placed main[c:3]"},
};
class QuotaVerdict : public testing::TestWithParam<NeverCase> {};

TEST_P(QuotaVerdict, IsNeverOnlyAboveTheMaximum) {
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f2"}, 6);
  if (GetParam().used > 0) {
    builder.admitted("j", pods("main", 1, 1), "c:" + std::to_string(GetParam().used), "f2");
  }
  builder.workload("w", {pods("main", GetParam().asked, 1)});
  EXPECT_EQ(schedule(builder.build()), GetParam().expected);
  EngineOptions ignoring;
  ignoring.ignore_quota = true;
  if (GetParam().used > 0) return;
  EXPECT_EQ(schedule(builder.build(), ignoring), "w Placed main[c:7]");
}
INSTANTIATE_TEST_SUITE_P(Cases, QuotaVerdict, testing::ValuesIn(kNeverCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(Quota, OwnQuotaThatTheCohortLentOutIsQuotaParent) {
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f2"}, 4, "co");
  builder.queue("other", {"f2"}, 4, "co");
  builder.admitted("j", pods("main", 6, 1), "c:6", "f2", "other");
  builder.workload("w", {pods("main", 3, 1)});
  EXPECT_EQ(schedule(builder.build()), "w Waits QuotaParent");
}

TEST(Quota, PartialAdmissionTakesTheMostThatFits) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4 b/r2/b:3");
  solver::PodSet pod_set = required(pods("main", 9, 1), kRack);
  pod_set.min_count = 2;
  builder.workload("w", {pod_set});
  EXPECT_EQ(schedule(builder.build()), "w Placed main[a:4]");
  config::Profile whole;
  whole.partial_admission = false;
  EXPECT_EQ(schedule(builder.build(), with(whole)), "w Never TopologyFit");
}

// --- which workloads are planned, and in which order

TEST(Order, BetterHeadsOfAllQueuesGoFirst) {
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f2"}, 100);
  builder.queue("z", {"f2"}, 100);
  builder.workload("old", {pods("main", 8, 1)}, "q");
  builder.workload("urgent", {pods("main", 8, 1)}, "z").priority = 10;
  EXPECT_EQ(schedule(builder.build()), "urgent Placed main[c:8]\nold Waits TopologyFit");
}

TEST(Order, StrictFifoHoldsBackWhatStandsBehindARefusedHead) {
  for (const bool strict : {true, false}) {
    ClusterBuilder builder = two_pools();
    ClusterQueueRecord& queue = builder.queue("q", {"f2"}, 100);
    if (strict) queue.strategy = QueueStrategy::kStrictFifo;
    builder.workload("big", {pods("main", 9, 1)});
    builder.workload("small", {pods("main", 1, 1)});
    EXPECT_EQ(schedule(builder.build()), strict ? "big Never TopologyFit\nsmall Waits BehindHead"
                                                : "small Placed main[c:1]\nbig Never TopologyFit");
  }
}

TEST(Order, StrictFifoHeadWithACheckToBeRetriedBlocksButANamespaceMismatchDoesNot) {
  ClusterBuilder builder = two_pools();
  ClusterQueueRecord& queue = builder.queue("q", {"f2"}, 100);
  queue.strategy = QueueStrategy::kStrictFifo;
  builder.workload("first", {pods("main", 1, 1)}).status.checks = {{"c", CheckState::kRejected}};
  builder.workload("second", {pods("main", 1, 1)});
  EXPECT_EQ(schedule(builder.build()), "first Waits AdmissionCheck\nsecond Waits BehindHead");

  ClusterBuilder other = two_pools();
  ClusterQueueRecord& choosy = other.queue("q", {"f2"}, 100);
  choosy.strategy = QueueStrategy::kStrictFifo;
  choosy.namespace_selector->requirements = {
      {Symbol("team"), topology::LabelOperator::kExists, {}}};
  other.workload("first", {pods("main", 1, 1)});
  other.workload("second", {pods("main", 1, 1)});
  Inventory inventory = other.build();
  topology::Labels labels;
  labels.set(Symbol("team"), Symbol("a"));
  inventory.namespaces = {{"team-a", labels}};
  inventory.local_queues.push_back({"team-a", "q", "q", StopPolicy::kNone});
  inventory.workloads[test::find(inventory, "second")].namespace_name = "team-a";
  EXPECT_EQ(schedule(inventory), "second Placed main[c:1]\nfirst Waits Namespace");
}

TEST(Quota, IgnoredPlacesPodsOfWhichNothingIsCovered) {
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f2"}, 1);
  solver::PodSet pod_set = pods("main", 2, 1);
  pod_set.request = {};
  pod_set.request.set(Symbol("memory"), 0);
  builder.workload("w", {required(pod_set, kRack)});
  EngineOptions ignoring;
  ignoring.ignore_quota = true;
  EXPECT_EQ(schedule(builder.build()), "w Never Flavor");
  EXPECT_EQ(schedule(builder.build(), ignoring), "w Placed main[c:2]");
}

struct GateCase {
  const char* name;
  void (*change)(ClusterBuilder& builder, Workload& workload);
  const char* expected;

  friend std::ostream& operator<<(std::ostream& out, const GateCase& c) { return out << c.name; }
};
const GateCase kGateCases[] = {
    {"InactiveWorkload", [](ClusterBuilder&, Workload& w) { w.active = false; },
     "w Waits Inactive"},
    {"GatedWorkload", [](ClusterBuilder&, Workload& w) { w.admission_gated_by = "x"; },
     "w Waits Gated"},
    {"WaitsForReplacementPods", [](ClusterBuilder&, Workload& w) { w.status.replaces_pods = true; },
     "w Waits Gated"},
    {"BacksOffWithoutAnEnd", [](ClusterBuilder&, Workload& w) { w.status.backs_off = true; },
     "w Waits Backoff"},
    {"BacksOffUntilATimeThatNoClockTells",
     [](ClusterBuilder&, Workload& w) {
       w.status.backs_off = true;
       w.status.requeue_at = 1;
     },
     "w Waits Backoff"},
    {"InvalidRequest", [](ClusterBuilder&, Workload& w) { w.invalid = {Error{}}; },
     "w Invalid Invalid"},
    {"UnknownLocalQueue", [](ClusterBuilder&, Workload& w) { w.queue = "nowhere"; },
     "w Waits QueueMissing"},
    {"OtherNamespaceHasNoSuchQueue",
     [](ClusterBuilder&, Workload& w) { w.namespace_name = "other"; }, "w Waits QueueMissing"},
    {"CheckToBeRetried",
     [](ClusterBuilder&, Workload& w) {
       w.status.checks = {{"c", CheckState::kRetry}};
     },
     "w Waits AdmissionCheck"},
    {"ReadyCheck",
     [](ClusterBuilder&, Workload& w) {
       w.status.checks = {{"c", CheckState::kReady}};
     },
     "w Placed main[c:1]"},
};
class Gates : public testing::TestWithParam<GateCase> {};

TEST_P(Gates, KeepAWorkloadFromBeingPlanned) {
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f2"}, 100);
  GetParam().change(builder, builder.workload("w", {pods("main", 1, 1)}));
  EXPECT_EQ(schedule(builder.build()), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, Gates, testing::ValuesIn(kGateCases),
                         [](const auto& test_case) { return test_case.param.name; });

struct QueueCase {
  const char* name;
  void (*change)(Inventory& inventory);
  const char* expected;

  friend std::ostream& operator<<(std::ostream& out, const QueueCase& c) { return out << c.name; }
};
const QueueCase kQueueCases[] = {
    {"StoppedClusterQueue", [](Inventory& i) { i.cluster_queues[0].stop = StopPolicy::kHold; },
     "QueueStopped"},
    {"StoppedLocalQueue", [](Inventory& i) { i.local_queues[0].stop = StopPolicy::kHoldAndDrain; },
     "QueueStopped"},
    {"MissingClusterQueue", [](Inventory& i) { i.cluster_queues[0].name = "renamed"; },
     "QueueMissing"},
    {"MissingFlavor",
     [](Inventory& i) { i.cluster_queues[0].groups[0].flavors[0].flavor = "gone"; }, "Flavor"},
    {"MissingTopology", [](Inventory& i) { i.topologies[0].name = "renamed"; }, "TopologyMissing"},
    {"MissingCheck",
     [](Inventory& i) {
       i.checks = {{"other", "", true}};
       i.cluster_queues[0].checks = {{"c", {}}};
     },
     "AdmissionCheck"},
    {"InactiveCheck",
     [](Inventory& i) {
       i.checks = {{"c", "", false}};
       i.cluster_queues[0].checks = {{"c", {}}};
     },
     "AdmissionCheck"},
    {"CohortBelowItself",
     [](Inventory& i) {
       i.cluster_queues[0].cohort = "x";
       i.cohorts = {{"x", "x", {}, false, {}}};
     },
     "QuotaParent"},
    {"AbsentSelectorMatchesNoNamespace",
     [](Inventory& i) { i.cluster_queues[0].namespace_selector.reset(); }, "Namespace"},
    {"UnknownNamespaceMatchesOnlyAnEmptySelector",
     [](Inventory& i) {
       i.cluster_queues[0].namespace_selector->requirements = {
           {Symbol("team"), topology::LabelOperator::kDoesNotExist, {}}};
     },
     "Namespace"},
};
class InactiveQueues : public testing::TestWithParam<QueueCase> {};

TEST_P(InactiveQueues, MakeTheirWorkloadsWait) {
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f2"}, 100);
  builder.workload("w", {pods("main", 1, 1)});
  Inventory inventory = builder.build();
  GetParam().change(inventory);
  EXPECT_EQ(schedule(inventory), std::string("w Waits ") + GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, InactiveQueues, testing::ValuesIn(kQueueCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(Checks, PlacedWorkloadTellsWhichItWaitsFor) {
  ClusterBuilder builder = two_pools();
  builder.queue("q", {"f2"}, 100).checks = {{"all", {}}, {"of-f1", {"f1"}}, {"of-f2", {"f2"}}};
  builder.workload("w", {pods("main", 1, 1)}).status.checks = {{"all", CheckState::kReady}};
  Inventory inventory = builder.build();
  Engine trusting(inventory, {});
  EXPECT_TRUE(trusting.run({0})[0].waits_for_checks.empty()) << "no check in the input: all ready";
  EXPECT_EQ(trusting.accounting().queue_warnings.size(), 1U);
  inventory.checks = {{"all", "", true}, {"of-f1", "", true}, {"of-f2", "", true}};
  Engine engine(inventory, {});
  EXPECT_EQ(engine.run({0})[0].waits_for_checks, std::vector<std::string>{"of-f2"});
}

TEST(Warnings, OneAQueueThatAsksForWhatIsNotEvaluated) {
  ClusterBuilder builder = two_pools();
  ClusterQueueRecord& queue = builder.queue("train", {"f2"}, 1);
  queue.preempts = true;
  builder.queue("other", {"f2"}, 1);
  const Inventory inventory = builder.build();
  const Engine engine(inventory, {});
  EXPECT_EQ(
      engine.accounting().queue_warnings,
      std::vector<std::string>{"ClusterQueue train: preemption is not evaluated by this version"});
}

TEST(Clock, MeasuresEachDecisionAndDecidesNothing) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4");
  builder.workload("w", {pods("main", 1, 1)});
  const Inventory inventory = builder.build();
  EngineOptions options;
  options.clock = +[] {
    static std::int64_t now = 0;
    return now += 7;
  };
  Engine engine(inventory, options);
  EXPECT_EQ(engine.run({0})[0].solver_nanoseconds, 7);
}

}  // namespace
}  // namespace tessera::core
