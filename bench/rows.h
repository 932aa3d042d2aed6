// SPDX-License-Identifier: Apache-2.0
// What the rows of the solver's benchmarks have in common: how they are registered, the states that
// they are timed in, and what they report of many single timings.
//
// One iteration is one timed decision (manual time), so the mean is google-benchmark's own; the
// median, the 99th percentile and the largest are counters p50_us, p99_us and max_us.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tessera::bench {

/// A line of /proc/self/status ("VmRSS"), in bytes.
double memory(const std::string& name);
/// What the process holds of the machine's memory, in bytes, once the allocator gave back what it
/// kept for later.
double resident();

/// Adds the row NAME/NODES/STATE.
void add_row(const std::string& name, std::uint32_t nodes, const std::string& state, int timings,
             std::function<void(benchmark::State&)> run);

/// Rows of one size, so that they share its world; `nodes`: 1,000, 10,000, 100,000 or 1,000,000.
void add_placement_rows(std::uint32_t nodes);
void add_upkeep_rows(std::uint32_t nodes);
/// Rows that need a world of their own; once a size, behind the others.
void add_other_worlds(std::uint32_t nodes);

/// The whole engine: a world of its own for each row.
void add_engine_rows(std::uint32_t nodes);
/// What gangs take of the engine's memory.
void add_engine_memory_rows();
/// The memory after up to ten million gangs. Minutes.
void add_engine_months_row();
/// What owners of quota take to make; `nodes` counts queues.
void add_quota_rows();
/// 30 days in virtual time, or a tenth of them.
void add_simulation_row(bool whole);

/// What is done, untimed, between two timed decisions of one shape.
enum class Traffic : std::uint8_t {
  kHot,      // the gang just placed ends: the same places come again
  kRandom,   // gangs end at random, a few before the first of them is replaced, so that the place
             // taken is most often not the one that was given back last
  kFlushed,  // as kRandom, and no line of the heap is in any cache (bench/cache_flush.h)
};
const char* text(Traffic traffic);

class Timings {
 public:
  explicit Timings(benchmark::State& state) : state_(state) {}
  /// Times one call; it counts as one iteration. Seconds.
  template <class Work>
  double time(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return add(std::chrono::steady_clock::now() - start);
  }
  /// An iteration that was timed elsewhere. Seconds.
  double add(std::chrono::steady_clock::duration taken);
  /// Sets the counters; after the last iteration.
  void report();

 private:
  benchmark::State& state_;
  std::vector<double> microseconds_;
};

}  // namespace tessera::bench
