// SPDX-License-Identifier: Apache-2.0
// An admission is booked by what it carries, whatever became of its flavor, topology or labels; its
// bound pods are counted once, and where they run.
#include <gtest/gtest.h>

#include "actors/engine/local_engine.h"
#include "tests/actors/books/admission_scene.h"

namespace tessera::core {
namespace {

using test::AdmissionScene;
using test::free_text;
using test::inventory_of;
using test::told_text;

constexpr const char* kTwo = "a/a/b1/r1/p b/b/b1/r1/p";
constexpr const char* kOne = "a/a/b1/r1/p";
constexpr const char* kHosts = "f:block,rack,host:p";

const AdmissionScene kCases[] = {
    {"Plain", kTwo, kHosts, {"f host a:4"}, "a:4", "a=4 b=8", ""},
    {"WithoutBoundPods", kTwo, kHosts, {"f host a:4"}, "", "a=4 b=8", ""},
    {"FlavorIsGone", kTwo, kHosts, {"gone host a:8"}, "", "a=0 b=8", "OtherFlavor(gone) a 8"},
    {"FlavorIsGoneAndPodsAreBound",
     kTwo,
     kHosts,
     {"gone host a:4"},
     "a:4",
     "a=4 b=8",
     "OtherFlavor(gone) a 4"},
    {"NoFlavorIsNamed", kTwo, kHosts, {"- host a:8"}, "", "a=0 b=8", "OtherFlavor() a 8"},
    {"NodeLeftTheFlavor",
     "a/a/b1/r1/g b/b/b1/r1/p",
     "f:block,rack,host:p g:block,rack,host:g",
     {"f host a:8"},
     "",
     "a=0 b=8",
     "OtherFlavor(f) a 8"},
    {"NodeLeftAllFlavors",
     "a/a/b1/r1/x b/b/b1/r1/p",
     kHosts,
     {"f host a:8"},
     "a:8",
     "b=8",
     "NoNode(f) a 8"},
    {"NodeLostItsRack",
     "a/a/b1/-/p b/b/b1/r1/p",
     "f:block,rack,host:p fh:host:p",
     {"f host a:8"},
     "",
     "a=0 b=8",
     "OtherFlavor(f) a 8"},
    {"NodeMovedToAnotherRack",
     "a/a/b1/r9/p b/b/b1/r1/p",
     kHosts,
     {"f block,rack,host b1/r1/a:8"},
     "",
     "a=0 b=8",
     ""},
    {"TopologyLostItsUpperLevels",
     kTwo,
     "f:host:p",
     {"f block,rack,host b1/r1/a:8"},
     "",
     "a=0 b=8",
     ""},
    {"FlavorHasNoTopologyNow",
     kTwo,
     "f:-:p g:host:p",
     {"f host a:8"},
     "",
     "a=0 b=8",
     "OtherFlavor(f) a 8"},
    {"RacksWhereTheTopologyEndsAtTheHost",
     kTwo,
     kHosts,
     {"f block,rack b1/r1:8"},
     "b:8",
     "a=8 b=0",
     "NoHost(f) b1/r1 0"},
    {"RacksAndSomePodsAreNotBound",
     kTwo,
     kHosts,
     {"f block,rack b1/r1:12"},
     "b:6",
     "a=2 b=2",
     "NoHost(f) b1/r1 6"},
    {"RacksAndNoPodIsBound",
     kTwo,
     kHosts,
     {"f block,rack b1/r1:12"},
     "",
     "a=0 b=4",
     "NoHost(f) b1/r1 12"},
    {"RacksOfTwoPodSetsFillOneAfterTheOther",
     kTwo,
     kHosts,
     {"f block,rack b1/r1:6", "f block,rack b1/r1:6"},
     "",
     "a=0 b=4",
     "NoHost(f) b1/r1 12"},
    {"MorePodsThanTheRackTakes",
     kOne,
     kHosts,
     {"f block,rack b1/r1:9"},
     "",
     "a=-1",
     "NoHost(f) b1/r1 9"},
    {"RacksOfALostFlavor",
     "a/a/b1/r1/p b/b/b1/r2/p",
     kHosts,
     {"gone block,rack b1/r2:8"},
     "",
     "a=8 b=0",
     "NoHost(gone) b1/r2 8"},
    {"RacksHoldNodesOfTheFlavorFirst",
     "a/a/b1/r1/g b/b/b1/r1/p",
     "f:block,rack,host:p g:block,rack,host:g",
     {"f block,rack b1/r1:8"},
     "",
     "a=8 b=0",
     "NoHost(f) b1/r1 8"},
    {"TheRackIsGone",
     kTwo,
     kHosts,
     {"f block,rack b1/r7:8"},
     "b:8",
     "a=8 b=0",
     "NoNode(f) b1/r7 8; Elsewhere() b 8"},
    {"HostsWhereTheTopologyEndsAtTheRack", kTwo, "f:block,rack:p", {"f host a:8"}, "", "a+b=8", ""},
    {"HostsOfARackThatTheNodeLeft",
     "a/a/b1/r2/p b/b/b1/r1/p",
     "f:block,rack:p",
     {"f block,rack,host b1/r1/a:8"},
     "",
     "a=0 b=8",
     ""},
    {"ALostFlavorAndLeavesAreRacks",
     "a/a/b1/r1/p b/b/b1/r2/p",
     "f:block,rack:p",
     {"gone host a:8"},
     "a:8",
     "a=0 b=8",
     "OtherFlavor(gone) a 8"},
    {"HostnameDiffersFromTheName",
     "n1/a/b1/r1/p n2/b/b1/r1/p",
     kHosts,
     {"gone host a:8"},
     "n1:8",
     "n1=0 n2=8",
     "OtherFlavor(gone) n1 8"},
    {"TheAssignmentHasTheNameOfTheNode",
     "n1/a/b1/r1/p n2/b/b1/r1/p",
     kHosts,
     {"f host n1:8"},
     "n1:8",
     "n1=0 n2=8",
     "OtherFlavor(f) n1 8"},
    {"AHostnameThatIsAnotherNodesName",
     "n1/n2/b1/r1/p n2/n1/b1/r1/p",
     kHosts,
     {"f host n1:8"},
     "n2:8",
     "n1=8 n2=0",
     ""},
    {"PodsRunElsewhere", kTwo, kHosts, {"f host b:8"}, "a:8", "a=0 b=0", "Elsewhere() a 8"},
    {"HalfOfThePodsRunElsewhere",
     kTwo,
     kHosts,
     {"f host a:4 b:4"},
     "a:8",
     "a=0 b=4",
     "Elsewhere() a 4"},
    {"PodsOfALostFlavorRunElsewhere",
     kTwo,
     kHosts,
     {"gone host b:2"},
     "a:2",
     "a=6 b=6",
     "OtherFlavor(gone) b 2; Elsewhere() a 2"},
    {"TheHostIsGoneAndPodsRunElsewhere",
     kTwo,
     kHosts,
     {"f host gone:8"},
     "a:8",
     "a=0 b=8",
     "NoNode(f) gone 8; Elsewhere() a 8"},
    {"PodsOnNodesThatAreNotInTheInput", kTwo, kHosts, {"f host a:4"}, "x:4", "a=4 b=8", ""},
    {"OneOfTwoPodSetsLostItsFlavor",
     kTwo,
     kHosts,
     {"gone host a:3", "f host b:5"},
     "a:3 b:5",
     "a=5 b=3",
     "OtherFlavor(gone) a 3"},
    {"PodSetsOnOneNode",
     kTwo,
     kHosts,
     {"f host a:3", "f host a:2"},
     "a:6",
     "a=2 b=8",
     "Elsewhere() a 1"},
    {"APodSetWithoutDomainsIsCountedWhereItRuns",
     kTwo,
     kHosts,
     {"f host a:3", "f - x:2"},
     "a:3 b:2",
     "a=5 b=6",
     ""},
    {"HostsSeeThePodsOfRacks",
     kTwo,
     "f:block,rack:p fh:host:p",
     {"f block,rack b1/r1:8"},
     "b:8",
     "a=8 a+b=8 b=0",
     ""},
    {"HostsDoNotSeeUnboundPodsOfRacks",
     kTwo,
     "f:block,rack:p fh:host:p",
     {"f block,rack b1/r1:8"},
     "",
     "a=8 a+b=8 b=8",
     ""},
};

class Admissions : public testing::TestWithParam<AdmissionScene> {};

TEST_P(Admissions, AreBookedByWhatTheyCarry) {
  const auto inventory = std::make_shared<const Inventory>(inventory_of(GetParam()));
  EngineOptions options;
  const PlannerState planner(std::make_shared<const Definitions>(inventory), options);
  EXPECT_EQ(free_text(planner.worlds().current()), GetParam().free);
  EXPECT_EQ(told_text(planner.accounting()), GetParam().told);
}

/// A live engine hears of the pods one by one, in both directions.
TEST_P(Admissions, FollowTheirPods) {
  const Inventory all = inventory_of(GetParam());
  auto without = std::make_shared<Inventory>(all);
  without->pods.clear();
  EngineOptions options;
  options.live = true;
  const auto definitions =
      std::make_shared<const Definitions>(std::shared_ptr<const Inventory>(without));
  LocalEngine engine(definitions, options, {});
  const std::string before = free_text(engine.planner().worlds().current());
  for (const PodRecord& pod : all.pods) {
    engine.submit(std::vector<Input>{PodUpdate{pod}});
    engine.settle();
  }
  EXPECT_EQ(free_text(engine.planner().worlds().current()), GetParam().free);
  for (const PodRecord& pod : all.pods) {
    engine.submit(std::vector<Input>{PodDelete{pod.namespace_name, pod.name}});
    engine.settle();
  }
  EXPECT_EQ(free_text(engine.planner().worlds().current()), before);
}
INSTANTIATE_TEST_SUITE_P(Cases, Admissions, testing::ValuesIn(kCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(AdmissionsInKueuesRule, AnnotatedPodsAreNoUseWhereverTheyRun) {
  Inventory inventory = inventory_of({"", kTwo, kHosts, {"f host b:8"}, "a:8", "", ""});
  EngineOptions options;
  options.profile.pod_usage = config::PodUsage::kKueueNonTas;
  for (const bool annotated : {true, false}) {
    for (PodRecord& pod : inventory.pods) pod.tas_annotated = annotated;
    const PlannerState planner(
        std::make_shared<const Definitions>(std::make_shared<const Inventory>(inventory)), options);
    EXPECT_EQ(free_text(planner.worlds().current()), annotated ? "a=8 b=0" : "a=0 b=0");
    EXPECT_EQ(told_text(planner.accounting()), "");
  }
}

TEST(AdmissionsOfOddPods, APodThatAsksForMoreThanItsPodSetStillTakesItsSeat) {
  Inventory inventory = inventory_of({"", kTwo, kHosts, {"f host a:2"}, "a:2", "", ""});
  inventory.pods[1].request.set(topology::gpu_resource(), 3);
  const PlannerState planner(
      std::make_shared<const Definitions>(std::make_shared<const Inventory>(inventory)), {});
  EXPECT_EQ(free_text(planner.worlds().current()), "a=6 b=8");
}

TEST(AdmissionsOfOddPods, APodOfAnotherPodSetTakesNoSeatOfThisOne) {
  Inventory inventory =
      inventory_of({"", kTwo, kHosts, {"f host a:1", "f host b:1"}, "a:1", "", ""});
  Workload& workload = inventory.workloads.front();
  workload.gang.pod_sets[1].request.set(topology::gpu_resource(), 3);
  inventory.pods[0].request.set(topology::gpu_resource(), 3);
  const PlannerState planner(
      std::make_shared<const Definitions>(std::make_shared<const Inventory>(inventory)), {});
  EXPECT_EQ(free_text(planner.worlds().current()), "a=4 b=5");
  EXPECT_EQ(told_text(planner.accounting()), "Elsewhere() a 1");
}

TEST(AdmissionsOfALostQueue, HoldTheirNodesAndNoQuota) {
  Inventory inventory = inventory_of({"", kTwo, kHosts, {"f host a:8"}, "", "", ""});
  inventory.workloads.front().queue = "lost";
  inventory.workloads.front().status.admission->cluster_queue = "lost";
  const PlannerState planner(
      std::make_shared<const Definitions>(std::make_shared<const Inventory>(inventory)), {});
  const Books& books = planner.worlds().current();
  EXPECT_EQ(free_text(books), "a=0 b=8");
  EXPECT_TRUE(books.held().begin()->second.quota.empty());
}

}  // namespace
}  // namespace tessera::core
