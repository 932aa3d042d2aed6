// SPDX-License-Identifier: Apache-2.0
// A plan on its way: owners, journal, commit, and what an abort takes back.
#include "actors/cycle/pipeline.h"

#include <gtest/gtest.h>

#include "tests/support/fake_ports.h"

namespace tessera::core {
namespace {

/// A plan of gangs, asked of `shards` shards.
std::shared_ptr<PlanReply> plan_of(const std::vector<std::uint64_t>& gangs, std::uint32_t shards) {
  auto reply = std::make_shared<PlanReply>();
  for (const std::uint64_t gang : gangs)
    reply->plan.admitted.push_back({GangId{gang}, nullptr, nullptr, {}});
  for (std::uint32_t s = 0; s < shards; ++s) {
    reply->shards[ShardId{s}] = std::make_shared<const ShardStep>();
  }
  return reply;
}

std::shared_ptr<CycleRecord> record_of(CycleNumber cycle, std::uint64_t inputs = 1) {
  auto record = std::make_shared<CycleRecord>();
  record->cycle = cycle;
  record->first_input = cycle;
  record->inputs.resize(inputs, Advance{});
  return record;
}

class Line {
 public:
  /// Through the owners, which accept all, to the journal.
  void send(CycleNumber cycle, const std::vector<std::uint64_t>& gangs) {
    pipeline.begin(cycle, record_of(cycle), plan_of(gangs, 0));
    const std::optional<Settlement> done = pipeline.to_owners();
    done->record->admitted = done->reply->plan.admitted;
    pipeline.close(*done, outside);
  }

