// SPDX-License-Identifier: Apache-2.0
// The whole engine: inputs in, committed cycles out, on a cluster of GB200 trays of which gangs use
// 85 %. The rows measure gangs per second, messages per gang, the time of a single submit, retries
// avoided, and how long the other gangs wait while one gang of a hundred is hard to search for.
//
// `--benchmark_filter=Engine` runs these rows, `Engine.*local` the base line alone. An instant
// hands over 250 gangs and 250 random ends. One timing holds 16 instants one after the other and
// the settle() after them; making the inputs is not timed.
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bench/engine_load.h"
#include "bench/rows.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t kUsedPercent = 85;
constexpr std::size_t kArrivals = 250;  // of an instant, and as many ends
constexpr std::size_t kInstantsAtOnce = 16;
constexpr int kWarmUp = 40, kInstants = 15, kSubmits = 3'000;
constexpr std::size_t kWaiting = 1'000;
constexpr Runner kRunners[] = {Runner::kLocal, Runner::kActors};

/// What the counters gained over some instants.
struct Gain {
  core::EngineCounters from;
  explicit Gain(const core::Driver& driver) : from(driver.counters()) {}

  /// `waiting`: gangs that waited all the time. An engine that tries each of them in every cycle
  /// evaluates `waiting` times the cycles.
  void report(const core::Driver& driver, std::size_t ends, std::size_t waiting,
              benchmark::State& state) const {
    const core::EngineCounters to = driver.counters();
    const auto gained = [&](std::uint64_t core::EngineCounters::*counter) {
      return static_cast<double>(to.*counter - from.*counter);
    };
    const double solves = gained(&core::EngineCounters::solves);
    const double retries = static_cast<double>(waiting) * gained(&core::EngineCounters::cycles);
    state.counters["messages_a_gang"] =
        gained(&core::EngineCounters::messages) / gained(&core::EngineCounters::admitted);
    state.counters["solves_an_end"] = solves / static_cast<double>(ends);
    state.counters["cycles"] = gained(&core::EngineCounters::cycles);
    if (waiting == 0) return;
    state.counters["avoided_percent"] =
        100 * (1 - gained(&core::EngineCounters::refused) / retries);
  }
};

/// Instants of the steady state. `waiting`: how many gangs wait all the time, since nothing helps
/// them.
void run_steady(benchmark::State& state, std::uint32_t nodes, Runner runner, std::size_t waiting) {
  EngineLoad load({.nodes = nodes, .runner = runner});
  load.fill(kUsedPercent);
  std::vector<core::Input> waiting_inputs;
  for (std::size_t i = 0; i < waiting; ++i) waiting_inputs.push_back(load.arrival(waiting_gang()));
  load.run(std::move(waiting_inputs));
  for (int i = 0; i < kWarmUp; ++i) load.run(load.instant(kArrivals));
  const Gain gain(load.driver());
  std::size_t admitted = 0, handed_over = 0;
  Timings timings(state);
  double seconds = 0;
  for (auto _ : state) {
    std::vector<std::vector<core::Input>> instants;
    for (std::size_t i = 0; i < kInstantsAtOnce; ++i) instants.push_back(load.instant(kArrivals));
    std::vector<std::shared_ptr<const core::CycleRecord>> records;
    seconds += timings.time([&] {
      for (std::vector<core::Input>& inputs : instants) load.driver().submit(std::move(inputs));
      records = load.driver().settle();
    });
    admitted += load.take(records);
    handed_over += kArrivals * kInstantsAtOnce;
  }
  state.counters["gangs_per_second"] = static_cast<double>(admitted) / seconds;
  state.counters["placed_share"] = static_cast<double>(admitted) / static_cast<double>(handed_over);
  gain.report(load.driver(), handed_over, waiting, state);
}

/// One gang comes and another ends on an engine that has nothing else to do.
void run_submits(benchmark::State& state, std::uint32_t nodes, Runner runner) {
  EngineLoad load({.nodes = nodes, .runner = runner});
  load.fill(kUsedPercent);
  for (int i = 0; i < kWarmUp; ++i) load.run(load.instant(1));
  std::size_t admitted = 0;
  Timings timings(state);
  for (auto _ : state) {
    std::vector<core::Input> inputs = load.instant(1);
    const core::Input arrival = std::move(inputs.back());
    inputs.pop_back();
    load.run(std::move(inputs));
    std::vector<std::shared_ptr<const core::CycleRecord>> records;
    timings.time([&] {
      load.driver().submit({arrival});
      records = load.driver().settle();
    });
    admitted += load.take(records);
  }
  timings.report();
  state.counters["placed_share"] =
      static_cast<double>(admitted) / static_cast<double>(state.iterations());
}

