// SPDX-License-Identifier: Apache-2.0
// What a refusal is called, and the evidence and remedies that go with it (ux.md rule 3).
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
using test::preferred;
using test::required;
using test::schedule;
using topology::Symbol;

/// The refusal of workload "w", which is planned alone, and its evidence.
struct Explained {
  explicit Explained(const ClusterBuilder& builder, Depth depth = Depth::kRemedies)
      : inventory(builder.build()), engine(inventory, {}) {
    decision = engine.run({test::find(inventory, "w")}).front();
    evidence = engine.explain(decision, depth);
  }

  std::string verdict() const {
    return std::string(outcome_name(decision.outcome)) + " " +
           std::string(reason_name(decision.reason));
  }
  /// "rack 4/1 b/r1 (4)": need/have, best domain, what the healthiest would hold.
  std::vector<std::string> levels() const {
    const topology::DomainTree& tree = engine.view(evidence.flavor, evidence.open)->tree();
    std::vector<std::string> lines;
    for (const LevelEvidence& level : evidence.levels) {
      const auto& name = tree.topology().levels[static_cast<std::size_t>(level.level)].alias;
      lines.push_back(name + " " + std::to_string(level.need) + "/" + std::to_string(level.have) +
                      " " + (level.best ? tree.path_text(*level.best) : "all") + " (" +
                      std::to_string(level.healthy_have) + ")");
    }
    return lines;
  }
  static std::vector<std::string> causes(const std::vector<NodeCause>& causes) {
    std::vector<std::string> lines;
    for (const NodeCause& cause : causes) {
      std::string line = cause.text + ":";
      for (const Symbol node : cause.nodes) line += " " + node.str();
      lines.push_back(line);
    }
    return lines;
  }
  std::vector<std::string> blockers() const {
    std::vector<std::string> lines;
    for (const Blocker& blocker : evidence.blockers) {
      lines.push_back(inventory.workloads[*blocker.workload].name + " " +
                      std::to_string(blocker.pods) + " in " +
                      engine.view(evidence.flavor)->tree().path_text(*blocker.domain));
    }
    return lines;
  }
  std::vector<std::string> remedies() const {
    static const char* const kKinds[] = {"finish", "uncordon", "repair",
                                         "relax",  "tolerate", "quota"};
    std::vector<std::string> lines;
    for (const Remedy& remedy : evidence.remedies) {
      std::string line = std::string(kKinds[static_cast<int>(remedy.kind)]) + " " + remedy.subject;
      if (!remedy.enough) {
        line += ": " + std::to_string(remedy.fits) + " of " + std::to_string(remedy.need);
      }
      lines.push_back(line);
    }
    return lines;
  }

  Inventory inventory;
  Engine engine;
  Decision decision;
  Evidence evidence;
};

using Lines = std::vector<std::string>;

ClusterBuilder two_racks() {
  ClusterBuilder builder;
  builder.hosts("b/r1/a1:4 b/r1/a2:4 b/r2/c1:4 b/r2/c2:4");
  return builder;
}

// --- the dominant reason

TEST(Verdict, RunningWorkloadsMakeItWait) {
  ClusterBuilder builder = two_racks();
  builder.admitted("j", pods("main", 1, 4), "a1:1 a2:1 c1:1 c2:1");
  builder.workload("w", {required(pods("main", 1, 4), kRack)});
  EXPECT_EQ(schedule(builder.build()), "w Waits TopologyFit");
}

TEST(Verdict, RoomThatIsSpreadOverDomainsIsFragmented) {
  ClusterBuilder builder = two_racks();
  builder.admitted("j", pods("main", 1, 4), "a1:1 c1:1");
  builder.workload("w", {required(pods("main", 2, 4), kRack)});
  EXPECT_EQ(schedule(builder.build()), "w Waits Fragmented");
}

TEST(Verdict, TooLargeForAnyDomainIsNever) {
  ClusterBuilder builder = two_racks();
  builder.workload("w", {required(pods("main", 3, 4), kRack)});
  EXPECT_EQ(schedule(builder.build()), "w Never TopologyFit");
}

struct BrokenCase {
  const char* name;
  void (*change)(topology::NodeRecord& node);

