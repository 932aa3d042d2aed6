// SPDX-License-Identifier: Apache-2.0
// The coordinator driven by hand: what it tells whom at each step of a cycle, and what it records.
#include "actors/cycle/cycle.h"

#include <gtest/gtest.h>

#include "tests/support/cluster_builder.h"
#include "tests/support/fake_ports.h"

namespace tessera::core {
namespace {

/// One queue "q". The test answers for queue, planner and owners.
class Hand {
 public:
  Hand() {
    test::ClusterBuilder builder;
    builder.hosts("b/r/h:4").flavor("f").queue("q", {"f"}, 4);
    cycle = std::make_unique<Cycle>(
        std::make_shared<const Definitions>(std::make_shared<const Inventory>(builder.build())),
        config::Rounds::kSequential, CycleLimits{}, ports);
  }
  static Input submit(const std::string& name) {
    return Submit{std::make_shared<const Workload>(
        test::ClusterBuilder().workload(name, {test::pods("main", 1, 1)}, "q"))};
  }
  /// The queue offers all that it was ever told of.
  void answer_window() const {
    const QueueStep& step = *ports.steps().back();
    Window window;
    for (const Waiting& each : step.submitted) {
      window.items.push_back({each.gang, each.workload, 0, {}});
    }
    window.waiting = window.items.size();
    cycle->on_window(step.cycle, std::move(window));
  }
  /// Places the first `placed` of the window; refuses the rest, each after so many placements.
  void answer_plan(std::size_t placed, const std::vector<std::uint32_t>& refused_after) const {
    const PlanRequest& request = *ports.requests().back();
    auto reply = std::make_shared<PlanReply>();
    const std::vector<WindowItem>& items = request.windows.at(0).items;
    for (std::size_t i = 0; i < placed; ++i) {
      reply->plan.admitted.push_back(
          {items[i].gang, items[i].workload, std::make_shared<const Admission>(), {}});
    }
    for (std::size_t i = 0; i < refused_after.size(); ++i) {
      RefusedWorkload& refused = reply->plan.refused.emplace_back();
      refused.gang = items[placed + i].gang;
      refused.workload = items[placed + i].workload;
      refused.placed_before = refused_after[i];
    }
    reply->plan.queues.push_back({0, {}});
    auto step = std::make_shared<ShardStep>();
    step->cycle = request.cycle;
    reply->shards[ShardId{0}] = step;
    cycle->on_plan(reply);
  }
  GangPhase phase(std::uint64_t gang) const {
    return cycle->look().gangs.find(GangId{gang})->phase;
  }

  test::FakePorts ports;
  std::unique_ptr<Cycle> cycle;
};

std::string gangs_of(const std::vector<RefusedWorkload>& refused) {
  std::string text;
  for (const RefusedWorkload& each : refused)
    text += (text.empty() ? "" : " ") + each.workload->name;
  return text;
}

TEST(Cycle, GoesThroughItsStepsInOrder) {
  Hand hand;
  hand.cycle->submit({Hand::submit("a")});
  EXPECT_EQ(hand.ports.take_told(), "queue 0");
  hand.answer_window();
  EXPECT_EQ(hand.ports.take_told(), "plan 1");
  hand.answer_plan(1, {});
  EXPECT_EQ(hand.phase(1), GangPhase::kAdmitted);
  EXPECT_EQ(hand.ports.take_told(), "queue 0, shard 1");
  hand.cycle->on_owner({1, UINT32_MAX});
  EXPECT_EQ(hand.ports.take_told(), "append 1");
  hand.cycle->on_durable(1, {});
  EXPECT_EQ(hand.ports.take_told(), "commit 1, publish 1");
  EXPECT_EQ(hand.ports.appended()[0]->submitted().at(0).gang, GangId{1});
}

/// A refusal does not count if placements that were planned before it were not accepted.
TEST(Cycle, RefusalsBehindTheAcceptedPrefixAreNeitherCountedNorRecorded) {
  Hand hand;
  std::vector<Input> inputs;
  for (const char* name : {"a", "b", "c", "d", "e"}) inputs.push_back(Hand::submit(name));
  hand.cycle->submit(std::move(inputs));
  hand.answer_window();
  hand.answer_plan(2, {0, 1, 2});
  hand.ports.take_told();
  hand.cycle->on_owner({1, 1});
  ASSERT_EQ(hand.ports.appended().size(), 1u);
  const CycleRecord& record = *hand.ports.appended()[0];
  ASSERT_EQ(record.admitted.size(), 1u);
  EXPECT_EQ(record.admitted[0].workload->name, "a");
  EXPECT_EQ(gangs_of(record.refused), "c d") << "e was refused beside b, which is not placed";
  EXPECT_EQ(hand.cycle->counters().refused, 2u);
  EXPECT_EQ(hand.cycle->counters().admitted, 1u);
  EXPECT_EQ(hand.cycle->counters().retracted, 1u);
  EXPECT_EQ(hand.ports.retracted(), std::vector<GangId>{GangId{2}});
  EXPECT_EQ(hand.phase(2), GangPhase::kPending);
}

TEST(Cycle, NothingIsPlannedAfterAFailedAppendUntilTheInputsAreDurable) {
  Hand hand;
  hand.cycle->submit({Hand::submit("a")});
  hand.answer_window();
  hand.answer_plan(1, {});
  hand.answer_window();  // the window of the next cycle
  hand.cycle->on_owner({1, UINT32_MAX});
  hand.ports.take_told();
  hand.cycle->on_append_failed(1);
  EXPECT_EQ(hand.phase(1), GangPhase::kPending);
  EXPECT_EQ(hand.ports.take_told(), "abort 1, retract 1, append 3");
  EXPECT_FALSE(hand.cycle->settled());
  hand.cycle->on_durable(3, {});
  EXPECT_EQ(hand.ports.take_told(), "commit 3, publish 3, queue 0")
      << "and the gang is tried again";
}

}  // namespace
}  // namespace tessera::core