constexpr std::size_t kOthers = 5'000, kEveryAdversary = 100, kAdversariesWait = 4;
constexpr std::chrono::microseconds kPace{1'000};

using Clock = std::chrono::steady_clock;

/// What the records say of each workload. The journal's thread writes it, and the thread of the
/// benchmark reads it.
class Stamps {
 public:
  void take(const core::CycleRecord& record, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    for (const core::Submitted& each : record.submitted())
      ids_.emplace(each.workload.get(), each.gang);
    for (const core::Admitted& each : record.admitted) placed_.emplace(each.workload.get(), now);
  }
  /// Nothing: no durable record names the workload yet.
  std::optional<core::GangId> id(const core::Workload* workload) const {
    const std::lock_guard lock(mutex_);
    const auto at = ids_.find(workload);
    return at == ids_.end() ? std::nullopt : std::optional(at->second);
  }
  std::optional<Clock::time_point> placed(const core::Workload* workload) const {
    const std::lock_guard lock(mutex_);
    const auto at = placed_.find(workload);
    return at == placed_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const core::Workload*, core::GangId> ids_;
  std::unordered_map<const core::Workload*, Clock::time_point> placed_;
};

/// Notes when the admission of each gang became durable.
class StampedJournal : public actors::Journal {
 public:
  explicit StampedJournal(Stamps& stamps) : stamps_(&stamps) {}
  Result<actors::Hash> append(const std::shared_ptr<const core::CycleRecord>& record) override {
    Result<actors::Hash> hash = memory_.append(record);
    stamps_->take(*record, Clock::now());
    return hash;
  }

 private:
  Stamps* stamps_;
  actors::MemoryJournal memory_;
};

enum class Adversaries : std::uint8_t { kNone, kSome, kHard, kHardInCycle };
struct OthersRow {
  const char* name;
  Adversaries adversaries;
};
constexpr OthersRow kOthersRows[] = {{"calm", Adversaries::kNone},
                                     {"disturbed", Adversaries::kSome},
                                     {"hard", Adversaries::kHard},
                                     {"hard, in the cycle", Adversaries::kHardInCycle}};

/// How long each gang waits, from its submission until its admission is durable. Gangs come at a
/// fixed pace, whether or not the engine keeps up. Every hundredth gang is an adversary; it ends
/// when four more adversaries have come.
std::vector<Clock::duration> waits_of_others(std::uint32_t nodes, Adversaries kind,
                                             std::uint64_t& deferred) {
  const bool disturbed = kind != Adversaries::kNone;
  Stamps stamps;
  EngineSpec spec{
      .nodes = nodes, .balanced = true, .journal = std::make_unique<StampedJournal>(stamps)};
  if (kind == Adversaries::kHardInCycle) spec.max_steps = INT64_MAX;
  EngineLoad load(std::move(spec));
  load.fill(kUsedPercent);
  using Gang = std::shared_ptr<const core::Workload>;
  std::vector<std::pair<Gang, Clock::time_point>> sent;
  std::deque<Gang> adversaries;
  Clock::time_point next = Clock::now();
  for (std::size_t i = 0; sent.size() < kOthers; ++i) {
    std::this_thread::sleep_until(next += kPace);
    std::vector<core::Input> inputs;
    if (disturbed && i % kEveryAdversary == kEveryAdversary - 1) {
      const std::size_t number = i / kEveryAdversary;
      inputs.push_back(load.arrival(kind == Adversaries::kSome ? adversary(nodes, number)
                                                               : hard_adversary(number)));
      adversaries.push_back(load.last_arrival());
      const auto id = stamps.id(adversaries.front().get());
      if (adversaries.size() > kAdversariesWait && id) {
        inputs.emplace_back(core::Finish{*id});
        adversaries.pop_front();
      }
      load.driver().submit(std::move(inputs));
      continue;
    }
    inputs = load.instant(1);
    sent.emplace_back(load.last_arrival(), Clock::now());
    load.driver().submit(std::move(inputs));
  }
  load.take(load.driver().settle());
  deferred = load.driver().counters().deferred;
  std::vector<Clock::duration> waits;
  for (const auto& [gang, since] : sent) {
    const auto placed = stamps.placed(gang.get());
    if (placed) waits.push_back(*placed - since);
  }
  return waits;
}

void run_others(benchmark::State& state, std::uint32_t nodes, Adversaries kind) {
  std::uint64_t deferred = 0;
  const std::vector<Clock::duration> waits = waits_of_others(nodes, kind, deferred);
  Timings timings(state);
  std::size_t next = 0;
  for (auto _ : state) timings.add(next < waits.size() ? waits[next++] : Clock::duration{});
  timings.report();
  state.counters["placed_share"] = static_cast<double>(waits.size()) / static_cast<double>(kOthers);
  state.counters["searches_in_background"] = static_cast<double>(deferred);
}

}  // namespace

void add_engine_rows(std::uint32_t nodes) {
  for (const Runner runner : kRunners) {
    const std::string name = text(runner);
    add_row("BM_Engine", nodes, name, kInstants,
            [=](benchmark::State& state) { run_steady(state, nodes, runner, 0); });
    add_row("BM_EngineBacklog", nodes, name, kInstants,
            [=](benchmark::State& state) { run_steady(state, nodes, runner, kWaiting); });
    add_row("BM_EngineSubmit", nodes, name, kSubmits,
            [=](benchmark::State& state) { run_submits(state, nodes, runner); });
  }
  for (const OthersRow& row : kOthersRows) {
    add_row("BM_EngineOthers", nodes, row.name, kOthers,
            [=](benchmark::State& state) { run_others(state, nodes, row.adversaries); });
  }
}

}  // namespace tessera::bench
