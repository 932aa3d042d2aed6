// SPDX-License-Identifier: Apache-2.0
// One evaluation of a head in Kueue's rounds, without the round around it (queues.md 2 step 2, 7.4,
// 8, 10.3).
#include "actors/planner/nomination.h"

#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "tests/support/flavor_scene.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::FlavorScene;
using test::kRack;
using test::pods;
using test::required;
using topology::Symbol;
using Kind = FlavorRejection::Kind;

std::string mode_text(const Nomination& nomination) {
  switch (nomination.mode) {
    case Mode::kNoFit:
      return "NoFit";
    case Mode::kPreempt:
      return "Preempt";
    case Mode::kFit:
      return "Fit";
  }
  return "";
}

std::string severity_text(std::optional<Severity> severity) {
  if (!severity) return "none";
  switch (*severity) {
    case Severity::kTopologyPlacement:
      return "placement";
    case Severity::kQuota:
      return "quota";
    case Severity::kMaximum:
      return "maximum";
    case Severity::kFlavor:
      return "flavor";
  }
  return "";
}

/// "Fit nvidia.com/gpu=f1", "Preempt nvidia.com/gpu=f1", "NoFit maximum".
std::string text(const FlavorScene& scene, const Nomination& nomination) {
  const std::string mode = mode_text(nomination) + " ";
  if (nomination.mode == Mode::kNoFit) return mode + severity_text(nomination.severity);
  return mode + scene.text(nomination.choice);
}

/// Nominates workload w of a scene.
struct Nominating : FlavorScene {
  explicit Nominating(const ClusterBuilder& builder, const config::Profile& profile = {})
      : FlavorScene(builder),
        planner(flavors(), {}, profile),
        nominator(planner, flavors(), QuotaRule::kAvailable) {}

  Nomination nominate(const ScanRecord& from = {}) {
    return nominator.nominate(workload(), queue(), books(), from);
  }

  Planner planner;
  Nominator nominator;
};

/// f1 has host a with 4 GPUs, f2 host c with 8; queue q owns 4 of f1 and 8 of f2, and borrows 4 of
/// f2 from queue other.
ClusterBuilder pools_of_cohort() {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4 b/r3/c:8").flavor("f1").flavor("f2");
  for (const auto& [host, flavor] : {std::pair("a", "f1"), std::pair("c", "f2")}) {
    builder.node(host).labels.set(Symbol("pool"), Symbol(flavor));
    builder.flavor_record(flavor).node_labels = {{Symbol("pool"), Symbol(flavor)}};
  }
  builder.queue("other", {"f2"}, 4, "co");
  return builder;
}
ClusterQueueRecord& add_queue(ClusterBuilder& builder) {
  ClusterQueueRecord& queue = builder.queue("q", {"f1", "f2"}, 8, "co");
  queue.groups[0].flavors[0].resources[1].nominal = 4;
  return queue;
}

using Change = void (*)(ClusterBuilder&, ClusterQueueRecord&);
void as_it_is(ClusterBuilder&, ClusterQueueRecord&) {}
void own_quota_in_use(ClusterBuilder& builder, ClusterQueueRecord& queue) {
  queue.groups[0].flavors.pop_back();
  builder.admitted("x", pods("main", 0, 1), "a:4", "f1");
}
void nodes_in_use(ClusterBuilder& builder, ClusterQueueRecord& queue) {
  queue.groups[0].flavors[0].resources[1].nominal = 20;
  builder.admitted("x", pods("main", 0, 1), "a:4", "f1");
}
void quota_lent_out(ClusterBuilder& builder, ClusterQueueRecord& queue) {
  queue.groups[0].flavors.erase(queue.groups[0].flavors.begin());
  builder.admitted("x", pods("main", 0, 1), "c:4", "f2", "other");
}
void more_quota_than_nodes(ClusterBuilder&, ClusterQueueRecord& queue) {
  queue.groups[0].flavors[0].resources[1].nominal = 20;
}
void f1_tainted(ClusterBuilder& builder, ClusterQueueRecord&) {
  builder.flavor_record("f1").node_taints = {test::taint("spot", "yes")};
}
void both_tainted(ClusterBuilder& builder, ClusterQueueRecord&) {
  for (const char* flavor : {"f1", "f2"}) {
    builder.flavor_record(flavor).node_taints = {test::taint("spot", "yes")};
  }
}
void cpu_not_covered(ClusterBuilder&, ClusterQueueRecord& queue) {
  queue.groups[0].covered = {topology::gpu_resource()};
}
void cpu_in_a_group_of_f2(ClusterBuilder&, ClusterQueueRecord& queue) {
  queue.groups[0].covered = {topology::gpu_resource()};
  queue.groups.push_back(
      {{topology::cpu_resource()}, {{"f2", {{topology::cpu_resource(), 1000, {}, {}}}}}});
}