  friend std::ostream& operator<<(std::ostream& out, const BrokenCase& c) { return out << c.name; }
};
const BrokenCase kBrokenCases[] = {
    {"Cordoned", [](topology::NodeRecord& node) { node.unschedulable = true; }},
    {"NotReady", [](topology::NodeRecord& node) { node.ready = false; }},
    {"DegradedDevices",
     [](topology::NodeRecord& node) { node.allocatable.set(topology::gpu_resource(), 3); }},
    {"NotReadyAndTaintedForIt",
     [](topology::NodeRecord& node) {
       node.ready = false;
       node.taints = {test::taint("node.kubernetes.io/unreachable", "")};
     }},
};
class BrokenNode : public testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenNode, ThatAloneStandsInTheWayIsNodeHealth) {
  ClusterBuilder builder = two_racks();
  GetParam().change(builder.node("a1"));
  GetParam().change(builder.node("c2"));
  builder.workload("w", {required(pods("main", 2, 4), kRack)});
  EXPECT_EQ(schedule(builder.build()), "w Waits NodeHealth");
}
INSTANTIATE_TEST_SUITE_P(Cases, BrokenNode, testing::ValuesIn(kBrokenCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(Verdict, TaintOfEveryNodeIsTheReason) {
  ClusterBuilder builder = two_racks();
  for (const char* host : {"a1", "a2", "c1", "c2"}) {
    builder.node(host).taints = {test::taint("gpu", "present")};
  }
  builder.workload("w", {pods("coordinator", 1, 0), pods("workers", 2, 4)});
  EXPECT_EQ(schedule(builder.build()), "w Never Taint");
}

TEST(Verdict, TaintOfOneNodeIsTheReasonIfItWouldFitWithout) {  // cases.md C073
  for (const std::int64_t count : {2, 3}) {
    ClusterBuilder builder;
    builder.hosts("b/r1/a:4 b/r1/b:4");
    builder.node("a").taints = {test::taint("maint", "yes")};
    builder.workload("w", {required(pods("main", count, 4), kRack)});
    EXPECT_EQ(schedule(builder.build()), count == 2 ? "w Never Taint" : "w Never TopologyFit");
  }
}

TEST(Verdict, SelectorAndAffinityHaveTheirOwnReasons) {
  ClusterBuilder selector = two_racks();
  solver::PodSet pod_set = pods("main", 1, 1);
  pod_set.filter.node_selector = {{Symbol("gen"), Symbol("h100")}};
  selector.workload("w", {pod_set});
  EXPECT_EQ(schedule(selector.build()), "w Never NodeSelector");

  ClusterBuilder affinity = two_racks();
  pod_set.filter.node_selector.clear();
  topology::NodeSelectorTerm term;
  term.expressions = {{Symbol("gen"), topology::LabelOperator::kExists, {}}};
  pod_set.filter.required = {term};
  affinity.workload("w", {pod_set});
  EXPECT_EQ(schedule(affinity.build()), "w Never Affinity");
}

TEST(Verdict, SliceSizeThatDoesNotDivideIsInvalid) {  // cases.md C025
  ClusterBuilder builder = two_racks();
  solver::PodSet pod_set = required(pods("main", 3, 1), kBlock);
  pod_set.topology.layers = {{Symbol(kRack), 2}};
  builder.workload("w", {pod_set});
  EXPECT_EQ(schedule(builder.build()), "w Invalid Invalid");
}

TEST(Verdict, NeverTellsWhatStandsInTheWayAtBest) {
  ClusterBuilder builder = two_racks();
  builder.admitted("j", pods("main", 1, 4), "a1:1 c1:1");
  builder.workload("w", {required(pods("main", 3, 4), kRack)});
  const Explained explained(builder, Depth::kFacts);
  EXPECT_EQ(explained.verdict(), "Never TopologyFit");
  ASSERT_EQ(explained.decision.never_rejections.size(), 1U);
  EXPECT_EQ(explained.decision.rejections[0].refusal->fits, 1);
  EXPECT_EQ(explained.decision.never_rejections[0].refusal->fits, 2);
}

// --- evidence

TEST(Evidence, LevelsFromTheRequestedOneUp) {
  ClusterBuilder builder = two_racks();
  builder.node("a2").unschedulable = true;
  builder.admitted("j", pods("main", 1, 4), "c1:1");
  builder.workload("w", {required(pods("main", 2, 4), kRack)});
  const Explained explained(builder, Depth::kFacts);
  EXPECT_EQ(explained.verdict(), "Waits Fragmented");
  EXPECT_EQ(explained.levels(), (Lines{"rack 2/1 b/r2 (2)", "block 2/2 b (4)"}));
  EXPECT_EQ(explained.evidence.looked_at, 3);
}

TEST(Evidence, SlicesAndPreferenceHaveTheirLevels) {
  ClusterBuilder builder = two_racks();
  builder.admitted("j", pods("main", 1, 4), "a1:1 c1:1");
  solver::PodSet pod_set = preferred(pods("main", 4, 2), kRack);
  pod_set.topology.layers = {{Symbol(kHost), 2}};
  pod_set.count = 8;
  builder.workload("w", {pod_set});
  EXPECT_EQ(Explained(builder, Depth::kFacts).levels(),
            (Lines{"host 2/2 b/r1/a2 (2)", "rack 8/2 b/r1 (4)", "block 8/4 all (8)"}));
}

TEST(Evidence, NodesByCause) {
  ClusterBuilder builder = two_racks();
  builder.node("a1").unschedulable = true;
  builder.node("a2").taints = {test::taint("maint", "yes")};
  topology::Labels only_host;
  only_host.set(Symbol(kHost), Symbol("c2"));
  builder.node("c2").labels = only_host;
  builder.admitted("j", pods("main", 1, 4), "c1:1");
  builder.workload("w", {required(pods("main", 1, 4), kRack)});
  const Explained explained(builder, Depth::kFacts);
  EXPECT_EQ(Explained::causes(explained.evidence.without_room),
            (Lines{"resource nvidia.com/gpu: c1", "taint maint=yes:NoSchedule: a2"}));
  EXPECT_EQ(Explained::causes(explained.evidence.left_out),
            (Lines{"cordoned: a1", "no tessera.test/block: c2"}));
}

TEST(Evidence, BlockersHoldTheBestDomainMostPodsFirst) {
  ClusterBuilder builder = two_racks();
  builder.admitted("elsewhere", pods("main", 1, 1), "a1:4 a2:4");
  builder.admitted("few", pods("main", 1, 1), "c1:1");
  builder.admitted("many", pods("main", 1, 1), "c2:2");
  builder.workload("w", {required(pods("main", 8, 1), kRack)});
  EXPECT_EQ(Explained(builder, Depth::kFacts).blockers(),
            (Lines{"many 2 in b/r2", "few 1 in b/r2"}));
}

TEST(Evidence, QueueMissingHasNone) {
  ClusterBuilder builder = two_racks();
  builder.flavor("f").queue("other", {"f"}, 8);
  builder.workload("w", {pods("main", 1, 1)});
  const Explained explained(builder);
  EXPECT_EQ(explained.verdict(), "Waits QueueMissing");
  EXPECT_TRUE(explained.evidence.levels.empty());
}

/// "workers: 4/3 at 0, nvidia.com/gpu": pod set, need and have, level, resource.
std::string binding_of(const Explained& explained) {
  const Binding& binding = *explained.evidence.binding;
  const Workload& workload = explained.inventory.workloads[explained.decision.workload];
  return workload.gang.pod_sets[binding.pod_set].name + ": " + std::to_string(binding.need) + "/" +
         std::to_string(binding.have) + " at " + std::to_string(binding.level) + ", " +
         binding.resource.str();
}

TEST(Binding, IsAboutTheWorkersBesideTheirLeader) {
  ClusterBuilder builder = two_racks();
  solver::PodSet leader = required(pods("leader", 1, 4), kRack);
  solver::PodSet workers = required(pods("workers", 2, 4), kRack);
  leader.unit = workers.unit = "g";
  builder.workload("w", {leader, workers});
  EXPECT_EQ(binding_of(Explained(builder, Depth::kFacts)), "workers: 2/1 at 0, nvidia.com/gpu");
}

TEST(Binding, CountsWhatEarlierPodSetsLeave) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a1:4 b/r1/a2:4 b/r2/c1:4");
  builder.workload("w", {required(pods("x", 2, 4), kRack), required(pods("y", 2, 2), kRack),
                         required(pods("z", 1, 1), kRack)});
  EXPECT_EQ(binding_of(Explained(builder, Depth::kFacts)), "z: 1/0 at 0, nvidia.com/gpu");
}

TEST(Binding, OfBoundPodsTheirOwnerBlocksUnlessTheyUseOtherThings) {
  ClusterBuilder builder = two_racks();
  for (const char* host : {"a1", "a2", "c1", "c2"})
    builder.bound_pod(std::string("p-") + host, host, 1).owner = "job/old";
  builder.bound_pod("logs", "a1", 0);
  builder.workload("w", {required(pods("main", 2, 4), kRack)});
  const Explained explained(builder);
  ASSERT_EQ(explained.evidence.blockers.size(), 1U);
  EXPECT_EQ(explained.evidence.blockers[0].name, "job/old");
  EXPECT_EQ(explained.evidence.blockers[0].pods, 2);
  EXPECT_EQ(explained.remedies(), (Lines{"finish job/old"}));
}

// --- remedies: each is the answer of a second run

TEST(Remedies, FinishingOneWorkloadThatIsEnough) {
  ClusterBuilder builder = two_racks();
  builder.admitted("j", pods("main", 1, 4), "a1:1 a2:1 c1:1 c2:1");
  builder.workload("w", {required(pods("main", 2, 4), kRack)});
  EXPECT_EQ(Explained(builder).remedies(), (Lines{"finish job/j"}));
}

TEST(Remedies, FinishingAllWhenNoSingleOneIsEnough) {
  ClusterBuilder builder = two_racks();
  builder.admitted("j1", pods("main", 1, 4), "a1:1");
  builder.admitted("j2", pods("main", 1, 4), "a2:1");
  builder.admitted("j3", pods("main", 1, 2), "c1:2 c2:2");
  builder.workload("w", {required(pods("main", 2, 4), kRack)});
  const Explained explained(builder);
  EXPECT_EQ(explained.remedies(),
            (Lines{"finish job/j1: 1 of 2", "finish job/j2: 1 of 2", "finish job/j1 and job/j2"}));
}

TEST(Remedies, UncordonThatGetsFurtherButIsNotEnough) {
  ClusterBuilder builder = two_racks();
  builder.node("a1").unschedulable = true;
  builder.admitted("j", pods("main", 1, 4), "a2:1 c1:1 c2:1");
  builder.workload("w", {required(pods("main", 2, 4), kRack)});
  EXPECT_EQ(Explained(builder).remedies(), (Lines{"finish job/j", "uncordon a1: 1 of 2"}));
}

TEST(Remedies, RepairingANode) {
  ClusterBuilder builder = two_racks();
  builder.node("a1").ready = false;
  builder.node("c1").allocatable.set(topology::gpu_resource(), 3);
  builder.workload("w", {required(pods("main", 2, 4), kRack)});
  const Explained explained(builder);
  EXPECT_EQ(explained.verdict(), "Waits NodeHealth");
  EXPECT_EQ(explained.remedies(), (Lines{"repair a1", "repair c1", "relax tessera.test/rack"}));
}

TEST(Remedies, RepairedNodeKeepsWhatIsHeldElsewhere) {
  ClusterBuilder builder = two_racks();
  builder.node("a1").ready = false;
  builder.admitted("j", pods("main", 1, 4), "a2:1 c1:1");
  builder.workload("w", {required(pods("main", 2, 4), kBlock)});
  EXPECT_EQ(Explained(builder).remedies(), (Lines{"finish job/j", "repair a1"}));
}

TEST(Remedies, RelaxingTheLevel) {
  ClusterBuilder builder = two_racks();
  builder.workload("w", {required(pods("main", 3, 4), kRack)});
  EXPECT_EQ(Explained(builder).remedies(), (Lines{"relax tessera.test/rack"}));
}

TEST(Remedies, TolerationForATaint) {
  ClusterBuilder builder = two_racks();
  for (const char* host : {"a1", "c1"}) builder.node(host).taints = {test::taint("maint", "yes")};
  builder.workload("w", {required(pods("main", 2, 4), kRack)});
  const Explained explained(builder);
  EXPECT_EQ(explained.verdict(), "Never Taint");
  EXPECT_EQ(explained.remedies(),
            (Lines{"relax tessera.test/rack", "tolerate maint=yes:NoSchedule"}));
}

TEST(Remedies, TolerationsForNodesWithTwoTaints) {
  ClusterBuilder builder = two_racks();
  for (const char* host : {"a1", "a2", "c1", "c2"}) {
    builder.node(host).taints = {test::taint("gpu", "present"), test::taint("arch", "arm64")};
  }
  builder.workload("w", {pods("main", 2, 4)});
  const Explained explained(builder);
  EXPECT_EQ(explained.verdict(), "Never Taint");
  EXPECT_EQ(explained.remedies(),
            (Lines{"tolerate gpu=present:NoSchedule and arch=arm64:NoSchedule"}));
}

TEST(Remedies, QuotaAndWhoHoldsIt) {
  ClusterBuilder builder = two_racks();
  builder.flavor("f").queue("q", {"f"}, 8);
  builder.admitted("j1", pods("main", 1, 1), "a1:2", "f");
  builder.admitted("j2", pods("main", 1, 1), "c1:4", "f");
  builder.workload("w", {pods("main", 5, 1)});
  const Explained explained(builder);
  EXPECT_EQ(explained.verdict(), "Waits Quota");
  EXPECT_EQ(explained.remedies(), (Lines{"finish job/j2", "quota nvidia.com/gpu in flavor f"}));
}

TEST(Remedies, ChangeNothing) {
  ClusterBuilder builder = two_racks();
  builder.node("a1").ready = false;
  builder.admitted("j", pods("main", 1, 4), "a2:1 c1:1 c2:1");
  builder.workload("w", {required(pods("main", 2, 4), kRack)});
  Explained explained(builder);
  const std::size_t holdings = explained.engine.holdings().size();
  const Lines first = explained.remedies();
  explained.evidence = explained.engine.explain(explained.decision, Depth::kRemedies);
  EXPECT_EQ(explained.remedies(), first);
  EXPECT_EQ(explained.engine.holdings().size(), holdings);
}

}  // namespace
}  // namespace tessera::core
