// SPDX-License-Identifier: Apache-2.0
// The life of a gang through the engine: inputs, phases, holdings, back-off (queues.md 3.2).
#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "actors/engine/local_engine.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using Kind = LifeChange::Kind;

constexpr std::int64_t kSecond = 1'000'000'000;
/// The ids that the first two gangs get; Life checks them against the records.
constexpr GangId kGang{1}, kOther{2};

/// Two hosts of 4 GPUs and a queue of 8; the gang asks for all of it.
class Life {
 public:
  explicit Life(const std::optional<config::PodsReady>& pods_ready = {},
                config::Rounds rounds = config::Rounds::kSequential) {
    CycleLimits limits;
    limits.pods_ready = pods_ready;
    EngineOptions options;
    options.profile.rounds = rounds;
    options.live = true;
    engine_ = std::make_unique<LocalEngine>(std::make_shared<const Definitions>(inventory()),
                                            options, limits);
  }

  static std::shared_ptr<const Inventory> inventory() {
    ClusterBuilder builder;
    builder.hosts("b1/r1/h1:4 b1/r1/h2:4").flavor("f").queue("q", {"f"}, 8);
    return std::make_shared<const Inventory>(builder.build());
  }

  void tell(std::vector<Input> instant) {
    engine_->submit(std::move(instant));
    for (auto& record : engine_->settle()) {
      for (const LifeChange& change : record->changes) changes_.push_back(change);
      for (const GangId gang : record->evicted) ++ended_[gang];
      for (const Submitted& each : record->submitted()) {
        EXPECT_EQ(each.workload->name, "w" + text(each.gang));
      }
    }
  }
  void tell(const Input& input) { tell(std::vector<Input>{input}); }
  static Submit submit(GangId gang, std::int64_t pods, std::int64_t created = 1) {
    Workload workload =
        ClusterBuilder().workload("w" + text(gang), {test::pods("main", pods, 4)}, "q");
    workload.created = created;
    return {std::make_shared<const Workload>(workload)};
  }

  /// "Admitted"; "Finished" when it is not known any more.
  std::string phase(GangId gang = kGang) const {
    const Gang* found = engine_->cycle().look().gangs.find(gang);
    return std::string(found != nullptr ? phase_name(found->phase) : "Finished");
  }
  /// GPUs in use for planner, shards, ledger and quota root, which must agree.
  std::int64_t gpus() const {
    const Books& books = engine_->planner().worlds().current();
    const topology::Capacity& capacity = books.capacity();
    std::int64_t used = 0, of_shards = 0;
    for (std::uint32_t c = 0; c < capacity.cells().cell_count(); ++c) {
      const topology::CellId cell{c};
      if (capacity.cells().nodes(cell).empty()) continue;  // a hole of a live tree
      used += 4 - capacity.amount(topology::Basis::kFree, topology::gpu_resource(), cell);
      const ShardId shard = engine_->planner().layout().of(cell);
      of_shards += 4 - engine_->owners().shards[index(shard)]->free(cell, topology::gpu_resource());
    }
    EXPECT_EQ(of_shards, used);
    const QuotaNode queue = *books.ledger().queue("q");
    const QuotaColumn column = *books.ledger().column(queue, Symbol("f"), topology::gpu_resource());
    EXPECT_EQ(books.ledger().usage(queue, column), used);
    const RootState& root = *engine_->owners().roots.at(books.ledger().root(queue));
    EXPECT_EQ(root.ledger().usage(root.own(queue), column), used);
    return used;
  }
  std::int64_t next_deadline() const { return engine_->next_deadline(); }
  const std::vector<LifeChange>& changes() const { return changes_; }
  int ended(GangId gang) const {
    const auto at = ended_.find(gang);
    return at == ended_.end() ? 0 : at->second;
  }

 private:
  std::unique_ptr<LocalEngine> engine_;
  std::vector<LifeChange> changes_;
  std::map<GangId, int> ended_;  // how many evictions of the gang have ended
};

/// How the gang gets into a phase at 10 s.
const std::map<std::string, std::vector<Input>> kWays = {
    {"Pending", {Life::submit(kGang, 2, 2), Life::submit(kOther, 2)}},
    {"Suspended", {Life::submit(kGang, 2), Suspend{kGang}}},
    {"Admitted", {Life::submit(kGang, 2)}},
    {"Running", {Life::submit(kGang, 2)}},   // and Started
    {"Evicting", {Life::submit(kGang, 2)}},  // and Evict, pods_run, until 50 s
    {"Evicted", {Life::submit(kGang, 2), Evict{kGang, 50 * kSecond}}},
};

