// SPDX-License-Identifier: Apache-2.0
#include "actors/flavors/flavors.h"

#include <gtest/gtest.h>

#include <ostream>

#include "tests/support/flavor_scene.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::pods;
using test::required;
using topology::Symbol;
using Kind = FlavorRejection::Kind;

/// What choose_flavors() says of workload "w" in its queue "q".
struct Choosing : test::FlavorScene {
  using FlavorScene::FlavorScene;
  using FlavorScene::text;

  std::variant<FlavorChoice, FlavorRefusal> choose(QuotaRule rule = QuotaRule::kAvailable,
                                                   const PassedOver& passed_over = {}) const {
    return choose_flavors(problem(rule), passed_over);
  }

  /// "gpu=f1 | cpu=f2": flavors by pod set; or "refused f1:kind ..." .
  std::string text(QuotaRule rule = QuotaRule::kAvailable,
                   const PassedOver& passed_over = {}) const {
    const auto answer = choose(rule, passed_over);
    if (const auto* choice = std::get_if<FlavorChoice>(&answer)) return text(*choice);
    const FlavorRefusal& refusal = std::get<FlavorRefusal>(answer);
    std::string text = "refused";
    if (refusal.uncovered) text += " uncovered " + refusal.uncovered->str();
    for (const FlavorRejection& each : refusal.rejections) {
      text += " " + each.flavor + ":" + std::to_string(static_cast<int>(each.kind));
    }
    return text;
  }
};

std::string refused(const std::vector<std::pair<const char*, Kind>>& rejections) {
  std::string text = "refused";
  for (const auto& [flavor, kind] : rejections) {
    text += " " + std::string(flavor) + ":" + std::to_string(static_cast<int>(kind));
  }
  return text;
}

ClusterBuilder two_flavors(std::int64_t nominal = 8) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8").flavor("f1").flavor("f2");
  builder.queue("q", {"f2", "f1"}, nominal);
  return builder;
}

TEST(FlavorChoice, FollowsTheQueuesOrderNotTheNames) {
  ClusterBuilder builder = two_flavors();
  builder.workload("w", {pods("main", 2, 1)});
  EXPECT_EQ(Choosing(builder).text(), "nvidia.com/gpu=f2");
}

TEST(FlavorChoice, GoesOnWhenQuotaOfTheFirstIsUsed) {
  ClusterBuilder builder = two_flavors();
  builder.admitted("holder", pods("main", 0, 1), "a:7", "f2");
  builder.workload("w", {pods("main", 2, 1)});
  EXPECT_EQ(Choosing(builder).text(), "nvidia.com/gpu=f1");
}

TEST(FlavorChoice, PodSetsOfOneWorkloadAddUpInQuota) {
  ClusterBuilder builder = two_flavors(3);
  builder.workload("w", {pods("one", 2, 1), pods("two", 2, 1)});
  EXPECT_EQ(Choosing(builder).text(), "nvidia.com/gpu=f2 | nvidia.com/gpu=f1");
}

TEST(FlavorChoice, TellsAmountsOfEveryFlavorThatHasNoQuota) {
  ClusterBuilder builder = two_flavors(4);
  builder.admitted("holder", pods("main", 0, 1), "a:3", "f2");
  builder.workload("w", {pods("one", 1, 1), pods("two", 5, 1)});
  const auto answer = Choosing(builder).choose();
  const FlavorRefusal& refusal = std::get<FlavorRefusal>(answer);
  EXPECT_EQ(refusal.pod_set, 1U);
  ASSERT_EQ(refusal.rejections.size(), 2U);
  EXPECT_EQ(refusal.rejections[0].kind, Kind::kOverMaximum);
  EXPECT_EQ(refusal.rejections[0].previous, 1);
  EXPECT_EQ(refusal.rejections[0].request, 5);
  EXPECT_EQ(refusal.rejections[0].limit, 4);
  EXPECT_EQ(refusal.rejections[1].flavor, "f1");
  EXPECT_EQ(refusal.rejections[1].previous, 0);
}

