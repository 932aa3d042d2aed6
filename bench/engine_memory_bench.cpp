// SPDX-License-Identifier: Apache-2.0
// The engine's memory for gangs. Three rows: a live gang with its actor, without the API object;
// the whole process with a million gangs submitted; the whole process after up to ten million gangs
// that came and went, which must not grow with their number.
//
// Live gangs have 8 pods of 1 GPU; the cluster is large enough for 100,000 of them. API objects are
// made before memory is measured.
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/engine_load.h"
#include "bench/gangs.h"
#include "bench/rows.h"

namespace tessera::bench {
namespace {

constexpr std::uint32_t kNodes = 250'000;
constexpr std::size_t kFirst = 10'000, kLive = 100'000, kSubmitted = 1'000'000;
constexpr std::size_t kInstant = 4'000;

std::vector<core::Input> arrivals(EngineLoad& load, std::size_t count, const solver::Gang& gang) {
  std::vector<core::Input> inputs;
  inputs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) inputs.push_back(load.arrival(gang));
  return inputs;
}

/// Returns how many were admitted.
std::size_t submit(EngineLoad& load, const std::vector<core::Input>& inputs) {
  std::size_t admitted = 0;
  for (std::size_t at = 0; at < inputs.size(); at += kInstant) {
    const auto from = inputs.begin() + static_cast<std::ptrdiff_t>(at);
    const auto count = static_cast<std::ptrdiff_t>(std::min(kInstant, inputs.size() - at));
    admitted += load.run({from, from + count});
  }
  return admitted;
}

void run_live(benchmark::State& state) {
  const solver::Gang gang = nvl_gangs()[kOneRack];
  for (auto _ : state) {
    EngineLoad load({.nodes = kNodes});
    submit(load, arrivals(load, kFirst, gang));  // now all is there that does not grow with gangs
    const std::vector<core::Input> inputs = arrivals(load, kLive, gang);
    const double before = resident();
    const std::size_t admitted = submit(load, inputs);
    if (admitted != kLive) return state.SkipWithError("gangs are not live");
    state.counters["bytes_a_gang"] = (resident() - before) / static_cast<double>(kLive);
  }
}

/// All gangs but the live ones wait: no rack has room for one of them.
void run_submitted(benchmark::State& state) {
  for (auto _ : state) {
    EngineLoad load({.nodes = kNodes});
    const std::size_t admitted = submit(load, arrivals(load, kLive, nvl_gangs()[kOneRack]));
    if (admitted != kLive) return state.SkipWithError("gangs are not live");
    for (std::size_t left = kSubmitted - kLive; left > 0; left -= std::min(left, kInstant)) {
      load.run(arrivals(load, std::min(left, kInstant), waiting_gang()));
    }
    state.counters["bytes"] = resident();
  }
}

/// 4,000 gangs are live at once. Names are never used twice. One gang of 64 also has a request of
/// its own, so that anything kept by shape, request or key for ever would show.
void run_months(benchmark::State& state) {
  constexpr std::uint32_t kTrays = 10'000;
  constexpr std::size_t kMillion = 1'000'000, kArrivals = 252, kOdd = 4;
  constexpr std::int64_t kFilled = 80;
  for (auto _ : state) {
    EngineLoad load({.nodes = kTrays});
    load.fill(kFilled);
    for (const std::size_t millions : {1, 2, 5, 10}) {
      while (load.arrivals() < millions * kMillion) {
        std::vector<core::Input> inputs = load.instant(kArrivals);
        for (std::size_t i = 0; i < kOdd; ++i) {
          inputs.push_back(load.end_of_any());
          inputs.push_back(load.arrival(odd_gang(static_cast<std::int64_t>(load.arrivals()))));
        }
        load.run(std::move(inputs));
      }
      state.counters["rss_after_" + std::to_string(millions) + "M"] = resident();
      std::fprintf(stderr, "%zu million gangs: %zu live, %.1f MB\n", millions, load.live(),
                   resident() / static_cast<double>(kMillion));
    }
  }
}

}  // namespace

void add_engine_months_row() { add_row("BM_EngineMonths", 10'000, "10M gangs", 1, run_months); }

void add_engine_memory_rows() {
  add_row("BM_EngineGang", kNodes, "live", 1, run_live);
  add_row("BM_EngineRss", kNodes, "1M submitted", 1, run_submitted);
}

}  // namespace tessera::bench