void bring_to(Life& life, const std::string& phase) {
  life.tell(Advance{10 * kSecond});
  life.tell(kWays.at(phase));
  if (phase == "Running") life.tell(Started{kGang});
  if (phase == "Evicting") life.tell(Evict{kGang, 50 * kSecond, true});
}

const std::pair<const char*, Input> kInputs[] = {
    {"Started", Started{kGang}},
    {"Evict", Evict{kGang}},
    {"Evict until 60 s", Evict{kGang, 60 * kSecond}},
    {"Evict, pods run", Evict{kGang, INT64_MIN, true}},
    {"PodsGone", PodsGone{kGang}},
    {"Suspend", Suspend{kGang}},
    {"Resume", Resume{kGang}},
    {"50 s", Advance{50 * kSecond}},
    {"Finish", Finish{kGang}},
};

/// A gang that waits and has room is admitted at once.
const std::map<std::string, std::vector<const char*>> kNext = {
    {"Pending",
     {"Pending", "Pending", "Evicted", "Pending", "Pending", "Suspended", "Pending", "Pending",
      "Finished"}},
    {"Suspended",
     {"Suspended", "Suspended", "Suspended", "Suspended", "Suspended", "Suspended", "Admitted",
      "Suspended", "Finished"}},
    {"Admitted",
     {"Running", "Admitted", "Evicted", "Evicting", "Admitted", "Evicting", "Admitted", "Admitted",
      "Finished"}},
    {"Running",
     {"Running", "Admitted", "Evicted", "Evicting", "Running", "Evicting", "Running", "Running",
      "Finished"}},
    {"Evicting",
     {"Evicting", "Evicted", "Evicted", "Evicting", "Evicted", "Evicting", "Evicting", "Evicting",
      "Finished"}},
    {"Evicted",
     {"Evicted", "Admitted", "Evicted", "Admitted", "Evicted", "Suspended", "Evicted", "Admitted",
      "Finished"}},
};

TEST(Lifecycle, EveryInputInEveryPhase) {
  for (const config::Rounds rounds : {config::Rounds::kSequential, config::Rounds::kKueue}) {
    for (const auto& [phase, row] : kNext) {
      for (std::size_t i = 0; i < std::size(kInputs); ++i) {
        const auto& [name, input] = kInputs[i];
        Life life({}, rounds);
        bring_to(life, phase);
        ASSERT_EQ(life.phase(), phase);
        life.tell(input);
        EXPECT_EQ(life.phase(), row[i]) << phase << ", " << name;
        const bool held = life.phase() == "Admitted" || life.phase() == "Running" ||
                          life.phase() == "Evicting" || phase == "Pending";
        EXPECT_EQ(life.gpus(), held ? 8 : 0) << phase << ", " << name;
        // Whatever happened, its end gives everything back, once.
        life.tell({Finish{kGang}, Finish{kOther}, PodsGone{kGang}, Finish{kGang}});
        EXPECT_EQ(life.gpus(), 0) << phase << ", " << name;
      }
    }
  }
}

TEST(Lifecycle, WhatIsEvictedKeepsItsPlaceUntilItsPodsAreGone) {
  Life life;
  bring_to(life, "Running");
  life.tell(Life::submit(kOther, 1, 2));
  life.tell(Evict{kGang, 50 * kSecond, true});
  EXPECT_EQ(life.phase(kOther), "Pending");
  EXPECT_EQ(life.gpus(), 8);
  life.tell(PodsGone{kGang});
  EXPECT_EQ(life.phase(kGang), "Evicted");
  EXPECT_EQ(life.phase(kOther), "Admitted");
  EXPECT_EQ(life.gpus(), 4);
  life.tell({PodsGone{kGang}, Finish{kOther}});
  EXPECT_EQ(life.ended(kGang), 1) << "once is enough";
  EXPECT_EQ(life.next_deadline(), 50 * kSecond);
  life.tell(Advance{50 * kSecond});
  EXPECT_EQ(life.phase(kGang), "Admitted");
}

TEST(Lifecycle, WhatIsSuspendedWhileItRunsStaysOutUntilItIsResumed) {
  Life life;
  bring_to(life, "Running");
  life.tell(Suspend{kGang});
  ASSERT_EQ(life.changes().size(), 3U);
  EXPECT_EQ(life.changes()[2].kind, Kind::kEvicting);
  EXPECT_EQ(life.changes()[2].reason, EvictionReason::kDeactivated);
  life.tell(PodsGone{kGang});
  EXPECT_EQ(life.phase(), "Suspended");
  EXPECT_EQ(life.gpus(), 0);
  life.tell(Advance{1000 * kSecond});
  EXPECT_EQ(life.phase(), "Suspended");
  life.tell(Resume{kGang});
  EXPECT_EQ(life.phase(), "Admitted");
}

