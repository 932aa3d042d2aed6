// SPDX-License-Identifier: Apache-2.0
// The table of gangs: what each input does to a life, and what follows from it for queues, owners
// and record.
#include "actors/gangs/gang_table.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace tessera::core {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::shared_ptr<Workload> named(const std::string& name) {
  auto workload = std::make_shared<Workload>();
  workload->namespace_name = "ns";
  workload->name = name;
  return workload;
}

config::PodsReady rule() {
  config::PodsReady rule;
  rule.timeout = 300 * kSecond;
  rule.backoff_limit_count = 1;
  return rule;
}

/// "started evicting! suspended resumed; evicted; leaves queue 3; waits": in the order of LifeStep.
std::string text_of(const LifeStep& step) {
  constexpr const char* kChanges[] = {"started", "suspended", "resumed", "evicting"};
  constexpr const char* kReasons[] = {"", " deactivated", " late", " node"};
  constexpr const char* kNext[] = {"stays", "waits", "aside", "ends", "grows"};
  std::string text;
  for (const LifeChange& change : step.changes) {
    text += kChanges[static_cast<int>(change.kind)];
    text += kReasons[static_cast<int>(change.reason)];
    text += "; ";
  }
  if (step.evicted) text += "evicted; ";
  if (step.stopped_growing) text += "stops growing; ";
  if (step.left == LifeStep::Left::kHoldings) text += step.admission ? "gives back; " : "lost; ";
  if (step.left == LifeStep::Left::kQueue) {
    text += step.queue == Gang::kNoQueue ? "left nothing; " : "left its queue; ";
  }
  return text + kNext[static_cast<int>(step.next)];
}

/// One gang, at 10 s, with the rule of 300 s.
class OneGang {
 public:
  explicit OneGang(const std::string& phase) : table(rule()) {
    table.advance(10 * kSecond);
    id = table.submit(named("a")).gang;
    table.put_in_queue(id, 3);
    if (phase == "Suspended") table.take(Suspend{id});
    if (phase == "Evicted") {
      table.take(Evict{id, 50 * kSecond});
      table.put_in_queue(id, 3);
    }
    if (phase == "Pending" || phase == "Suspended" || phase == "Evicted") return;
    table.admit({id, named("a"), std::make_shared<const Admission>(), {}});
    if (phase == "Running") table.take(Started{id});
    if (phase == "Evicting") table.take(Evict{id, 50 * kSecond, true});
  }
  std::string phase() const {
    const Gang* gang = table.find(id);
    return gang == nullptr ? "Finished" : std::string(phase_name(gang->phase));
  }

  GangTable table;
  GangId id{};
};

struct StepCase {
  const char* phase;
  const char* input;
  const char* step;
  const char* after;
  friend std::ostream& operator<<(std::ostream& out, const StepCase& c) {
    return out << c.phase << ", " << c.input;
  }
};

const StepCase kSteps[] = {
    {"Pending", "started", "stays", "Pending"},
    {"Pending", "evict", "evicted; left its queue; waits", "Pending"},
    {"Pending", "evict until 60", "evicted; left its queue; waits", "Evicted"},
    {"Pending", "pods gone", "stays", "Pending"},
    {"Pending", "suspend", "suspended; left its queue; aside", "Suspended"},
    {"Pending", "resume", "stays", "Pending"},
    {"Pending", "stranded", "stays", "Pending"},
    {"Pending", "finish", "left its queue; ends", "Finished"},
    {"Suspended", "evict", "stays", "Suspended"},
    {"Suspended", "suspend", "stays", "Suspended"},
    {"Suspended", "resume", "resumed; left nothing; waits", "Pending"},
    {"Suspended", "finish", "left nothing; ends", "Finished"},
    {"Admitted", "started", "started; stays", "Running"},
    {"Admitted", "evict", "evicted; gives back; waits", "Pending"},
    {"Admitted", "evict, pods run", "evicting; stays", "Evicting"},
    {"Admitted", "suspend", "suspended; evicting deactivated; stays", "Evicting"},
    {"Admitted", "stranded", "evicting node; stays", "Evicting"},
    {"Admitted", "finish", "gives back; ends", "Finished"},
    {"Running", "started", "stays", "Running"},
    {"Running", "evict until 60", "evicted; gives back; waits", "Evicted"},
    {"Running", "pods gone", "stays", "Running"},
    {"Evicting", "evict, pods run", "stays", "Evicting"},
    {"Evicting", "evict", "evicted; gives back; waits", "Evicted"},
    {"Evicting", "pods gone", "evicted; gives back; waits", "Evicted"},
    {"Evicting", "suspend", "suspended; stays", "Evicting"},
    {"Evicting", "stranded", "stays", "Evicting"},
    {"Evicting", "finish", "gives back; ends", "Finished"},
    {"Evicted", "evict until 60", "evicted; left its queue; waits", "Evicted"},
    {"Evicted", "suspend", "suspended; left its queue; aside", "Suspended"},
    {"Evicted", "finish", "left its queue; ends", "Finished"},
};

