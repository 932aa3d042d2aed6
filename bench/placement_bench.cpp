// SPDX-License-Identifier: Apache-2.0
// Decisions by the plain search: every node is counted for every gang. Time of one decision (count,
// search, descent, booking), median and 99th percentile over 400 decisions on one cluster; each
// gang ends after the next 8 have been placed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <deque>

#include "bench/nvl_world.h"

namespace tessera::bench {
namespace {

constexpr int kDecisions = 400, kLive = 8;

double microseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

void decide(benchmark::State& state, const solver::Gang& gang, double used) {
  NvlWorld world(static_cast<std::uint32_t>(state.range(0)), used);
  const std::vector<solver::PodSetTarget> targets = world.targets();
  const std::vector<std::int64_t> counts{gang.pod_sets[0].count};
  std::vector<double> times;
  std::int64_t placed = 0;
  for (auto _ : state) {
    std::deque<solver::Placement> live;
    for (int i = 0; i < kDecisions; ++i) {
      const auto start = std::chrono::steady_clock::now();
      solver::Answer answer =
          solver::place_gang(gang, counts, targets, world.capacity(), topology::Basis::kFree, {});
      auto* placement = std::get_if<solver::Placement>(&answer);
      if (placement != nullptr) book(world, gang, *placement);
      times.push_back(microseconds(std::chrono::steady_clock::now() - start));
      if (placement == nullptr) continue;
      ++placed;
      live.push_back(std::move(*placement));
      if (live.size() <= kLive) continue;
      release(world, gang, live.front());
      live.pop_front();
    }
    for (const solver::Placement& placement : live) release(world, gang, placement);
  }
  std::sort(times.begin(), times.end());
  state.counters["p50_us"] = times[times.size() / 2];
  state.counters["p99_us"] = times[times.size() * 99 / 100];
  state.counters["placed_share"] = static_cast<double>(placed) / static_cast<double>(times.size());
}

void BM_SlicedBlock(benchmark::State& state) { decide(state, gang(64, 4, "block", 16), 0.2); }
void BM_OneRack(benchmark::State& state) { decide(state, gang(8, 1, "rack", 0), 0.85); }
void BM_CannotFit(benchmark::State& state) { decide(state, gang(19, 4, "rack", 0), 0.85); }

#define NVL_SIZES \
  Arg(1'000)->Arg(10'000)->Arg(100'000)->Iterations(1)->Unit(benchmark::kMillisecond)
BENCHMARK(BM_SlicedBlock)->NVL_SIZES;
BENCHMARK(BM_OneRack)->NVL_SIZES;
BENCHMARK(BM_CannotFit)->NVL_SIZES;

}  // namespace
}  // namespace tessera::bench
