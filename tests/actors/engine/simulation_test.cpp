// SPDX-License-Identifier: Apache-2.0
// The simulation over a driver of the test: slots given out first come, first served. Waits, use
// and ends are worked out by hand.
#include "actors/engine/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "actors/records/broken_invariant.h"

namespace tessera::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kSecond = 1'000'000'000;

/// A driver with a number of GPUs. A gang waits for all gangs before it; each settle() decides once
/// more about the first gang that waits. Writes down what it is handed.
class Slots : public Driver {
 public:
  explicit Slots(std::int64_t gpus) : free_(gpus) {}

  void submit(std::vector<Input> inputs) override {
    record_ = std::make_shared<CycleRecord>();
    for (const Input& input : inputs) {
      if (const auto* advance = std::get_if<Advance>(&input)) {
        now_ = advance->now;
        handed += (handed.empty() ? "@" : " @") + std::to_string(now_ / kSecond);
        deadlines.erase(deadlines.begin(), deadlines.upper_bound(now_));
      } else if (const auto* finish = std::get_if<Finish>(&input)) {
        handed += " -" + text(finish->gang);
        free_ += held_.at(finish->gang);
        record_->finished.push_back(finish->gang);
      } else if (const auto* one = std::get_if<Submit>(&input)) {
        const GangId gang{next_++};
        handed += " +" + text(gang);
        waiting_.push_back({gang, one->workload});
        record_->inputs.emplace_back(Submit{one->workload, gang});
      }
    }
  }

  std::vector<std::shared_ptr<const CycleRecord>> settle() override {
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const Submitted& first = waiting_.front();
      const std::int64_t gpus = first.workload->total_gpus();
      if (gpus > free_ || closed_until > now_) {
        record_->refused.emplace_back().gang = first.gang;
        break;
      }
      free_ -= gpus;
      held_[first.gang] = gpus;
      Admitted admitted;
      const auto admission = std::make_shared<Admission>();
      admitted.gang = first.gang;
      admitted.workload = first.workload;
      for (const solver::PodSet& pod_set : first.workload->gang.pod_sets) {
        admission->pod_sets.emplace_back().name = pod_set.name;
        admission->pod_sets.back().count = pod_set.count;
      }
      admitted.admission = admission;
      record_->admitted.push_back(std::move(admitted));
    }
    record_->hash[0] = static_cast<std::uint8_t>(++settled_);
    return {std::move(record_)};
  }

  std::int64_t next_deadline() const override {
    return deadlines.empty() ? INT64_MAX : *deadlines.begin();
  }
  EngineCounters counters() const override {
    EngineCounters counters;
    counters.retries_avoided = 9;
    return counters;
  }

  std::string handed;  // "@5 -1 +2": advance, finish, submit
  std::set<std::int64_t> deadlines;
  std::int64_t closed_until = INT64_MIN;  // nothing is admitted before

 private:
  std::int64_t free_, now_ = 0;
  int settled_ = 0;
  std::deque<Submitted> waiting_;
  std::map<GangId, std::int64_t> held_;
  std::uint64_t next_ = 10;  // the first id
  std::shared_ptr<CycleRecord> record_;
};

/// Gangs in seconds.
class TraceBuilder {
 public:
  TraceBuilder& gang(std::int64_t at, std::int64_t run, std::int64_t gpus) {
    auto workload = std::make_shared<Workload>();
    workload->name = "g" + std::to_string(trace.size());
    solver::PodSet pod_set;
    pod_set.name = "main";
    pod_set.count = gpus;
    pod_set.request.set(topology::gpu_resource(), 1);
    workload->gang.pod_sets.push_back(std::move(pod_set));
    trace.push_back({std::move(workload), at * kSecond, run == kEver ? INT64_MAX : run * kSecond});
    return *this;
  }

  static constexpr std::int64_t kEver = -1;
  std::vector<Arrival> trace;
};
constexpr std::int64_t kEver = TraceBuilder::kEver;

std::string waits_text(const Waits& waits) {
  return std::to_string(waits.gangs) + ": " + std::to_string(waits.p50 / kSecond) + "/" +
         std::to_string(waits.p95 / kSecond) + "/" + std::to_string(waits.p99 / kSecond);
}

TEST(Simulation, HandsOverEachInstantWholeEndsBeforeArrivals) {
  Slots slots(4);
  const auto trace = TraceBuilder().gang(0, 5, 2).gang(0, 5, 2).gang(5, 1, 4).gang(5, 2, 1).trace;
  simulate(slots, trace, {4, 0});
  // Ends of one instant in the order of arrival; 13 waits for 12.
  EXPECT_EQ(slots.handed, "@0 +10 +11 @5 -10 -11 +12 +13 @6 -12 @8 -13");
}

TEST(Simulation, WaitsUseAndEndsAreThoseWorkedOutByHand) {
  Slots slots(4);
  // 0..10 g0 on 4; g1 (2 GPUs) waits 8 s: 10..20; g2 (2 GPUs) waits 7 s: 10..14; 6 idle.
  const auto trace = TraceBuilder().gang(0, 10, 4).gang(2, 10, 2).gang(3, 4, 2).trace;
  const SimulationResult result = simulate(slots, trace, {8, 4});
  EXPECT_EQ(result.gangs, 3);
  EXPECT_EQ(result.admitted, 3);
  EXPECT_EQ(result.finished, 3);
  EXPECT_THAT(result.waiting, IsEmpty());
  EXPECT_EQ(waits_text(result.waits), "3: 7/8/8");
  EXPECT_EQ(result.begin, 0);
  EXPECT_EQ(result.end, 20 * kSecond);
  // 4 GPUs of the state for 20 s, then 40 + 20 + 8 GPU seconds, of 8 GPUs for 20 s.
  EXPECT_DOUBLE_EQ(result.gpu_use, (80.0 + 68.0) / 160.0);
  // Admissions 3; refusals of g1 at 2 s and again at 3 s.
  EXPECT_EQ(result.decisions, 5);
  EXPECT_EQ(result.counters.retries_avoided, 9u);
  EXPECT_EQ(result.hash[0], 6);  // of the record of the last instant: 0, 2, 3, 10, 14, 20
}

