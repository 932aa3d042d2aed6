// SPDX-License-Identifier: Apache-2.0
// Whole runs of the engine: inputs without queues, and what the state that was read holds.
#include <gtest/gtest.h>

#include <ostream>

#include "actors/engine/engine.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::kBlock;
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

std::int64_t free_gpus(const Engine& engine, const std::string& host) {
  const solver::FlavorView* view = engine.view(engine.topology_flavors().front());
  const Symbol value(host);
  const auto leaf = view->tree().find_leaf({&value, 1});
  return engine.capacity().amount(topology::Basis::kFree, topology::gpu_resource(),
                                  view->cells()[topology::index(*leaf)]);
}

// --- inputs without queues and flavors (ux.md rule 1)

TEST(NoQueues, OneFlavorDefaultTakesEveryNode) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4 b/r1/b:4");
  builder.workload("w", {required(pods("main", 6, 1), kRack)}, "anything");
  const Inventory inventory = builder.build();
  Engine engine(inventory, {});
  const std::vector<Decision> decisions = engine.run(test::waiting(inventory));
  EXPECT_EQ(test::text(engine, decisions), "w Placed main[a:4 b:2]");
  EXPECT_EQ(decisions[0].cluster_queue, "anything");
  EXPECT_TRUE(decisions[0].pod_sets[0].flavors.has(topology::gpu_resource()));
  for (const auto& [resource, flavor] : decisions[0].pod_sets[0].flavors) {
    EXPECT_EQ(flavor.view(), "default") << resource.view();
  }
}

TEST(NoQueues, NodesWithoutAnyTopologyAreAFlatCluster) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4");
  builder.workload("w", {pods("main", 4, 1)});
  Inventory inventory = builder.build();
  inventory.topologies.clear();
  EXPECT_EQ(schedule(inventory), "w Placed main[a:4]");
}

TEST(NoQueues, PodWithoutRequestsTakesASlot) {  // cases.md C001
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8 b/r1/b:8");
  builder.node("a").allocatable.set(topology::pods_resource(), 3);
  builder.node("b").allocatable.set(topology::pods_resource(), 10);
  solver::PodSet pod_set = required(pods("main", 13, 0), kRack);
  pod_set.request = {};
  builder.workload("w", {pod_set});
  EXPECT_EQ(schedule(builder.build()), "w Placed main[a:3 b:10]");
}

// --- state

TEST(State, AdmittedUseIsCountedOnceForEachResource) {  // cases.md C003
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8");
  solver::PodSet shape = pods("main", 4, 1);
  shape.request.set(topology::cpu_resource(), 16000 / 2);
  builder.admitted("holder", shape, "a:4");
  builder.workload("w", {required(shape, kHost)});
  const Inventory inventory = builder.build();
  Engine engine(inventory, {});
  EXPECT_EQ(test::text(engine, engine.run(test::waiting(inventory))), "w Placed main[a:4]");
  EXPECT_EQ(free_gpus(engine, "a"), 0);
  EXPECT_EQ(engine.holdings().size(), 2U);
}

TEST(State, PodSetsOfOneWorkloadSeeEachOther) {  // cases.md C007
  for (const std::int64_t workers : {3, 4}) {
    ClusterBuilder builder;
    builder.hosts("b/r1/a:4 b/r1/b:4");
    builder.workload("w", {required(pods("launcher", 1, 2), kRack),
                           required(pods("workers", workers, 2), kRack)});
    EXPECT_EQ(schedule(builder.build()),
              workers == 3 ? "w Placed launcher[a:1] workers[a:1 b:2]" : "w Never TopologyFit");
  }
}

TEST(State, JobThatHoldsTheOnlyNodeKeepsOthersWaiting) {  // cases.md C177
  ClusterBuilder builder;
  builder.hosts("b/r1/n1:8");
  builder.admitted("j", pods("main", 1, 8), "n1:1");
  builder.workload("w", {required(pods("main", 1, 8), kHost)});
  EXPECT_EQ(schedule(builder.build()), "w Waits TopologyFit");
}

TEST(State, AssignmentOfFewerLevelsStillHoldsItsHost) {  // cases.md C179
  ClusterBuilder builder;
  builder.hosts("b/r1/n1:8");
  Workload& holder = builder.admitted("j", pods("main", 1, 8), "n1:1");
  PodSetAssignment& assignment = holder.status.admission->pod_sets[0];
  assignment.levels = {Symbol(kBlock), Symbol(kHost)};
  assignment.domains = {};
  assignment.domains.add(std::vector{Symbol("b"), Symbol("n1")}, 1);
  builder.workload("w", {pods("main", 1, 1)});
  EXPECT_EQ(schedule(builder.build()), "w Waits TopologyFit");
}

