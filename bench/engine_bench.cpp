// SPDX-License-Identifier: Apache-2.0
// The whole engine: inputs in, committed cycles out, on a cluster of GB200 trays of which gangs use
// 85 %: gangs a second, messages a gang, what a single submit takes, and retries avoided.
//
// `--benchmark_filter=Engine` runs these rows, `Engine.*local` the base line alone. An instant
// hands over 2,000 gangs and 2,000 random ends; submit() and settle() are timed together, the
// making of the inputs is not.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/engine_load.h"
#include "bench/rows.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t kUsedPercent = 85;
constexpr std::size_t kArrivals = 2'000;  // and as many ends: one cycle takes 4,096 inputs
constexpr int kWarmUp = 5, kInstants = 25, kSubmits = 3'000;
constexpr std::size_t kWaiting = 1'000;
constexpr Runner kRunners[] = {Runner::kLocal, Runner::kActors};

/// What the counters gained over some instants.
struct Gain {
  core::EngineCounters from;
  explicit Gain(const core::Driver& driver) : from(driver.counters()) {}

  /// `waiting` gangs waited all the time: an engine that tries each of them in every cycle would
  /// have evaluated them so often.
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

/// Instants of the steady state; `waiting` gangs that nothing helps wait all the time.
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
    std::vector<core::Input> inputs = load.instant(kArrivals);
    std::vector<std::shared_ptr<const core::CycleRecord>> records;
    seconds += timings.time([&] {
      load.driver().submit(std::move(inputs));
      records = load.driver().settle();
    });
    admitted += load.take(records);
    handed_over += kArrivals;
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
}

}  // namespace tessera::bench