TEST(Simulation, GangsThatNeverStartAreReportedAndDoNotHoldUpTheEnd) {
  Slots slots(4);
  const auto trace = TraceBuilder().gang(0, 3, 1).gang(1, 1, 5).gang(2, 1, 1).trace;
  const SimulationResult result = simulate(slots, trace, {4, 0});
  EXPECT_THAT(result.waiting, ElementsAre(1, 2));
  EXPECT_EQ(result.finished, 1);
  EXPECT_EQ(waits_text(result.waits), "1: 0/0/0");
  EXPECT_EQ(result.end, 3 * kSecond);
}

TEST(Simulation, AGangForEverCountsUpToTheLastEnd) {
  Slots slots(4);
  const auto trace = TraceBuilder().gang(0, kEver, 1).gang(0, 10, 2).trace;
  const SimulationResult result = simulate(slots, trace, {4, 0});
  EXPECT_EQ(result.admitted, 2);
  EXPECT_EQ(result.finished, 1);
  EXPECT_DOUBLE_EQ(result.gpu_use, 30.0 / 40.0);
}

TEST(Simulation, AnEndBeyondTheEndOfTimeIsNone) {
  Slots slots(4);
  TraceBuilder builder;
  builder.gang(0, 1, 4).gang(0, 1, 4);
  builder.trace[1].at = builder.trace[1].run = INT64_MAX - 1;
  const SimulationResult result = simulate(slots, builder.trace, {4, 0});
  EXPECT_EQ(result.admitted, 2);
  EXPECT_EQ(result.finished, 1);
}

TEST(Simulation, NoRunTimeEndsInTheInstantOfTheStart) {
  Slots slots(1);
  const auto trace = TraceBuilder().gang(4, 0, 1).gang(4, 0, 1).trace;
  const SimulationResult result = simulate(slots, trace, {1, 0});
  EXPECT_EQ(slots.handed, "@4 +10 +11 @4 -10 @4 -11");
  EXPECT_EQ(result.finished, 2);
  EXPECT_EQ(result.gpu_use, 0);
}

TEST(Simulation, ADeadlineOfTheDriverIsAnInstant) {
  Slots slots(4);
  slots.closed_until = 7 * kSecond;
  slots.deadlines = {7 * kSecond};
  const auto trace = TraceBuilder().gang(0, 1, 4).trace;
  const SimulationResult result = simulate(slots, trace, {4, 0});
  EXPECT_EQ(slots.handed, "@0 +10 @7 @8 -10");
  EXPECT_EQ(waits_text(result.waits), "1: 7/7/7");
}

TEST(Simulation, ADeadlineInThePastEndsLoudly) {
  class Stuck : public Slots {
   public:
    Stuck() : Slots(1) {}
    std::int64_t next_deadline() const override { return 0; }
  };
  Stuck stuck;
  const auto trace = TraceBuilder().gang(1, 1, 1).trace;
  EXPECT_THROW(simulate(stuck, trace, {1, 0}), BrokenInvariant);
}

TEST(Simulation, WaitsAreCountedByTheGpusOfTheGang) {
  Slots slots(1000);
  TraceBuilder builder;
  for (const std::int64_t gpus : {0, 8, 9, 64, 65, 144}) builder.gang(0, 1, gpus);
  const SimulationResult result = simulate(slots, builder.trace, {1000, 0});
  EXPECT_EQ(result.waits_by_size[0].gangs, 2);
  EXPECT_EQ(result.waits_by_size[1].gangs, 2);
  EXPECT_EQ(result.waits_by_size[2].gangs, 2);
}

TEST(Simulation, PercentilesAreTheNearestRank) {
  Slots slots(1);
  TraceBuilder builder;
  for (int i = 0; i < 100; ++i) builder.gang(0, 1, 1);  // gang i waits i seconds
  EXPECT_EQ(waits_text(simulate(slots, builder.trace, {1, 0}).waits), "100: 49/94/98");
}

TEST(Simulation, AnEmptyTraceIsNoRun) {
  Slots slots(1);
  const SimulationResult result = simulate(slots, {}, {1, 1});
  EXPECT_EQ(slots.handed, "");
  EXPECT_EQ(result.gpu_use, 0);
  EXPECT_EQ(waits_text(result.waits), "0: 0/0/0");
}

TEST(Simulation, TheObserverSeesEndsAndStartsInTheirOrder) {
  class Log : public SimulationObserver {
   public:
    void admitted(std::int64_t now, const Admitted& gang) override {
      text += std::to_string(now / kSecond) + "+" + gang.workload->name + " ";
    }
    void evicted(std::int64_t now, GangId, const Workload& workload) override {
      text += std::to_string(now / kSecond) + "%" + workload.name + " ";
    }
    void finished(std::int64_t now, GangId gang, const Workload& workload) override {
      text += std::to_string(now / kSecond) + "-" + workload.name + "#" + core::text(gang) + " ";
    }
    std::string text;
  };
  Slots slots(1);
  Log log;
  simulate(slots, TraceBuilder().gang(0, 2, 1).gang(1, 2, 1).trace, {1, 0}, &log);
  EXPECT_EQ(log.text, "0+g0 2-g0#10 2+g1 4-g1#11 ");
}

}  // namespace
}  // namespace tessera::core