TEST(Lifecycle, WhatIsResumedBeforeItsPodsAreGoneWaitsForThem) {
  Life life;
  bring_to(life, "Running");
  life.tell({Suspend{kGang}, Resume{kGang}});
  EXPECT_EQ(life.phase(), "Evicting");
  life.tell(PodsGone{kGang});
  EXPECT_EQ(life.phase(), "Admitted");
}

TEST(Lifecycle, TheLastOfSuspendAndResumeInOneInstantCounts) {
  Life life;
  bring_to(life, "Pending");
  life.tell({Suspend{kGang}, Resume{kGang}, Finish{kOther}});
  EXPECT_EQ(life.phase(), "Admitted");
  Life other;
  bring_to(other, "Suspended");
  other.tell({Resume{kGang}, Suspend{kGang}});
  EXPECT_EQ(other.phase(), "Suspended");
}

TEST(Lifecycle, NewDefinitionsChangeNoPhase) {
  for (const char* phase : {"Suspended", "Running", "Evicting", "Evicted"}) {
    Life life;
    bring_to(life, phase);
    life.tell(Redefine{Life::inventory()});
    EXPECT_EQ(life.phase(), phase);
    EXPECT_EQ(life.gpus(), *phase == 'S' || life.phase() == "Evicted" ? 0 : 8) << phase;
  }
}

TEST(Lifecycle, TheEndOfAnEvictionWakesTheQuotaOfItsQueueAfterNewDefinitions) {
  Life life;
  bring_to(life, "Running");
  life.tell(Life::submit(kOther, 2, 2));
  life.tell(Suspend{kGang});
  life.tell(Redefine{Life::inventory()});
  EXPECT_EQ(life.phase(kOther), "Pending");
  life.tell(PodsGone{kGang});
  EXPECT_EQ(life.phase(kOther), "Admitted");
}

TEST(NodeFailures, AGangOnADeletedNodeIsEvictedAndKeepsTheRestUntilItsPodsAreGone) {
  Life life;
  bring_to(life, "Running");
  life.tell(Life::submit(kOther, 1, 2));
  life.tell(NodeDelete{Symbol("h1")});
  EXPECT_EQ(life.phase(kGang), "Evicting");
  EXPECT_EQ(life.changes().back().reason, EvictionReason::kNodeFailures);
  EXPECT_EQ(life.phase(kOther), "Pending");
  life.tell(PodsGone{kGang});
  EXPECT_EQ(life.phase(kGang), "Pending") << "one host is left";
  EXPECT_EQ(life.phase(kOther), "Admitted");
  EXPECT_EQ(life.gpus(), 4);
}

TEST(NodeFailures, OthersStay) {
  Life life;
  life.tell(Life::submit(kGang, 1));
  life.tell(Life::submit(kOther, 1, 2));
  life.tell(NodeDelete{Symbol("unknown")});
  EXPECT_TRUE(life.changes().empty());
  life.tell(NodeDelete{Symbol("h1")});
  ASSERT_EQ(life.changes().size(), 1U);
  const GangId evicted = life.changes()[0].gang;
  EXPECT_EQ(life.phase(evicted), "Evicting");
  EXPECT_EQ(life.phase(evicted == kGang ? kOther : kGang), "Admitted");
}

/// The first reason stands, and so does its back-off.
TEST(Lifecycle, ASecondEvictOfAGangThatIsBeingEvictedChangesNothing) {
  Life life;
  bring_to(life, "Evicting");
  life.tell(Evict{kGang, 90 * kSecond, true});
  ASSERT_EQ(life.changes().size(), 1U);
  EXPECT_EQ(life.changes()[0].requeue_at, 50 * kSecond);
  EXPECT_EQ(life.ended(kGang), 0);
  life.tell(PodsGone{kGang});
  EXPECT_EQ(life.next_deadline(), 50 * kSecond);
}

TEST(NodeFailures, WhatIsEvictedOrEndsAnywayIsNotEvictedForIt) {
  Life life;
  bring_to(life, "Evicting");
  life.tell(NodeDelete{Symbol("h1")});
  EXPECT_EQ(life.changes().size(), 1U) << "the first reason stands";
  Life other;
  bring_to(other, "Running");
  other.tell({Finish{kGang}, NodeDelete{Symbol("h1")}});
  EXPECT_EQ(other.changes().size(), 1U) << "its start";
  EXPECT_EQ(other.phase(), "Finished");
  EXPECT_EQ(other.gpus(), 0);
}

config::PodsReady rule(std::optional<std::int64_t> limit = {}) {
  config::PodsReady rule;
  rule.timeout = 300 * kSecond;
  rule.backoff_limit_count = limit;
  return rule;
}

