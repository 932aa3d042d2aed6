// SPDX-License-Identifier: Apache-2.0
// A simulation as `simulate` runs it, through the engine behind actors: 200,000 gangs of 1 to 256
// GPUs over 30 virtual days on 10,000 trays, about 85 % in use. By default it runs a tenth of that.
#include <algorithm>
#include <chrono>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "actors/engine/simulation.h"
#include "bench/engine_load.h"
#include "bench/gangs.h"
#include "bench/rows.h"

namespace tessera::bench {
namespace {

constexpr std::uint32_t kNodes = 10'000;
constexpr std::int64_t kSecond = 1'000'000'000, kDay = 86'400 * kSecond;
constexpr std::int64_t kDays = 30;
constexpr std::size_t kGangs = 200'000;

/// 24 GPUs in the mean; with the runs of trace() about 85 % of the trays.
solver::Gang gang_of(std::uint32_t permille) {
  if (permille < 25) return sliced_gang(64, true);
  if (permille < 225) return sliced_gang(16, true);
  solver::Gang gang = nvl_gangs()[kOneRack];
  if (permille < 400) gang.pod_sets[0].count = 1;
  return gang;
}

std::vector<core::Arrival> trace(EngineLoad& load, std::size_t gangs, std::int64_t span) {
  constexpr std::int64_t kShortest = 1'800 * kSecond, kLongest = 34'200 * kSecond;
  std::mt19937_64 random(gangs);
  std::vector<std::int64_t> times(gangs);
  for (std::int64_t& time : times) {
    time = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span));
  }
  std::sort(times.begin(), times.end());
  std::vector<core::Arrival> trace;
  for (const std::int64_t time : times) {
    const auto submit =
        std::get<core::Submit>(load.arrival(gang_of(static_cast<std::uint32_t>(random() % 1'000))));
    const auto run = kShortest + static_cast<std::int64_t>(random() % (kLongest - kShortest));
    trace.push_back({submit.workload, time, run});
  }
  return trace;
}

void run_days(benchmark::State& state, int part) {
  EngineLoad load({.nodes = kNodes});
  const std::vector<core::Arrival> arrivals =
      trace(load, kGangs / static_cast<std::size_t>(part), kDays * kDay / part);
  Timings timings(state);
  core::SimulationResult result;
  for (auto _ : state) {
    state.counters["seconds"] = timings.time([&] {
      result = core::simulate(load.driver(), arrivals, {load.gpus(), 0});
    });
  }
  state.counters["used_share"] = result.gpu_use;
  state.counters["placed_share"] =
      static_cast<double>(result.admitted) / static_cast<double>(result.gangs);
  state.counters["p99_wait_seconds"] =
      static_cast<double>(result.waits.p99) / static_cast<double>(kSecond);
}

}  // namespace

void add_simulation_row(bool whole) {
  constexpr int kTenth = 10;
  add_row("BM_EngineSimulation", kNodes, whole ? "whole" : "tenth", 1,
          [=](benchmark::State& state) { run_days(state, whole ? 1 : kTenth); });
}

}  // namespace tessera::bench