LifeInput input_of(const std::string& text, GangId id) {
  if (text == "started") return Started{id};
  if (text == "finish") return Finish{id};
  if (text == "evict") return Evict{id};
  if (text == "evict until 60") return Evict{id, 60 * kSecond};
  if (text == "evict, pods run") return Evict{id, 70 * kSecond, true};
  if (text == "pods gone") return PodsGone{id};
  if (text == "suspend") return Suspend{id};
  if (text == "resume") return Resume{id};
  return Stranded{id};
}

class GangTableSteps : public testing::TestWithParam<StepCase> {};

TEST_P(GangTableSteps, SayWhatFollowsAndWhereTheGangIs) {
  OneGang one(GetParam().phase);
  ASSERT_EQ(one.phase(), GetParam().phase);
  EXPECT_EQ(text_of(one.table.take(input_of(GetParam().input, one.id))), GetParam().step);
  EXPECT_EQ(one.phase(), GetParam().after);
}
INSTANTIATE_TEST_SUITE_P(All, GangTableSteps, testing::ValuesIn(kSteps));

TEST(GangTable, IdsBeginWithOneAndGoOnBehindThoseThatHoldSomething) {
  GangTable fresh(std::nullopt);
  EXPECT_EQ(fresh.submit(named("a")).gang, GangId{1});
  EXPECT_EQ(fresh.submit(named("a")).gang, GangId{2});
  GangTable held(std::nullopt);
  held.adopt({GangId{7}, named("a"), std::make_shared<const Admission>(), {}});
  EXPECT_EQ(held.submit(named("b")).gang, GangId{8});
}

TEST(GangTable, AnIdIsNotGivenAgainWhenItsGangHasEnded) {
  GangTable table(std::nullopt);
  table.take(Finish{table.submit(named("a")).gang});
  EXPECT_EQ(table.submit(named("a")).gang, GangId{2});
}

TEST(GangTable, AnUnknownGangIsNeitherMadeNorRecorded) {
  GangTable table(std::nullopt);
  for (const char* input : {"started", "finish", "evict", "pods gone", "suspend", "resume"}) {
    EXPECT_EQ(text_of(table.take(input_of(input, GangId{9}))), "stays") << input;
  }
  EXPECT_TRUE(table.ids().empty());
}

