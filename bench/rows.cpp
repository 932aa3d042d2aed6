// SPDX-License-Identifier: Apache-2.0
#include "bench/rows.h"

#include <oneapi/tbb/scalable_allocator.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace tessera::bench {

void add_row(const std::string& name, std::uint32_t nodes, const std::string& state, int timings,
             std::function<void(benchmark::State&)> run) {
  const std::string whole = name + "/" + std::to_string(nodes) + "/" + state;
  benchmark::RegisterBenchmark(whole.c_str(), std::move(run))
      ->Iterations(timings)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

double memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == name + ":" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

double resident() {
  scalable_allocation_command(TBBMALLOC_CLEAN_ALL_BUFFERS, nullptr);
  return memory("VmRSS");
}

const char* text(Traffic traffic) {
  constexpr const char* kTexts[] = {"hot", "random", "flushed", "flushed, lagging"};
  return kTexts[static_cast<std::size_t>(traffic)];
}

double Timings::add(std::chrono::steady_clock::duration taken) {
  const std::chrono::duration<double, std::micro> microseconds = taken;
  microseconds_.push_back(microseconds.count());
  const double seconds = microseconds.count() * 1e-6;
  state_.SetIterationTime(seconds);
  return seconds;
}

void Timings::report() {
  if (microseconds_.empty()) return;
  std::sort(microseconds_.begin(), microseconds_.end());
  state_.counters["p50_us"] = microseconds_[microseconds_.size() / 2];
  state_.counters["p99_us"] = microseconds_[microseconds_.size() * 99 / 100];
  state_.counters["max_us"] = microseconds_.back();
}

}  // namespace tessera::bench