TEST(FlavorChoice, MissingIsWhatIsMoreThanAvailable) {
  ClusterBuilder builder = two_flavors(4);
  builder.admitted("x", pods("main", 0, 1), "a:3", "f2");
  builder.admitted("y", pods("main", 0, 1), "a:2", "f1");
  builder.workload("w", {pods("main", 4, 1)});
  const auto answer = Choosing(builder).choose();
  const FlavorRefusal& refusal = std::get<FlavorRefusal>(answer);
  ASSERT_EQ(refusal.rejections.size(), 2U);
  EXPECT_EQ(refusal.rejections[0].kind, Kind::kNoUnusedQuota);
  EXPECT_EQ(refusal.rejections[0].missing, 3);
  EXPECT_EQ(refusal.rejections[1].missing, 2);
}

TEST(FlavorChoice, MaximumRuleLooksAtAnIdleCohort) {
  ClusterBuilder builder = two_flavors(4);
  builder.admitted("x", pods("main", 0, 1), "a:4", "f2");
  builder.workload("w", {pods("main", 4, 1)});
  EXPECT_EQ(Choosing(builder).text(QuotaRule::kMaximum), "nvidia.com/gpu=f2");
}

TEST(FlavorChoice, PassesOverWithoutAWord) {
  ClusterBuilder builder = two_flavors();
  builder.workload("w", {pods("main", 1, 1)});
  const Choosing choosing(builder);
  EXPECT_EQ(choosing.text(QuotaRule::kAvailable, {{0, FlavorId{1}}}), "nvidia.com/gpu=f1");
  EXPECT_EQ(choosing.text(QuotaRule::kAvailable, {{0, FlavorId{0}}, {0, FlavorId{1}}}), "refused");
}

TEST(FlavorChoice, ZeroOfAFullResourceFits) {  // cases.md C087
  ClusterBuilder builder = two_flavors(4);
  builder.admitted("x", pods("main", 0, 1), "a:4", "f2");
  builder.workload("w", {pods("main", 1, 0)});
  EXPECT_EQ(Choosing(builder).text(), "nvidia.com/gpu=f2");
}

struct BorrowCase {
  const char* name;
  bool tries_next;
  std::int64_t asked;
  const char* expected;

  friend std::ostream& operator<<(std::ostream& out, const BorrowCase& c) { return out << c.name; }
};
const BorrowCase kBorrowCases[] = {
    {"StopsAtABorrowingFlavorByDefault", false, 6, "nvidia.com/gpu=f2"},
    {"TriesTheNextBeforeBorrowing", true, 6, "nvidia.com/gpu=f1"},
    {"TakesTheFirstOfTwoThatBorrowAlike", true, 9, "nvidia.com/gpu=f2"},
};
class Borrowing : public testing::TestWithParam<BorrowCase> {};

TEST_P(Borrowing, ChoosesByWhenCanBorrow) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8").flavor("f1").flavor("f2");
  ClusterQueueRecord& queue = builder.queue("q", {"f2", "f1"}, 8, "co");
  queue.borrow_tries_next_flavor = GetParam().tries_next;
  queue.groups[0].flavors[0].resources[1].nominal = 4;
  builder.queue("lender", {"f1", "f2"}, 20, "co");
  builder.workload("w", {pods("main", GetParam().asked, 1)});
  EXPECT_EQ(Choosing(builder).text(), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, Borrowing, testing::ValuesIn(kBorrowCases),
                         [](const auto& test_case) { return test_case.param.name; });

struct MatchCase {
  const char* name;
  const char* topology;  // of flavor f; empty: none
  const char* level;     // required level; empty: no request
  bool mixed_queue;      // the queue has a plain flavor as well, after f
  std::string expected;

