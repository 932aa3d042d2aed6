// SPDX-License-Identifier: Apache-2.0
// An admission is booked by what it carries, whatever became of its flavor, topology or labels; its
// bound pods are counted once, and where they run.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>

#include "actors/engine/local_engine.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;

const Symbol kGpu("nvidia.com/gpu"), kPool("pool");

std::vector<std::string> words(const std::string& text, char separator = ' ') {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);) {
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

Symbol label_of(const std::string& level) {
  return Symbol(level == "block"  ? test::kBlock
                : level == "rack" ? test::kRack
                : level == "host" ? test::kHost
                                  : level);
}

topology::TopologySpec topology_of(const std::string& name, const std::string& levels) {
  topology::TopologySpec spec;
  spec.name = name;
  for (const std::string& level : words(levels, ','))
    spec.levels.push_back({label_of(level), "", ""});
  return spec;
}

/// An assignment of pods of one GPU: "flavor levels domain:pods domain:pods".
PodSetAssignment assignment_of(const std::string& name, const std::string& text) {
  const std::vector<std::string> parts = words(text);
  PodSetAssignment assignment;
  assignment.name = name;
  if (parts[0] != "-") assignment.flavors = {{"nvidia.com/gpu", parts[0]}};
  for (const std::string& level : words(parts[1], ',')) {
    if (level != "-") assignment.levels.push_back(label_of(level));
  }
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const std::vector<std::string> domain = words(parts[i], ':');
    std::vector<Symbol> values;
    for (const std::string& value : words(domain[0], '/')) values.emplace_back(value);
    const std::int64_t pods = std::stoll(domain[1]);
    assignment.count += pods;
    if (!assignment.levels.empty()) assignment.domains.add(values, pods);
  }
  return assignment;
}

struct Case {
  const char* name;
  const char* nodes;    // "name/hostname/block/rack/pool", 8 GPUs each; "-": no such label
  const char* flavors;  // "name:levels:pool"
  std::vector<const char*> assignments;  // of one pod set each
  const char* pods;                      // bound pods of the workload: "node:pods" of one GPU
  const char* free;                      // what each leaf has, see free_text()
  const char* told;                      // "Kind places pods", joined by "; "

  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

constexpr const char* kTwo = "a/a/b1/r1/p b/b/b1/r1/p";
constexpr const char* kOne = "a/a/b1/r1/p";
constexpr const char* kHosts = "f:block,rack,host:p";

const Case kCases[] = {
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

const char* name_of(Mismatch::Kind kind) {
  const char* const names[] = {"NoNode", "OtherFlavor", "NoHost", "Elsewhere"};
  return names[static_cast<int>(kind)];
}

Inventory inventory_of(const Case& c) {
  ClusterBuilder builder;
  for (const std::string& text : words(c.nodes)) {
    const std::vector<std::string> parts = words(text, '/');
    builder.hosts("b/r/" + parts[0] + ":8");
    topology::Labels labels;
    const char* const keys[] = {test::kHost, test::kBlock, test::kRack, "pool"};
    for (std::size_t i = 0; i < 4; ++i) {
      if (parts[i + 1] != "-") labels.set(Symbol(keys[i]), Symbol(parts[i + 1]));
    }
    builder.node(parts[0]).labels = labels;
  }
  std::vector<topology::TopologySpec> topologies;
  std::vector<std::string> flavors;
  for (const std::string& text : words(c.flavors)) {
    const std::vector<std::string> parts = words(text, ':');
    const bool aware = parts[1] != "-";
    builder.flavor(parts[0], aware ? parts[1] : "");
    builder.flavor_record(parts[0]).node_labels = {{kPool, Symbol(parts[2])}};
    if (aware) topologies.push_back(topology_of(parts[1], parts[1]));
    flavors.push_back(parts[0]);
  }
  builder.queue("q", flavors, 1000);
  Workload& workload = builder.admitted("old", test::pods("0", 1, 1), "a:1", "f");
  workload.gang.pod_sets.clear();
  workload.quota_requests.clear();
  workload.status.admission->pod_sets.clear();
  for (std::size_t i = 0; i < c.assignments.size(); ++i) {
    const std::string name = std::to_string(i);
    const PodSetAssignment assignment = assignment_of(name, c.assignments[i]);
    workload.gang.pod_sets.push_back(test::pods(name, assignment.count, 1));
    workload.quota_requests.push_back(workload.gang.pod_sets.back().request);
    workload.status.admission->pod_sets.push_back(assignment);
  }
  int number = 0;
  for (const std::string& text : words(c.pods)) {
    const std::vector<std::string> parts = words(text, ':');
    for (int i = 0; i < std::stoi(parts[1]); ++i) {
      builder.bound_pod("p" + std::to_string(number++), parts[0], 1).workload = "ns/old";
    }
  }
  Inventory inventory = builder.build();
  inventory.topologies = topologies;
  return inventory;
}

/// "a=4 a+b=12 x=-": what each leaf has, by the names of its nodes. Of leaves of the same nodes:
/// the fewest.
std::string free_text(const Books& books) {
  std::map<std::string, std::int64_t> free;
  const topology::CellMap& cells = books.capacity().cells();
  const auto name = [&](topology::NodeId node) {
    return books.cluster().nodes()[topology::index(node)].name.str();
  };
  for (std::uint32_t c = 0; c < cells.cell_count(); ++c) {
    std::string names;
    for (const topology::NodeId node : cells.nodes(topology::CellId{c})) {
      names += (names.empty() ? "" : "+") + name(node);
    }
    if (names.empty()) continue;
    const std::int64_t amount =
        books.capacity().amount(topology::Basis::kFree, kGpu, topology::CellId{c});
    const auto at = free.try_emplace(names, amount).first;
    at->second = std::min(at->second, amount);
  }
  std::string text;
  for (const auto& [names, amount] : free) {
    text += (text.empty() ? "" : " ") + names + "=" + std::to_string(amount);
  }
  return text;
}

std::string told_text(const Accounting& accounting) {
  std::string text;
  for (const Mismatch& told : accounting.mismatches) {
    text += (text.empty() ? "" : "; ") + std::string(name_of(told.kind)) + "(" + told.flavor.str() +
            ")";
    for (const std::string& place : told.places) text += " " + place;
    text += " " + std::to_string(told.pods);
  }
  return text;
}

class Admissions : public testing::TestWithParam<Case> {};

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
  inventory.pods[1].request.set(kGpu, 3);
  const PlannerState planner(
      std::make_shared<const Definitions>(std::make_shared<const Inventory>(inventory)), {});
  EXPECT_EQ(free_text(planner.worlds().current()), "a=6 b=8");
}

TEST(AdmissionsOfOddPods, APodOfAnotherPodSetTakesNoSeatOfThisOne) {
  Inventory inventory =
      inventory_of({"", kTwo, kHosts, {"f host a:1", "f host b:1"}, "a:1", "", ""});
  Workload& workload = inventory.workloads.front();
  workload.gang.pod_sets[1].request.set(kGpu, 3);
  inventory.pods[0].request.set(kGpu, 3);
  const PlannerState planner(
      std::make_shared<const Definitions>(std::make_shared<const Inventory>(inventory)), {});
  EXPECT_EQ(free_text(planner.worlds().current()), "a=4 b=5");
  EXPECT_EQ(told_text(planner.accounting()), "Elsewhere() a 1");
}

}  // namespace
}  // namespace tessera::core
