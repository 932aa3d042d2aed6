// SPDX-License-Identifier: Apache-2.0
// What the coordinator tells each queue next, and which queues hear of a change.
#include "actors/cycle/queue_tracks.h"

#include <gtest/gtest.h>

#include "actors/gangs/gang_table.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

/// Queues a and b in one cohort, c alone; one flavor.
class Tracks {
 public:
  Tracks() {
    test::ClusterBuilder builder;
    builder.hosts("b/r/h:4").flavor("f");
    builder.queue("a", {"f"}, 4, "pool");
    builder.queue("b", {"f"}, 4, "pool");
    builder.queue("c", {"f"}, 4);
    tracks.reset(
        std::make_shared<const Definitions>(std::make_shared<const Inventory>(builder.build())));
  }
  Tracks& sleeps(std::uint32_t queue) {
    Window window;
    window.queue = queue;
    window.sleepers = true;
    tracks.note(window);
    return *this;
  }

  QueueTracks tracks;
};
using Queues = std::set<std::uint32_t>;

Waiting waiting(std::uint64_t gang) { return {GangId{gang}, std::make_shared<Workload>()}; }

TEST(QueueTracks, AQueueNeverHearsOfAGangThatLeavesBeforeItsStep) {
  Tracks t;
  t.tracks.submit(1, waiting(7));
  t.tracks.submit(1, waiting(8));
  t.tracks.remove(1, GangId{7});
  t.tracks.remove(1, GangId{6});
  EXPECT_EQ(t.tracks.touched(), Queues{1});
  const QueueStep step = t.tracks.take_step(1);
  ASSERT_EQ(step.submitted.size(), 1u);
  EXPECT_EQ(step.submitted[0].gang, GangId{8});
  EXPECT_EQ(step.removed, std::vector<GangId>{GangId{6}});
  EXPECT_TRUE(t.tracks.take_step(1).submitted.empty()) << "it was told";
}

TEST(QueueTracks, OnlyQueuesWithSleepersAreWoken) {
  Tracks t;
  t.sleeps(2);
  t.tracks.wake_sleepers();
  EXPECT_EQ(t.tracks.touched(), Queues{2});
  EXPECT_TRUE(t.tracks.take_step(2).wake.all);
}

TEST(QueueTracks, AQueueWhoseOutcomesAreOnTheirWayMayHaveSleepers) {
  Tracks t;
  QueueOutcomes outcomes{0, {}};
  outcomes.outcomes.emplace_back();
  t.tracks.hand_over({outcomes}, 0);
  t.tracks.wake_sleepers();
  EXPECT_TRUE(t.tracks.take_step(0).wake.all);
}

TEST(QueueTracks, FreedQuotaWakesItsTreeAndFreedRoomAll) {
  Tracks t;
  t.sleeps(0).sleeps(1).sleeps(2);
  t.tracks.note_freed(0, nullptr);
  EXPECT_TRUE(t.tracks.touched().empty()) << "before the inputs of the cycle are taken";
  t.tracks.wake_for_freed();
  EXPECT_EQ(t.tracks.touched(), (Queues{0, 1, 2}));
  EXPECT_TRUE(t.tracks.take_step(0).wake.quota);
  EXPECT_TRUE(t.tracks.take_step(1).wake.quota) << "of its cohort";
  EXPECT_FALSE(t.tracks.take_step(2).wake.quota);
  t.tracks.take_touched();
  t.tracks.wake_for_freed();
  EXPECT_TRUE(t.tracks.touched().empty()) << "it was told";
}

TEST(QueueTracks, WhatWasFreedInNoQueueWakesNoQuota) {
  Tracks t;
  t.sleeps(2);
  t.tracks.note_freed(Gang::kNoQueue, nullptr);
  t.tracks.wake_for_freed();
  EXPECT_EQ(t.tracks.touched(), Queues{2});
  EXPECT_FALSE(t.tracks.take_step(2).wake.quota);
}

TEST(QueueTracks, ARefusalIsStaleIfItHopesForPlacementsAndOneCameAfterIt) {
  Tracks t;
  QueueOutcomes outcomes{0, {}};
  for (const std::uint32_t placed_before : {0u, 2u}) {
    TurnOutcome& outcome = outcomes.outcomes.emplace_back();
    outcome.hope.placements = true;
    outcome.placed_before = placed_before;
  }
  t.tracks.hand_over({outcomes}, 2);
  const QueueStep step = t.tracks.take_step(0);
  EXPECT_TRUE(step.outcomes[0].stale);
  EXPECT_FALSE(step.outcomes[1].stale);
}

TEST(QueueTracks, OnlyQueuesThatHopeForPlacementsHearOfThem) {
  Tracks t;
  Window window;
  window.queue = 1;
  window.waits_for_placement = true;
  t.tracks.note(window);
  t.tracks.hand_over({}, 1);
  EXPECT_EQ(t.tracks.touched(), Queues{1});
  EXPECT_TRUE(t.tracks.take_step(1).placed);
}

TEST(QueueTracks, BackOffsAreDueByTheLastWindow) {
  Tracks t;
  Window window;
  window.queue = 1;
  window.next_deadline = 50;
  window.waiting = 3;
  t.tracks.note(window);
  EXPECT_EQ(t.tracks.next_deadline(), 50);
  t.tracks.wake_due(49);
  EXPECT_TRUE(t.tracks.touched().empty());
  t.tracks.wake_due(50);
  EXPECT_EQ(t.tracks.touched(), Queues{1});
  window.waiting = 1;
  t.tracks.note(window);
  EXPECT_EQ(t.tracks.waiting(), 1u);
}

TEST(QueueTracks, ARestoredQueueHearsOfItsGangsAndOfNothingElse) {
  Tracks t;
  t.sleeps(0);
  t.tracks.remove(0, GangId{6});
  t.tracks.wake_all();
  std::vector<Waiting> all;
  all.push_back(waiting(7));
  t.tracks.restore(0, std::move(all));
  const QueueStep step = t.tracks.take_step(0);
  EXPECT_EQ(step.submitted.size(), 1u);
  EXPECT_TRUE(step.removed.empty());
  EXPECT_FALSE(step.wake.any());
}

}  // namespace
}  // namespace tessera::core
