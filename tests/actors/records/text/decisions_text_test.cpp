// SPDX-License-Identifier: Apache-2.0
// The text of a cycle's decisions: it shows everything that was decided and nothing else, and no
// two fields run together.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <ostream>

#include "actors/records/text/record_text.h"

namespace tessera::core {
namespace {

std::shared_ptr<const Workload> named(const std::string& name) {
  auto workload = std::make_shared<Workload>();
  workload->namespace_name = "ns";
  workload->name = name;
  return workload;
}

struct DomainCase {
  const char *rack, *host;
  std::int64_t pods;
};
DomainList domains(const std::vector<DomainCase>& cases) {
  DomainList list;
  for (const DomainCase& each : cases) {
    list.add(std::vector{Symbol(each.rack), Symbol(each.host)}, each.pods);
  }
  return list;
}

Admitted admitted() {
  PodSetAssignment pod_set;
  pod_set.name = "main";
  pod_set.count = 3;
  pod_set.flavors = {{"cpu", "f"}, {"nvidia.com/gpu", "f"}};
  pod_set.usage = {{topology::cpu_resource(), 1'000}, {topology::gpu_resource(), 3}};
  pod_set.levels = {Symbol("rack"), Symbol("host")};
  pod_set.domains = domains({{"r1", "h1", 1}, {"r1", "h2", 2}});
  return {GangId{7},
          named("a"),
          std::make_shared<const Admission>(Admission{"q", {pod_set}}),
          {"check"}};
}

RefusedWorkload refused() {
  RefusedWorkload refused;
  refused.gang = GangId{8};
  refused.workload = named("b");
  refused.cluster_queue = "q";
  refused.detail = "detail";
  refused.attempt.uncovered = Symbol("memory");
  FlavorRejection rejection;
  rejection.kind = FlavorRejection::Kind::kPlacement;
  rejection.flavor = "f";
  rejection.taint = {Symbol("key"), Symbol("value"), topology::TaintEffect::kNoSchedule};
  solver::Refusal refusal;
  refusal.layers = {{Symbol("rack"), 1, 2}};
  refusal.causes = {{solver::CauseCount::Kind::kResource, "cpu", 4}};
  rejection.refusal = refusal;
  refused.attempt.rejections = {rejection};
  refused.round = RoundOutcome{2, false, false, Severity::kQuota};
  return refused;
}

CycleRecord record() {
  CycleRecord record;
  record.cycle = 5;
  record.now = 100;
  record.first_input = 10;
  record.planned = 2;
  record.finished = {GangId{1}, GangId{2}};
  record.evicted = {GangId{3}};
  record.admitted = {admitted()};
  record.refused = {refused()};
  record.changes = {{LifeChange::Kind::kEvicting, GangId{4}, EvictionReason::kNodeFailures, 9, 2}};
  return record;
}

std::string decision_lines(const CycleRecord& record) {
  std::string text;
  append_decisions_text(record, text);
  return text;
}

struct Edit {
  const char* name;
  std::function<void(CycleRecord&)> edit;

  friend std::ostream& operator<<(std::ostream& out, const Edit& e) { return out << e.name; }
};

/// A copy in its place that may be changed.
Admission& admission(CycleRecord& r) {
  auto copy = std::make_shared<Admission>(*r.admitted[0].admission);
  r.admitted[0].admission = copy;
  return *copy;
}
PodSetAssignment& pod_set(CycleRecord& r) { return admission(r).pod_sets[0]; }
FlavorRejection& rejection(CycleRecord& r) { return r.refused[0].attempt.rejections[0]; }
solver::Refusal& refusal(CycleRecord& r) { return *rejection(r).refusal; }

const Edit kDecided[] = {
    {"Cycle", [](CycleRecord& r) { r.cycle = 6; }},
    {"Now", [](CycleRecord& r) { r.now = 101; }},
    {"FirstInput", [](CycleRecord& r) { r.first_input = 9; }},
    {"Planned", [](CycleRecord& r) { r.planned = 3; }},
    {"Recovers", [](CycleRecord& r) { r.recovers = true; }},
    {"Finished", [](CycleRecord& r) { r.finished = {GangId{1}}; }},
    {"EvictedInsteadOfFinished",
     [](CycleRecord& r) {
       r.finished = {GangId{1}};
       r.evicted = {GangId{2}, GangId{3}};
     }},
    {"NoChange", [](CycleRecord& r) { r.changes.clear(); }},
    {"ChangeKind", [](CycleRecord& r) { r.changes[0].kind = LifeChange::Kind::kSuspended; }},
    {"ChangedNumber", [](CycleRecord& r) { r.changes[0].gang = GangId{5}; }},
    {"EvictionReason", [](CycleRecord& r) { r.changes[0].reason = EvictionReason::kRequested; }},
    {"RequeueAt", [](CycleRecord& r) { r.changes[0].requeue_at = 10; }},
    {"Requeues", [](CycleRecord& r) { r.changes[0].requeues = 3; }},
    {"ChangedTwice", [](CycleRecord& r) { r.changes.push_back(r.changes[0]); }},
    {"NobodyAdmitted", [](CycleRecord& r) { r.admitted.clear(); }},
    {"NobodyRefused", [](CycleRecord& r) { r.refused.clear(); }},
    {"Number", [](CycleRecord& r) { r.admitted[0].gang = GangId{70}; }},
    {"ClusterQueue", [](CycleRecord& r) { admission(r).cluster_queue = "p"; }},
    {"Check", [](CycleRecord& r) { r.admitted[0].waits_for_checks = {"other"}; }},
    {"ChecksRunTogether",
     [](CycleRecord& r) {
       r.admitted[0].waits_for_checks = {"che", "ck"};
     }},
    {"PodSetName", [](CycleRecord& r) { pod_set(r).name = "other"; }},
    {"Count", [](CycleRecord& r) { pod_set(r).count = 4; }},
    {"Flavor", [](CycleRecord& r) { pod_set(r).flavors.set(Symbol("cpu"), Symbol("g")); }},
    {"NoFlavor",
     [](CycleRecord& r) {
       pod_set(r).flavors = {{"nvidia.com/gpu", "f"}};
     }},
    {"Usage", [](CycleRecord& r) { pod_set(r).usage.set(topology::gpu_resource(), 4); }},
    {"Level",
     [](CycleRecord& r) {
       pod_set(r).levels = {Symbol("block"), Symbol("host")};
     }},
    {"Domain",
     [](CycleRecord& r) {
       pod_set(r).domains = domains({{"r1", "h3", 1}, {"r1", "h2", 2}});
     }},
    {"DomainsRunTogether",
     [](CycleRecord& r) {
       pod_set(r).domains = domains({{"r1h", "1", 1}, {"r1", "h2", 2}});
     }},
    {"Pods",
     [](CycleRecord& r) {
       pod_set(r).domains = domains({{"r1", "h1", 2}, {"r1", "h2", 2}});
     }},
    {"OneDomainLess",
     [](CycleRecord& r) {
       pod_set(r).domains = domains({{"r1", "h1", 1}});
     }},

    {"RefusedNumber", [](CycleRecord& r) { r.refused[0].gang = GangId{9}; }},
    {"RefusedQueue", [](CycleRecord& r) { r.refused[0].cluster_queue = "p"; }},
    {"PlacedBefore", [](CycleRecord& r) { r.refused[0].placed_before = 1; }},
    {"Reason", [](CycleRecord& r) { r.refused[0].reason = Reason::kQuota; }},
    {"Detail", [](CycleRecord& r) { r.refused[0].detail = "details"; }},
    {"FailedPodSet", [](CycleRecord& r) { r.refused[0].attempt.failed_pod_set = 1; }},
    {"Uncovered", [](CycleRecord& r) { r.refused[0].attempt.uncovered = Symbol("disk"); }},
    {"NothingUncovered", [](CycleRecord& r) { r.refused[0].attempt.uncovered.reset(); }},
    {"NoRound", [](CycleRecord& r) { r.refused[0].round.reset(); }},
    {"ARoundInsteadOfAResource",  // without marks both would end in "1 0 "
     [](CycleRecord& r) {
       r.refused[0].attempt.uncovered.reset();
       r.refused[0].round = RoundOutcome{1, false, false, {}};
     }},
    {"AResourceInsteadOfARound",
     [](CycleRecord& r) {
       r.refused[0].attempt.uncovered = Symbol("0");
       r.refused[0].round.reset();
     }},
    {"Round", [](CycleRecord& r) { r.refused[0].round->round = 3; }},
    {"Inadmissible", [](CycleRecord& r) { r.refused[0].round->inadmissible = true; }},
    {"Lost", [](CycleRecord& r) { r.refused[0].round->lost = true; }},
    {"Severity", [](CycleRecord& r) { r.refused[0].round->severity = Severity::kFlavor; }},
    {"NoSeverity", [](CycleRecord& r) { r.refused[0].round->severity.reset(); }},
    {"Kind", [](CycleRecord& r) { rejection(r).kind = FlavorRejection::Kind::kTaint; }},
    {"RejectedPodSet", [](CycleRecord& r) { rejection(r).pod_set = 1; }},
    {"RejectedFlavor", [](CycleRecord& r) { rejection(r).flavor = "g"; }},
    {"RejectedLevel", [](CycleRecord& r) { rejection(r).level = Symbol("rack"); }},
    {"RejectedResource", [](CycleRecord& r) { rejection(r).resource = Symbol("cpu"); }},
    {"Taint", [](CycleRecord& r) { rejection(r).taint.value = Symbol("other"); }},
    {"Previous", [](CycleRecord& r) { rejection(r).previous = 1; }},
    {"Request", [](CycleRecord& r) { rejection(r).request = 1; }},
    {"Limit", [](CycleRecord& r) { rejection(r).limit = 1; }},
    {"Missing", [](CycleRecord& r) { rejection(r).missing = 1; }},
    {"LimitingQueue", [](CycleRecord& r) { rejection(r).limiting_queue = "top"; }},
    {"Used", [](CycleRecord& r) { rejection(r).used = 1; }},
    {"NoRefusal", [](CycleRecord& r) { rejection(r).refusal.reset(); }},
    {"Obstacle", [](CycleRecord& r) { refusal(r).obstacle = solver::Obstacle::kSomeFit; }},
    {"Need", [](CycleRecord& r) { refusal(r).need = 1; }},
    {"Fits", [](CycleRecord& r) { refusal(r).fits = 1; }},
    {"SliceSize", [](CycleRecord& r) { refusal(r).slice_size = 2; }},
    {"SearchedLevel", [](CycleRecord& r) { refusal(r).level = 1; }},
    {"LevelA", [](CycleRecord& r) { refusal(r).level_a = Symbol("rack"); }},
    {"LevelB", [](CycleRecord& r) { refusal(r).level_b = Symbol("rack"); }},
    {"SizeA", [](CycleRecord& r) { refusal(r).size_a = 1; }},
    {"SizeB", [](CycleRecord& r) { refusal(r).size_b = 1; }},
    {"LayerLevel", [](CycleRecord& r) { refusal(r).layers[0].level = Symbol("host"); }},
    {"LayerFits", [](CycleRecord& r) { refusal(r).layers[0].fits = 2; }},
    {"LayerNeed", [](CycleRecord& r) { refusal(r).layers[0].need = 3; }},
    {"NoLayer", [](CycleRecord& r) { refusal(r).layers.clear(); }},
    {"Leaves", [](CycleRecord& r) { refusal(r).leaves = 1; }},
    {"CauseKind",
     [](CycleRecord& r) { refusal(r).causes[0].kind = solver::CauseCount::Kind::kTaint; }},
    {"CauseDetail", [](CycleRecord& r) { refusal(r).causes[0].detail = "memory"; }},
    {"CauseLeaves", [](CycleRecord& r) { refusal(r).causes[0].leaves = 5; }},
    {"NoCause", [](CycleRecord& r) { refusal(r).causes.clear(); }},
};

TEST(DecisionsText, NoTwoDecisionsHaveOneText) {
  std::map<std::string, const char*> texts = {{decision_lines(record()), "as it is"}};
  for (const Edit& edit : kDecided) {
    CycleRecord edited = record();
    edit.edit(edited);
    const auto [at, added] = texts.emplace(decision_lines(edited), edit.name);
    EXPECT_TRUE(added) << edit.name << " reads as " << at->second;
  }
}

const Edit kMeasured[] = {
    {"Nanoseconds", [](CycleRecord& r) { r.refused[0].nanoseconds = 5; }},
    {"Hash", [](CycleRecord& r) { r.hash[0] = 1; }},
    {"StepsOfTheRefusal", [](CycleRecord& r) { refusal(r).steps = 5; }},
    {"Inputs", [](CycleRecord& r) { r.inputs = {Finish{GangId{1}}}; }},
    {"WorkloadOfAnAdmittedGang", [](CycleRecord& r) { r.admitted[0].workload = nullptr; }},
    {"WorkloadOfARefusedGang", [](CycleRecord& r) { r.refused[0].workload = nullptr; }},
};

class Measured : public testing::TestWithParam<Edit> {};
TEST_P(Measured, IsNotInTheText) {
  CycleRecord edited = record();
  GetParam().edit(edited);
  EXPECT_EQ(decision_lines(edited), decision_lines(record()));
}
INSTANTIATE_TEST_SUITE_P(DecisionsText, Measured, testing::ValuesIn(kMeasured),
                         [](const auto& c) { return c.param.name; });

/// Ids of symbols grow as they are interned: the later name is the smaller one here.
TEST(DecisionsText, ResourcesComeInByteOrderWhateverTheirIds) {
  const Symbol early("canonical.test/z"), late("canonical.test/a");
  ASSERT_LT(early.id(), late.id());
  CycleRecord one = record(), two = record();
  pod_set(one).usage = {{early, 1}, {late, 2}};
  pod_set(two).usage = {{late, 2}, {early, 1}};
  EXPECT_EQ(decision_lines(one), decision_lines(two));
  EXPECT_LT(decision_lines(one).find(late.view()), decision_lines(one).find(early.view()));
}

TEST(DecisionsText, IsThisText) {
  CycleRecord record;
  record.cycle = 5;
  record.now = 100;
  record.first_input = 1;
  record.planned = 1;
  record.admitted = {admitted()};
  EXPECT_EQ(decision_lines(record),
            R"({"admitted":[{"admission":{"clusterQueue":"q","podSets":[{"count":3,)"
            R"("domains":[["r1","h1",1],["r1","h2",2]],"flavors":{"cpu":"f","nvidia.com/gpu":"f"},)"
            R"("levels":["rack","host"],"name":"main","usage":{"cpu":1000,"nvidia.com/gpu":3}}]},)"
            R"("gang":7,"waitsForChecks":["check"]}],"cycle":5,"firstInput":1,"now":100,)"
            R"("planned":1,"v":1})");
}

}  // namespace
}  // namespace tessera::core