/// GPUs: above the maximum of f1, but f2 has them. cpu: f3 has 1000 of 5000, the rest is lent out.
void cpu_of_f3_lent_out(ClusterBuilder& builder, ClusterQueueRecord& queue) {
  const auto cpu_of_f3 = [](std::int64_t nominal) {
    return ResourceGroup{{topology::cpu_resource()},
                         {{"f3", {{topology::cpu_resource(), nominal, {}, {}}}}}};
  };
  queue.groups[0].covered = {topology::gpu_resource()};
  queue.groups.push_back(cpu_of_f3(1000));
  builder.flavor("f3").queue("third", {"f3"}, 0, "co").groups = {cpu_of_f3(4000)};
  solver::PodSet holder = pods("main", 0, 0);
  holder.request.set(topology::cpu_resource(), 4000);
  builder.admitted("x", holder, "c:1", "f3", "third");
}

struct NominationCase {
  const char* name;
  Change change;
  std::int64_t count, gpus, cpu;  // of one pod
  const char* expected;

  friend std::ostream& operator<<(std::ostream& out, const NominationCase& c) {
    return out << c.name;
  }
};
const NominationCase kNominationCases[] = {
    {"FitsOnTheFirstFlavorWithRoom", as_it_is, 4, 1, 0, "Fit nvidia.com/gpu=f1"},
    {"GoesOnAboveTheMaximumOfTheFirst", as_it_is, 8, 1, 0, "Fit nvidia.com/gpu=f2"},
    {"WaitsForOwnQuotaThatIsInUse", own_quota_in_use, 2, 1, 0, "Preempt nvidia.com/gpu=f1"},
    {"WaitsForNodesThatAreInUse", nodes_in_use, 4, 1, 0, "Preempt nvidia.com/gpu=f1"},
    {"DoesNotWaitForQuotaThatItMayNotReclaim", quota_lent_out, 9, 1, 0, "NoFit quota"},
    {"DoesNotWaitForNodesThatDoNotExist", more_quota_than_nodes, 5, 1, 0, "NoFit placement"},
    {"LeastSevereOfTheFlavorsIsTold", f1_tainted, 13, 1, 0, "NoFit maximum"},
    {"NoFlavorMatches", both_tainted, 1, 1, 0, "NoFit flavor"},
    {"NothingWasTried", cpu_not_covered, 1, 0, 1, "NoFit flavor"},
    {"MostSevereOfTheGroupsIsTold", cpu_of_f3_lent_out, 6, 1, 500, "NoFit maximum"},
    {"TwoTopologyFlavorsOnOnePodSet", cpu_in_a_group_of_f2, 1, 1, 1, "NoFit none"},
};
class NominationOf : public testing::TestWithParam<NominationCase> {};