  friend std::ostream& operator<<(std::ostream& out, const MatchCase& c) { return out << c.name; }
};
const MatchCase kMatchCases[] = {
    {"ExplicitTakesATopologyFlavor", "levels", test::kRack, false, "nvidia.com/gpu=f"},
    {"ExplicitRefusesAPlainFlavor", "", test::kRack, false,
     refused({{"f", Kind::kNotTopologyAware}})},
    {"ExplicitRefusesAnUnknownLevel", "levels", "no.such/level", false,
     refused({{"f", Kind::kUnknownLevel}})},
    {"ImpliedInATopologyOnlyQueue", "levels", "", false, "nvidia.com/gpu=f"},
    {"PlainSkipsTopologyFlavorsOfAMixedQueue", "levels", "", true, "nvidia.com/gpu=plain"},
    {"PlainTakesAPlainFlavor", "", "", false, "nvidia.com/gpu=f"},
};
class TopologyMatch : public testing::TestWithParam<MatchCase> {};

TEST_P(TopologyMatch, IsThatOfPlacement16) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8").flavor("f", GetParam().topology).flavor("plain", "");
  builder.queue("q",
                GetParam().mixed_queue ? std::vector<std::string>{"f", "plain"}
                                       : std::vector<std::string>{"f"},
                8);
  solver::PodSet pod_set = pods("main", 1, 1);
  if (*GetParam().level) pod_set = required(pod_set, GetParam().level);
  builder.workload("w", {pod_set});
  EXPECT_EQ(Choosing(builder).text(), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, TopologyMatch, testing::ValuesIn(kMatchCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(FlavorMatch, TaintOfTheFlavorNeedsATolerationOfPodOrFlavor) {
  ClusterBuilder builder = two_flavors();
  builder.flavor_record("f2").node_taints = {test::taint("spot", "yes")};
  builder.workload("w", {pods("main", 1, 1)});
  EXPECT_EQ(Choosing(builder).text(), "nvidia.com/gpu=f1");
  builder.flavor_record("f2").tolerations = {test::tolerates("spot")};
  EXPECT_EQ(Choosing(builder).text(), "nvidia.com/gpu=f2");
}

TEST(FlavorMatch, SelectorCountsOnlyOnLabelsOfTheFlavor) {
  ClusterBuilder builder = two_flavors();
  builder.flavor_record("f2").node_labels = {{Symbol("pool"), Symbol("a")}};
  solver::PodSet pod_set = pods("main", 1, 1);
  pod_set.filter.node_selector = {{Symbol("other"), Symbol("x")}, {Symbol("pool"), Symbol("b")}};
  builder.workload("w", {pod_set});
  EXPECT_EQ(Choosing(builder).text(), "nvidia.com/gpu=f1");
}

TEST(FlavorMatch, AffinityTermLeftEmptyMatches) {
  ClusterBuilder builder = two_flavors();
  builder.flavor_record("f2").node_labels = {{Symbol("pool"), Symbol("a")}};
  solver::PodSet pod_set = pods("main", 1, 1);
  topology::NodeSelectorTerm wrong_pool, foreign_key;
  wrong_pool.expressions = {{Symbol("pool"), topology::LabelOperator::kIn, {Symbol("b")}}};
  foreign_key.expressions = {{Symbol("zone"), topology::LabelOperator::kIn, {Symbol("z")}}};
  pod_set.filter.required = {wrong_pool};
  builder.workload("w", {pod_set});
  EXPECT_EQ(Choosing(builder).text(), "nvidia.com/gpu=f1");
  ClusterBuilder other = two_flavors();
  other.flavor_record("f2").node_labels = {{Symbol("pool"), Symbol("a")}};
  pod_set.filter.required = {wrong_pool, foreign_key};
  other.workload("w", {pod_set});
  EXPECT_EQ(Choosing(other).text(), "nvidia.com/gpu=f2");
}

TEST(Groups, TakeOneFlavorWithRequestsSummed) {
  ClusterBuilder builder = two_flavors();
  builder.admitted("holder", pods("main", 0, 1), "a:6", "f2");
  solver::PodSet leader = required(pods("leader", 1, 1), test::kRack);
  solver::PodSet workers = required(pods("workers", 2, 1), test::kRack);
  leader.unit = workers.unit = "g";
  builder.workload("w", {leader, pods("alone", 1, 1), workers});
  EXPECT_EQ(Choosing(builder).text(), "nvidia.com/gpu=f1 | nvidia.com/gpu=f2 | nvidia.com/gpu=f1");
}

TEST(Groups, MemberWithoutRequestsInheritsTheTopologyFlavor) {  // cases.md C041
  ClusterBuilder builder = two_flavors();
  solver::PodSet leader = required(pods("leader", 1, 0), test::kRack);
  leader.request = {};
  solver::PodSet workers = required(pods("workers", 2, 1), test::kRack);
  leader.unit = workers.unit = "g";
  builder.workload("w", {leader, workers});
  EXPECT_EQ(Choosing(builder).text(), "nvidia.com/gpu=f2 | nvidia.com/gpu=f2");
}

TEST(Covering, UncoveredResourceIsRefusedUnlessZeroOrQuotaIsIgnored) {
  ClusterBuilder builder = two_flavors();
  solver::PodSet pod_set = pods("main", 1, 1);
  pod_set.request.set(Symbol("example.com/nic"), 1);
  builder.workload("w", {pod_set});
  EXPECT_EQ(Choosing(builder).text(), "refused uncovered example.com/nic");
  EXPECT_EQ(Choosing(builder).text(QuotaRule::kIgnore), "nvidia.com/gpu=f2");
  ClusterBuilder zero = two_flavors();
  pod_set.request.set(Symbol("example.com/nic"), 0);
  zero.workload("w", {pod_set});
  EXPECT_EQ(Choosing(zero).text(), "nvidia.com/gpu=f2");
}

TEST(Covering, CoveredPodsAreAskedByCount) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8").flavor("f");
  ResourceGroup& group = builder.queue("q", {"f"}, 8).groups[0];
  group.covered.push_back(topology::pods_resource());
  group.flavors[0].resources.push_back({topology::pods_resource(), 3, {}, {}});
  builder.workload("w", {pods("main", 4, 1)});
  EXPECT_EQ(Choosing(builder).text(), refused({{"f", Kind::kOverMaximum}}));
}

TEST(Covering, ResourcesInTwoGroupsOnTwoTopologyFlavorsAreAnError) {  // placement.md M7
  ClusterBuilder builder;
  builder.hosts("b/r1/a:8").flavor("f1").flavor("f2");
  ClusterQueueRecord& queue = builder.queue("q", {"f1"}, 8);
  queue.groups[0].covered = {topology::gpu_resource()};
  queue.groups.push_back(
      {{topology::cpu_resource()}, {{"f2", {{topology::cpu_resource(), 1000, {}, {}}}}}});
  solver::PodSet pod_set = required(pods("main", 1, 1), test::kRack);
  pod_set.request.set(topology::cpu_resource(), 10);
  builder.workload("w", {pod_set});
  const auto answer = Choosing(builder).choose();
  const FlavorRefusal& refusal = std::get<FlavorRefusal>(answer);
  ASSERT_EQ(refusal.rejections.size(), 1U);
  EXPECT_EQ(refusal.rejections[0].kind, Kind::kSeveralTopologyFlavors);
  EXPECT_EQ(refusal.rejections[0].flavor, "f1, f2");
}

TEST(SearchOrder, IsThatOfTheHashedNames) {  // queues.md 7.1
  const char* const in_order[] = {"ephemeral-storage", "amd.com/gpu", "memory",
                                  "nvidia.com/gpu",    "pods",        "cpu"};
  std::vector<Symbol> expected;
  for (const char* name : in_order) expected.emplace_back(name);
  std::vector<Symbol> shuffled(expected.rbegin(), expected.rend());
  EXPECT_EQ(search_order(shuffled), expected);
}

}  // namespace
}  // namespace tessera::core