TEST(State, DomainThatNoNodeMakesUpIsTold) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4");
  builder.admitted("j", pods("main", 1, 1), "a:1 gone:2");
  const Inventory inventory = builder.build();
  const Engine engine(inventory, {});
  ASSERT_EQ(engine.accounting().mismatches.size(), 1U);
  const Mismatch& told = engine.accounting().mismatches[0];
  EXPECT_EQ(told.kind, Mismatch::Kind::kNoNode);
  EXPECT_EQ(told.workload, "ns/j");
  EXPECT_EQ(told.places, std::vector<std::string>{"gone"});
  EXPECT_EQ(told.pods, 2);
  EXPECT_EQ(engine.accounting().admitted_workloads, 1);
}

struct PodCase {
  const char* name;
  config::PodUsage rule;
  bool of_admitted, annotated;
  std::int64_t free;  // of 8, beside 2 pods of the admitted workload

  friend std::ostream& operator<<(std::ostream& out, const PodCase& c) { return out << c.name; }
};
const PodCase kPodCases[] = {
    {"ForeignPodIsUse", config::PodUsage::kAll, false, false, 3},
    {"AnnotatedForeignPodIsUse", config::PodUsage::kAll, false, true, 3},
    {"PodOfAnAssignmentIsCountedOnce", config::PodUsage::kAll, true, true, 6},
    {"KueueSkipsAnnotatedPods", config::PodUsage::kKueueNonTas, false, true, 8 - 2},
    {"KueueCountsPlainPodsAlways", config::PodUsage::kKueueNonTas, true, false, 3},
};
class BoundPods : public testing::TestWithParam<PodCase> {};

TEST_P(BoundPods, AreUseByTheRuleOfTheProfile) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8");
  builder.admitted("j", pods("main", 2, 1), "a:2");
  PodRecord& pod = builder.bound_pod("p", "a", 3);
  pod.tas_annotated = GetParam().annotated;
  if (GetParam().of_admitted) pod.workload = "ns/j";
  config::Profile profile;
  profile.pod_usage = GetParam().rule;
  const Inventory inventory = builder.build();
  const Engine engine(inventory, with(profile));
  EXPECT_EQ(free_gpus(engine, "a"), GetParam().free);
  const Accounting& accounting = engine.accounting();
  EXPECT_EQ(accounting.bound_pods + accounting.pods_of_known + accounting.not_counted, 1);
}
INSTANTIATE_TEST_SUITE_P(Cases, BoundPods, testing::ValuesIn(kPodCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(State, OwnersThatAreNotInTheInputAreNamedOnce) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8");
  builder.bound_pod("p1", "a", 1).owner = "job/x";
  builder.bound_pod("p2", "a", 1).owner = "job/x";
  const Inventory inventory = builder.build();
  const Engine engine(inventory, {});
  EXPECT_EQ(engine.accounting().unknown_owners, std::vector<std::string>{"ns job/x"});
  EXPECT_EQ(engine.accounting().bound_pods, 2);
}

TEST(State, FinishedWorkloadHoldsNothing) {  // cases.md C181
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8");
  builder.admitted("j", pods("main", 1, 8), "a:1").status.finished = true;
  builder.workload("w", {pods("main", 1, 8)});
  EXPECT_EQ(schedule(builder.build()), "w Placed main[a:1]");
}

// --- open leaves

TEST(OpenLeaves, UnlabelledNodesServeOnlyPodsWithoutATopologyRequest) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:1 b/r1/b:1");
  topology::Labels labels;
  labels.set(Symbol(kHost), Symbol("b"));
  builder.node("b").labels = labels;
  builder.workload("asks", {required(pods("main", 2, 1), kRack)});
  builder.workload("free", {pods("main", 2, 1)});
  Inventory inventory = builder.build();
  inventory.topologies[0].unlabelled = topology::UnlabelledNodes::kUnconstrainedOnly;
  EXPECT_EQ(schedule(inventory), "free Placed main[b:1 a:1]\nasks Never TopologyFit");
  inventory.topologies[0].unlabelled = topology::UnlabelledNodes::kExclude;
  EXPECT_EQ(schedule(inventory), "asks Never TopologyFit\nfree Never TopologyFit");
}

}  // namespace
}  // namespace tessera::core
