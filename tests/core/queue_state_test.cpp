// SPDX-License-Identifier: Apache-2.0
#include "actors/core/queue_state.h"

#include <gtest/gtest.h>

#include <ostream>

#include "actors/core/reason.h"

namespace tessera::core {
namespace {

Workload named(const std::string& name, std::int64_t priority = 0, std::int64_t created = 0,
               const std::string& uid = "") {
  Workload workload;
  workload.namespace_name = "ns";
  workload.name = name;
  workload.priority = priority;
  workload.created = created;
  workload.uid = uid;
  return workload;
}

struct OrderCase {
  const char* name;
  Workload first, second;

  friend std::ostream& operator<<(std::ostream& out, const OrderCase& c) { return out << c.name; }
};

const OrderCase kOrderCases[] = {
    {"HigherPriorityBeforeEarlierTime", named("b", 5, 100), named("a", 4, 1)},
    {"EarlierTimeBeforeSmallerUid", named("b", 0, 1, "z"), named("a", 0, 2, "a")},
    {"MissingTimeIsTheEarliest", named("b", 0, INT64_MIN), named("a", 0, -5)},
    {"SmallerUidBeforeSmallerName", named("b", 0, 1, "u1"), named("a", 0, 1, "u2")},
    {"NamesAsBytes", named("n10"), named("n9")},
};

class PlanningOrder : public testing::TestWithParam<OrderCase> {};

TEST_P(PlanningOrder, PutsTheFirstBeforeTheSecond) {
  EXPECT_TRUE(plans_before(GetParam().first, GetParam().second));
  EXPECT_FALSE(plans_before(GetParam().second, GetParam().first));
}

INSTANTIATE_TEST_SUITE_P(Cases, PlanningOrder, testing::ValuesIn(kOrderCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(PlanningOrderByName, NamespaceComesBeforeName) {
  Workload a = named("z"), b = named("a");
  a.namespace_name = "a";
  b.namespace_name = "b";
  EXPECT_TRUE(plans_before(a, b));
}

const std::vector<Workload> kThree = {named("late", 0, 3), named("early", 0, 1),
                                      named("urgent", 9, 5)};

TEST(QueueState, HeadsComeInPlanningOrderWhateverTheOrderOfSubmission) {
  QueueState state(kThree, QueueStrategy::kBestEffortFifo);
  for (const std::size_t id : {0U, 2U, 1U}) state.submit(id);
  EXPECT_EQ(state.waiting(), (std::vector<std::size_t>{2, 1, 0}));
}

TEST(QueueState, BestEffortGoesOnBehindARefusedHead) {
  QueueState state(kThree, QueueStrategy::kBestEffortFifo);
  for (const std::size_t id : {0U, 1U, 2U}) state.submit(id);
  state.refused();
  EXPECT_EQ(state.head(), 1U);
  state.placed();
  EXPECT_EQ(state.head(), 0U);
  state.refused();
  EXPECT_EQ(state.head(), std::nullopt);
  state.end_pass();
  EXPECT_EQ(state.waiting(), (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(state.head(), 2U) << "a new pass starts from the front";
}

TEST(QueueState, StrictFifoLooksAtNothingBehindARefusedHead) {
  QueueState state(kThree, QueueStrategy::kStrictFifo);
  for (const std::size_t id : {0U, 1U, 2U}) state.submit(id);
  state.placed();
  EXPECT_EQ(state.head(), 1U);
  state.refused();
  EXPECT_EQ(state.head(), std::nullopt);
  state.end_pass();
  EXPECT_EQ(state.waiting(), (std::vector<std::size_t>{1, 0}));
}

TEST(Names, EveryReasonAndOutcomeHasItsWord) {
  EXPECT_EQ(reason_name(Reason::kNone), "-");
  EXPECT_EQ(reason_name(Reason::kTopologyFit), "TopologyFit");
  EXPECT_EQ(reason_name(Reason::kBehindHead), "BehindHead");
  EXPECT_EQ(reason_name(Reason::kInvalid), "Invalid");
  EXPECT_EQ(outcome_name(Outcome::kNever), "Never");
  for (int i = 0; i <= static_cast<int>(Reason::kInvalid); ++i) {
    EXPECT_FALSE(reason_name(static_cast<Reason>(i)).empty());
  }
}

TEST(Origin, IsShownAsKindAndName) {
  EXPECT_EQ((Origin{"batch/v1", "Job", "eval-a", ""}).display(), "job/eval-a");
  EXPECT_EQ((Origin{"jobset.x-k8s.io/v1alpha2", "JobSet", "p", ""}).display(), "jobset/p");
}

}  // namespace
}  // namespace tessera::core
