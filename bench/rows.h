// SPDX-License-Identifier: Apache-2.0
// What the rows of the benchmarks have in common: how they are registered, the states in which they
// are timed, and what they report of many single timings.
//
// One iteration is one timing (manual time), so the mean is google-benchmark's own. The counters
// p50_us, p99_us and max_us hold the median, the 99th percentile and the largest timing.
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
/// The resident memory of the process in bytes, after the allocator has given back what it kept for
/// later.
double resident();

/// Adds the row NAME/NODES/STATE.
void add_row(const std::string& name, std::uint32_t nodes, const std::string& state, int timings,
             std::function<void(benchmark::State&)> run);

/// These two add rows of one size, which share a world. `nodes`: 1,000, 10,000, 100,000 or
/// 1,000,000.
void add_placement_rows(std::uint32_t nodes);
void add_upkeep_rows(std::uint32_t nodes);
/// Adds rows that need worlds of their own; called for each size, after the others.
void add_other_worlds(std::uint32_t nodes);

/// Adds rows of decisions on gang trees.
void add_tree_rows(std::uint32_t nodes);

/// Adds the rows of the whole engine; each row makes an engine of its own.
void add_engine_rows(std::uint32_t nodes);
/// Adds rows of the engine's memory for gangs.
void add_engine_memory_rows();
/// Adds the row of the memory after up to ten million gangs. It takes minutes.
void add_engine_months_row();
/// Adds rows of the time to make the owners of quota. Their `nodes` counts queues.
void add_quota_rows();
/// Adds the row that simulates 30 days in virtual time, or a tenth of them.
void add_simulation_row(bool whole);

/// What is done, untimed, between two timed decisions of one shape.
enum class Traffic : std::uint8_t {
  kHot,      // the gang just placed ends: the same places come again
  kRandom,   // gangs end at random, a few before the first of them is replaced, so that the place
             // taken is most often not the one that was given back last
  kFlushed,  // as kRandom, and no line of the heap is in any cache (bench/cache_flush.h)
  kLagging,  // as kFlushed, and no key follows until a request needs it, as in the product
};
const char* text(Traffic traffic);

class Timings {
 public:
  explicit Timings(benchmark::State& state) : state_(state) {}
  /// Times one call, which counts as one iteration. Returns seconds.
  template <class Work>
  double time(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return add(std::chrono::steady_clock::now() - start);
  }
  /// Adds an iteration that was timed elsewhere. Returns seconds.
  double add(std::chrono::steady_clock::duration taken);
  /// Sets the counters. Called after the last iteration.
  void report();

 private:
  benchmark::State& state_;
  std::vector<double> microseconds_;
};

}  // namespace tessera::bench