TEST(PodsReady, AGangThatIsNotInTimeIsEvictedAndComesBackAfterItsBackOff) {
  Life life(rule());
  life.tell({Advance{0}, Life::submit(kGang, 2)});
  std::int64_t now = 0;
  for (const std::int64_t back_off : {60, 120, 240, 480, 960, 1920, 3600, 3600}) {
    ASSERT_EQ(life.next_deadline(), now + 300 * kSecond);
    life.tell(Advance{now + 300 * kSecond - 1});
    ASSERT_EQ(life.phase(), "Admitted");
    now += 300 * kSecond;
    life.tell(Advance{now});
    ASSERT_EQ(life.phase(), "Evicting");
    EXPECT_EQ(life.changes().back().reason, EvictionReason::kPodsReadyTimeout);
    EXPECT_EQ(life.changes().back().requeue_at, now + back_off * kSecond);
    life.tell(PodsGone{kGang});
    ASSERT_EQ(life.phase(), "Evicted");
    now += back_off * kSecond;
    ASSERT_EQ(life.next_deadline(), now);
    life.tell(Advance{now});
    ASSERT_EQ(life.phase(), "Admitted");
  }
  EXPECT_EQ(life.changes().back().requeues, 8);
}

TEST(PodsReady, AGangThatIsInTimeHasNoDeadlineAnyMore) {
  Life life(rule());
  life.tell({Advance{0}, Life::submit(kGang, 2)});
  life.tell({Advance{299 * kSecond}, Started{kGang}});
  EXPECT_EQ(life.next_deadline(), INT64_MAX);
  life.tell(Advance{400 * kSecond});
  EXPECT_EQ(life.phase(), "Running");
}

TEST(PodsReady, OneTimeoutAboveTheLimitDeactivates) {
  Life life(rule(1));
  life.tell({Advance{0}, Life::submit(kGang, 2)});
  life.tell({Advance{300 * kSecond}, PodsGone{kGang}});
  life.tell(Advance{360 * kSecond});
  ASSERT_EQ(life.phase(), "Admitted");
  life.tell(Advance{660 * kSecond});
  ASSERT_EQ(life.changes().size(), 3U);
  EXPECT_EQ(life.changes()[1].kind, Kind::kSuspended);
  EXPECT_EQ(life.changes()[2].reason, EvictionReason::kDeactivated);
  life.tell(PodsGone{kGang});
  EXPECT_EQ(life.phase(), "Suspended");
  EXPECT_EQ(life.next_deadline(), INT64_MAX);
  life.tell(Resume{kGang});  // evictions are counted from the first again
  life.tell(Advance{960 * kSecond});
  EXPECT_EQ(life.changes().back().requeues, 1);
}

Submit put_off(std::int64_t until, std::int64_t requeues) {
  auto workload = std::make_shared<Workload>(*Life::submit(kGang, 2).workload);
  workload->status.requeue_at = until;
  workload->status.requeues = requeues;
  return {std::move(workload)};
}

TEST(PodsReady, AWorkloadThatComesInItsBackOffWaitsForTheEndAndCountsOn) {
  Life life(rule(3));
  life.tell({Advance{10 * kSecond}, put_off(60 * kSecond, 3)});
  EXPECT_EQ(life.phase(), "Evicted");
  EXPECT_EQ(life.next_deadline(), 60 * kSecond);
  life.tell(Advance{60 * kSecond});
  EXPECT_EQ(life.phase(), "Admitted");
  life.tell({Advance{360 * kSecond}, PodsGone{kGang}});
  EXPECT_EQ(life.phase(), "Suspended") << "the fourth is one too many";
}

TEST(PodsReady, WithoutATimeNothingIsPutOff) {
  Life life;
  life.tell(put_off(60 * kSecond, 1));
  EXPECT_EQ(life.phase(), "Admitted");
}

struct OrderCase {
  const char* name;
  bool by_eviction;
  const char *first, *second;  // phases of the gang that timed out and of a later one
};
const OrderCase kOrders[] = {{"by eviction", true, "Pending", "Admitted"},
                             {"by creation", false, "Admitted", "Pending"}};

TEST(PodsReady, TheTimestampSaysWhoGoesFirstAfterATimeout) {
  for (const OrderCase& each : kOrders) {
    config::PodsReady chosen = rule();
    chosen.orders_by_eviction = each.by_eviction;
    chosen.backoff_base_seconds = 0;
    Life life(chosen);
    life.tell({Advance{0}, Life::submit(kGang, 2)});
    life.tell(Life::submit(kOther, 2, 2));
    life.tell({Advance{300 * kSecond}, PodsGone{kGang}});
    EXPECT_EQ(life.phase(kGang), each.first) << each.name;
    EXPECT_EQ(life.phase(kOther), each.second) << each.name;
  }
}

}  // namespace
}  // namespace tessera::core