/// The first reason stands, and so does its back-off.
TEST(GangTable, ASecondEvictionLeavesTheFirstReasonAndBackOff) {
  OneGang one("Admitted");
  one.table.advance(310 * kSecond);
  ASSERT_EQ(one.table.pop_due(), one.id);
  EXPECT_EQ(text_of(one.table.fall_due(one.id)), "evicting late; stays");
  const std::int64_t until = one.table.find(one.id)->not_before;
  EXPECT_EQ(text_of(one.table.take(Evict{one.id, 9'000 * kSecond, true})), "stays");
  EXPECT_EQ(text_of(one.table.take(Stranded{one.id})), "stays");
  EXPECT_EQ(one.table.find(one.id)->not_before, until);
  one.table.take(PodsGone{one.id});
  EXPECT_EQ(one.table.next_deadline(), until);
}

TEST(GangTable, DeadlinesComeByTimeThenByGang) {
  GangTable table(std::nullopt);
  table.advance(0);
  for (int i = 0; i < 4; ++i) table.submit(named("a"));
  table.set_deadline(GangId{3}, 5);
  table.set_deadline(GangId{2}, 5);
  table.set_deadline(GangId{4}, 4);
  table.set_deadline(GangId{1}, 9);
  table.set_deadline(GangId{1}, 6);
  table.advance(5);
  EXPECT_EQ(table.pop_due(), GangId{4});
  EXPECT_EQ(table.pop_due(), GangId{2});
  EXPECT_EQ(table.pop_due(), GangId{3});
  EXPECT_EQ(table.pop_due(), std::nullopt);
  EXPECT_EQ(table.next_deadline(), 6);
}

TEST(GangTable, TimeDoesNotGoBack) {
  GangTable table(std::nullopt);
  table.advance(5);
  table.advance(3);
  EXPECT_EQ(table.now(), 5);
}

TEST(GangTable, WhatBecomesOfAGangCopiesNothingThatWasAsked) {
  config::PodsReady late = rule();
  late.orders_by_eviction = true;
  GangTable table(late);
  table.advance(10 * kSecond);
  const std::shared_ptr<const Workload> asked = named("a");
  const GangId id = table.submit(asked).gang;
  table.take(Suspend{id});
  EXPECT_FALSE(table.find(id)->active);
  table.take(Resume{id});
  EXPECT_TRUE(table.find(id)->active);
  table.admit({id, asked, std::make_shared<const Admission>(), {}});
  table.advance(table.next_deadline());
  ASSERT_EQ(table.pop_due(), id);
  table.fall_due(id);
  EXPECT_EQ(table.find(id)->evicted_at, 310 * kSecond);
  EXPECT_EQ(table.find(id)->workload, asked);
  EXPECT_TRUE(asked->active);
  EXPECT_EQ(asked->created, INT64_MIN);
}

TEST(GangTable, OneThatIsLateTooOftenIsSuspended) {
  OneGang one("Admitted");
  for (const char* step : {"evicting late; stays", "suspended; evicting deactivated; stays"}) {
    one.table.advance(one.table.next_deadline());
    ASSERT_EQ(one.table.pop_due(), one.id);
    EXPECT_EQ(text_of(one.table.fall_due(one.id)), step);
    if (one.table.find(one.id)->requeues == 0) break;
    one.table.take(PodsGone{one.id});
    one.table.advance(one.table.next_deadline());
    ASSERT_EQ(one.table.pop_due(), one.id);
    EXPECT_EQ(text_of(one.table.fall_due(one.id)), "stays") << "its back-off is over";
    one.table.admit({one.id, named("a"), std::make_shared<const Admission>(), {}});
  }
}

TEST(GangTable, AVoidAdmissionWaitsAgainAndAnEvictionMeanwhileStands) {
  OneGang admitted("Admitted"), evicting("Evicting"), pending("Pending");
  EXPECT_EQ(text_of(admitted.table.void_admission({admitted.id, nullptr, nullptr, {}})), "waits");
  EXPECT_EQ(admitted.phase(), "Pending");
  EXPECT_EQ(admitted.table.next_deadline(), INT64_MAX) << "of its pods";
  EXPECT_EQ(text_of(evicting.table.void_admission({evicting.id, nullptr, nullptr, {}})),
            "evicted; waits");
  EXPECT_EQ(evicting.phase(), "Evicted");
  EXPECT_EQ(text_of(pending.table.void_admission({pending.id, nullptr, nullptr, {}})), "stays");
}

TEST(GangTable, AVoidAdmissionOfASuspendedGangStandsAside) {
  OneGang one("Admitted");
  one.table.take(Suspend{one.id});
  EXPECT_EQ(text_of(one.table.void_admission({one.id, nullptr, nullptr, {}})), "evicted; aside");
  EXPECT_EQ(one.phase(), "Suspended");
}

/// A gang tree of four pods; three of them are in its admission.
std::shared_ptr<const Workload> tree() {
  const auto workload = named("tree");
  workload->gang.pod_sets.resize(1);
  workload->gang.pod_sets[0].name = "main";
  workload->gang.pod_sets[0].count = 4;
  workload->gang.groups.resize(1);
  return workload;
}
std::shared_ptr<const Admission> admission_of(std::int64_t pods) {
  auto admission = std::make_shared<Admission>();
  admission->pod_sets.resize(1);
  admission->pod_sets[0].name = "main";
  admission->pod_sets[0].count = pods;
  return admission;
}

class GrowingGang {
 public:
  GrowingGang() : table(std::nullopt) {
    id = table.submit(tree()).gang;
    table.put_in_queue(id, 3);
    table.admit(first);
  }
  std::int64_t pods() const { return table.find(id)->admission->pod_sets[0].count; }
  bool grows() const { return table.find(id)->grows; }

  GangTable table;
  GangId id{1};
  Admitted first{id, tree(), admission_of(2), {}};
  Admitted next{id, tree(), admission_of(1), {}, true};
};

TEST(GangTable, AGangTreeGrowsUntilItHasAllInWhateverPhaseItRuns) {
  GrowingGang one;
  EXPECT_TRUE(one.grows());
  one.table.admit(one.next);
  EXPECT_TRUE(one.grows());
  one.table.take(Started{one.id});
  one.table.admit(one.next);
  EXPECT_FALSE(one.grows());
  EXPECT_EQ(one.pods(), 4);
  EXPECT_EQ(one.table.find(one.id)->phase, GangPhase::kRunning);
}

TEST(GangTable, AVoidGrowthTakesOnlyItselfAway) {
  GrowingGang one;
  one.table.admit(one.next);
  EXPECT_EQ(text_of(one.table.void_admission(one.next)), "stays") << "its queue has it";
  EXPECT_EQ(one.pods(), 2);
  one.table.admit(one.next);
  one.table.admit(one.next);
  EXPECT_EQ(text_of(one.table.void_admission(one.next)), "grows") << "it had all";
  EXPECT_EQ(one.pods(), 3);
  EXPECT_EQ(text_of(one.table.void_admission(one.next)), "stays");
  EXPECT_EQ(text_of(one.table.void_admission(one.first)), "stops growing; waits");
  EXPECT_EQ(text_of(one.table.void_admission(one.next)), "stays") << "it holds nothing";
}

TEST(GangTable, AGangThatLeavesOrIsEvictedGrowsNoMore) {
  GrowingGang finished, evicting, evicted;
  EXPECT_EQ(text_of(finished.table.take(Finish{finished.id})), "stops growing; gives back; ends");
  EXPECT_EQ(text_of(evicted.table.take(Evict{evicted.id})),
            "evicted; stops growing; gives back; waits");
  evicting.table.admit(evicting.next);
  EXPECT_EQ(text_of(evicting.table.take(Evict{evicting.id, INT64_MIN, true})),
            "evicting; stops growing; stays");
  EXPECT_EQ(text_of(evicting.table.void_admission(evicting.next)), "stays");
  EXPECT_EQ(evicting.pods(), 2);
  EXPECT_EQ(text_of(evicting.table.take(PodsGone{evicting.id})), "evicted; gives back; waits");
}

TEST(GangTable, OfThoseThatHoldSomethingAtTheStartOnlyGangTreesGrow) {
  GangTable table(std::nullopt);
  const auto flat = named("flat");
  flat->gang.pod_sets = tree()->gang.pod_sets;
  table.adopt({GangId{1}, tree(), admission_of(3), {}});
  table.adopt({GangId{2}, tree(), admission_of(4), {}});
  table.adopt({GangId{3}, flat, admission_of(3), {}});
  EXPECT_TRUE(table.find(GangId{1})->grows);
  EXPECT_FALSE(table.find(GangId{2})->grows);
  EXPECT_FALSE(table.find(GangId{3})->grows);
}

TEST(GangTable, TheFirstTimeStartsDeadlinesOfUnknownAdmissions) {
  GangTable table(rule());
  const auto known = named("known");
  known->status.admitted_at = 40 * kSecond;
  const auto ready = named("ready");
  ready->status.pods_ready = true;
  table.adopt({GangId{1}, named("unknown"), std::make_shared<const Admission>(), {}});
  table.adopt({GangId{2}, known, std::make_shared<const Admission>(), {}});
  table.adopt({GangId{3}, ready, std::make_shared<const Admission>(), {}});
  EXPECT_EQ(table.next_deadline(), 340 * kSecond);
  table.advance(20 * kSecond);
  EXPECT_EQ(table.find(GangId{1})->deadline, 320 * kSecond);
  EXPECT_EQ(table.find(GangId{2})->deadline, 340 * kSecond);
  EXPECT_EQ(table.find(GangId{3})->deadline, INT64_MAX);
}

}  // namespace
}  // namespace tessera::core
