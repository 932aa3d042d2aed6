// SPDX-License-Identifier: Apache-2.0
#include "bench/rows.h"

#include <jemalloc/jemalloc.h>

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
  // Gives back at once what it would give back in ten seconds.
  const std::string purge = "arena." + std::to_string(MALLCTL_ARENAS_ALL) + ".purge";
  mallctl(purge.c_str(), nullptr, nullptr, nullptr, 0);
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