  test::FakePorts ports;
  EngineCounters counters;
  Pipeline pipeline{ports, 8, counters};
  Outside outside;
};

TEST(Pipeline, TheShortestAcceptedPrefixCounts) {
  Line line;
  ASSERT_FALSE(line.pipeline.begin(5, record_of(5), plan_of({1, 2, 3}, 3)));
  EXPECT_FALSE(line.pipeline.to_owners().has_value());
  EXPECT_FALSE(line.pipeline.on_owner({5, UINT32_MAX}).has_value());
  EXPECT_FALSE(line.pipeline.on_owner({5, 1}).has_value());
  line.ports.take_told();
  const std::optional<Settlement> done = line.pipeline.on_owner({5, 2});
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->accepted, 1u);
  EXPECT_EQ(line.ports.take_told(), "settle 5 from 1");
  EXPECT_TRUE(line.pipeline.is_free());
}

TEST(Pipeline, NothingIsGivenBackWhereAllIsAccepted) {
  Line line;
  line.pipeline.begin(5, record_of(5), plan_of({1, 2}, 1));
  line.pipeline.to_owners();
  line.ports.take_told();
  EXPECT_EQ(line.pipeline.on_owner({5, UINT32_MAX})->accepted, 2u);
  EXPECT_EQ(line.ports.take_told(), "");
}

TEST(Pipeline, NodesMoveBeforeOwnersAreAsked) {
  Line line;
  const auto plan = plan_of({}, 1);
  plan->moves.resize(2);
  EXPECT_TRUE(line.pipeline.begin(5, record_of(5), plan));
  EXPECT_TRUE(line.pipeline.changes_owners());
  EXPECT_FALSE(line.pipeline.on_moved().has_value());
  EXPECT_EQ(line.ports.take_told(), "move, move");
  EXPECT_FALSE(line.pipeline.on_moved().has_value());
  EXPECT_EQ(line.ports.take_told(), "shard 0");
}

TEST(Pipeline, CyclesArePublishedInTheirOrder) {
  Line line;
  line.send(1, {});
  line.send(2, {});
  EXPECT_EQ(line.ports.take_told(), "append 1, append 2");
  line.pipeline.on_durable(2, {});
  EXPECT_EQ(line.ports.take_told(), "");
  line.pipeline.on_durable(1, {});
  EXPECT_EQ(line.ports.take_told(), "commit 1, publish 1, commit 2, publish 2");
  EXPECT_EQ(line.pipeline.on_their_way(), 0u);
}

TEST(Pipeline, ACycleOfNothingIsNotAppended) {
  Line line;
  line.pipeline.begin(1, record_of(1, 0), plan_of({}, 0));
  line.pipeline.close(*line.pipeline.to_owners(), line.outside);
  EXPECT_EQ(line.ports.take_told(), "");
}

TEST(Pipeline, AnAbortTakesBackTheLatestFirstAndCarriesTheInputs) {
  Line line;
  line.send(1, {1});
  line.send(2, {2, 3});
  line.send(3, {4});
  line.ports.take_told();
  const auto aborted = line.pipeline.abort(2, line.outside);
  ASSERT_TRUE(aborted.has_value());
  std::vector<GangId> gangs;
  for (const Admitted& each : *aborted) gangs.push_back(each.gang);
  EXPECT_EQ(gangs, (std::vector<GangId>{GangId{4}, GangId{3}, GangId{2}}));
  EXPECT_EQ(line.ports.take_told(), "abort 3, abort 2");
  EXPECT_TRUE(line.pipeline.read_only());
  EXPECT_FALSE(line.pipeline.abort(3, line.outside).has_value()) << "aborted with an earlier one";
  EXPECT_EQ(line.pipeline.ready_to_retry(), nullptr) << "the first cycle is on its way";
  line.pipeline.on_durable(1, {});
  ASSERT_NE(line.pipeline.ready_to_retry(), nullptr);
  line.pipeline.retry(4);
  const CycleRecord& carried = *line.ports.appended().back();
  EXPECT_TRUE(carried.recovers);
  EXPECT_TRUE(carried.admitted.empty());
  EXPECT_EQ(carried.first_input, 2u);
  EXPECT_EQ(carried.last_input(), 3u);
  line.pipeline.on_durable(4, {});
  EXPECT_FALSE(line.pipeline.read_only());
}

TEST(Pipeline, ASecondFailureWaitsForTheNextInstant) {
  Line line;
  line.send(1, {});
  line.pipeline.abort(1, line.outside);
  EXPECT_TRUE(line.pipeline.may_retry()) << "at once after the first failure";
  line.pipeline.retry(2);
  line.pipeline.abort(2, line.outside);
  EXPECT_EQ(line.pipeline.ready_to_retry(), nullptr);
  line.pipeline.allow_retry();
  EXPECT_NE(line.pipeline.ready_to_retry(), nullptr);
}

TEST(Pipeline, APlanWithTheOwnersIsVoidAfterAnAbortAndItsInputsAreCarried) {
  Line line;
  line.send(1, {});
  line.pipeline.begin(2, record_of(2), plan_of({7}, 1));
  line.pipeline.to_owners();
  line.pipeline.abort(1, line.outside);
  line.ports.take_told();
  const auto done = line.pipeline.on_owner({2, UINT32_MAX});
  ASSERT_TRUE(done.has_value());
  EXPECT_TRUE(done->is_void);
  EXPECT_EQ(done->accepted, 0u);
  EXPECT_EQ(line.ports.take_told(), "settle 2 from 0");
  line.pipeline.close(*done, line.outside);
  EXPECT_EQ(line.ports.take_told(), "") << "nothing is appended now";
  EXPECT_EQ(line.pipeline.carried().last_input(), 2u);
}

TEST(Pipeline, OfRefusalsOnlyThoseOfGangsInNoQueueAreCarried) {
  Line line;
  line.outside[GangId{1}] = {};
  line.pipeline.begin(1, record_of(1), plan_of({}, 0));
  const auto done = line.pipeline.to_owners();
  for (const std::uint64_t gang : {1u, 2u}) {
    done->record->refused.emplace_back().gang = GangId{gang};
  }
  line.pipeline.close(*done, line.outside);
  line.pipeline.abort(1, line.outside);
  ASSERT_EQ(line.pipeline.carried().refused.size(), 1u);
  EXPECT_EQ(line.pipeline.carried().refused[0].gang, GangId{1});
}

}  // namespace
}  // namespace tessera::core