TEST_P(NominationOf, HasItsModeFlavorsAndSeverity) {
  ClusterBuilder builder = pools_of_cohort();
  GetParam().change(builder, add_queue(builder));
  solver::PodSet pod_set = pods("main", GetParam().count, GetParam().gpus);
  if (GetParam().gpus == 0) pod_set.request = {};
  if (GetParam().cpu > 0) pod_set.request.set(topology::cpu_resource(), GetParam().cpu);
  builder.workload("w", {pod_set});
  Nominating scene(builder);
  EXPECT_EQ(text(scene, scene.nominate()), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, NominationOf, testing::ValuesIn(kNominationCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(Nomination, TellsTheReasonsOfEveryPodSetThatDoesNotFit) {
  ClusterBuilder builder = pools_of_cohort();
  add_queue(builder);
  builder.workload("w", {pods("fits", 1, 1), pods("none", 13, 1), pods("after", 1, 1)});
  const Nomination nomination = Nominating(builder).nominate();
  EXPECT_EQ(nomination.mode, Mode::kNoFit);
  EXPECT_EQ(nomination.attempt.failed_pod_set, 1U);
  ASSERT_EQ(nomination.attempt.rejections.size(), 2U);  // f1 and f2; the search ended there
  EXPECT_EQ(nomination.attempt.rejections[0].pod_set, 1U);
  EXPECT_EQ(nomination.attempt.rejections[1].flavor, "f2");
}

TEST(Nomination, MembersOfAGroupShareTheReasons) {
  ClusterBuilder builder = pools_of_cohort();
  add_queue(builder);
  solver::PodSet leader = required(pods("leader", 1, 1), kRack);
  solver::PodSet workers = required(pods("workers", 12, 1), kRack);
  leader.unit = workers.unit = "g";
  builder.workload("w", {leader, workers});
  const Attempt attempt = Nominating(builder).nominate().attempt;
  ASSERT_EQ(attempt.rejections.size(), 4U);
  EXPECT_EQ(attempt.rejections[0].pod_set, 0U);
  EXPECT_EQ(attempt.rejections[3].pod_set, 1U);
}

TEST(Nomination, NamesTheResourceThatNoGroupCovers) {
  ClusterBuilder builder = pools_of_cohort();
  cpu_not_covered(builder, add_queue(builder));
  solver::PodSet pod_set = pods("main", 1, 1);
  pod_set.request.set(topology::cpu_resource(), 1);
  builder.workload("w", {pod_set});
  const Nomination nomination = Nominating(builder).nominate();
  EXPECT_EQ(nomination.attempt.uncovered, topology::cpu_resource());
  ASSERT_EQ(nomination.attempt.rejections.size(), 1U);
  EXPECT_EQ(nomination.attempt.rejections[0].kind, Kind::kUncovered);
}

TEST(Nomination, RecordsWhereItsSearchStoppedAndStartsBehindIt) {
  ClusterBuilder builder = pools_of_cohort();
  add_queue(builder);
  builder.workload("w", {pods("main", 1, 1)});
  Nominating scene(builder);
  const Nomination first = scene.nominate();
  EXPECT_EQ(text(scene, first), "Fit nvidia.com/gpu=f1");
  EXPECT_EQ(first.record.start(0, topology::gpu_resource()), 1U);
  EXPECT_TRUE(first.record.unfinished());
  const Nomination second = scene.nominate(first.record);
  EXPECT_EQ(text(scene, second), "Fit nvidia.com/gpu=f2");
  EXPECT_EQ(second.record.start(0, topology::gpu_resource()), 0U);
  EXPECT_FALSE(second.record.unfinished());
}

TEST(Nomination, AgainTriesOnlyTheFlavorThatItLost) {
  ClusterBuilder builder = pools_of_cohort();
  add_queue(builder);
  builder.workload("w", {pods("main", 4, 1)});
  Nominating scene(builder);
  const Nomination lost = scene.nominate();
  scene.books().reserve_room(scene.workload(), lost.pod_sets);
  const Nomination again =
      scene.nominator.nominate_again(scene.workload(), scene.queue(), scene.books(), lost);
  EXPECT_EQ(text(scene, again), "Preempt nvidia.com/gpu=f1");
  scene.books().end_reservations();
}

TEST(Nomination, WithFewerPodsOnlyIfTheProfileAdmitsPartially) {
  ClusterBuilder builder = pools_of_cohort();
  add_queue(builder);
  solver::PodSet pod_set = pods("main", 13, 1);
  pod_set.min_count = 2;
  builder.workload("w", {pod_set});
  config::Profile profile;
  profile.partial_admission = false;
  EXPECT_EQ(Nominating(builder, profile).nominate().mode, Mode::kNoFit);
  profile.partial_admission = true;
  const Nomination fewer = Nominating(builder, profile).nominate();
  EXPECT_EQ(fewer.mode, Mode::kFit);
  EXPECT_EQ(fewer.pod_sets[0].count, 8);  // as many as host c has GPUs
}

TEST(Nomination, LeavesTheBooksAsTheyWere) {
  ClusterBuilder builder = pools_of_cohort();
  add_queue(builder);
  builder.workload("w", {pods("main", 4, 1)});
  Nominating scene(builder);
  const Nomination first = scene.nominate();
  EXPECT_EQ(text(scene, scene.nominate()), text(scene, first));
  EXPECT_TRUE(scene.books().room_for(scene.workload(), first.pod_sets));
}

}  // namespace
}  // namespace tessera::core
