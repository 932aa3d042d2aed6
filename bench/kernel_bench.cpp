// SPDX-License-Identifier: Apache-2.0
// A full count by each counting kernel: 4 resources, filters on, chunk by chunk as the index does;
// hot, and with the caches emptied before each count. Median and 99th percentile of single counts.
// BM_FullCount reads CPU and memory in 32 bits and GPUs and pods in 16, as the index does for this
// request. BM_FullCountWide reads all in 32 bits, as the index does for requests that the small
// kernel cannot serve. Limits (docs/performance.md): 0.22-0.28 ns per node hot, 0.5-0.6 ns cold.
// Target: 35 us at 100,000 nodes hot.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <vector>

#include "solver/counting/count_kernel.h"
#include "solver/counting/small_kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera::bench {
namespace {

using solver::CountKernel;
using solver::CountTerm;
using solver::Divider31;
using solver::SmallTerm;

constexpr std::size_t kChunk = 4'096, kResources = 4;
constexpr std::size_t kLine = 64;  // bytes of a cache line

/// Takes the bytes out of all caches. On machines other than x86-64 it walks over 64 MiB instead,
/// which does not empty a larger shared cache.
void flush(const void* data, std::size_t bytes) {
#if defined(__x86_64__)
  const char* const begin = static_cast<const char*>(data);
  for (std::size_t at = 0; at < bytes; at += kLine) _mm_clflush(begin + at);
  _mm_clflush(begin + bytes - 1);
  _mm_mfence();
#else
  static_cast<void>(data);
  static_cast<void>(bytes);
  static std::vector<std::uint8_t> other(std::size_t{64} << 20);
  for (std::size_t at = 0; at < other.size(); at += kLine) ++other[at];
  benchmark::DoNotOptimize(other.data());
#endif
}

double microseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

/// NVL trays (milli-CPU, MiB, GPUs, pods): 85 % of the GPUs are used, 2 % of the nodes excluded.
class Cells {
 public:
  explicit Cells(std::size_t nodes)
      : nodes_(nodes),
        free_((nodes + kChunk - 1) / kChunk * kChunk * kResources),
        wide_(free_.size() / 2),
        small_(free_.size() / 2),
        verdict_(nodes),
        codes_(nodes) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> share(0, 1);
    for (std::size_t i = 0; i < nodes; ++i) {
      const int used = share(random) < 0.85 ? 4 : static_cast<int>(random() % 4);
      std::int32_t* const cell = free_.data() + i / kChunk * kChunk * kResources + i % kChunk;
      cell[0 * kChunk] = 136'800 - used * 30'000;
      cell[1 * kChunk] = 960 * 1'024 - used * 200 * 1'024;
      cell[2 * kChunk] = 4 - used;
      cell[3 * kChunk] = 110 - used - static_cast<int>(random() % 8);
      const std::size_t half = i / kChunk * kChunk * 2 + i % kChunk;
      for (std::size_t r = 0; r < 2; ++r) {
        wide_[half + r * kChunk] = cell[r * kChunk];
        small_[half + r * kChunk] = static_cast<std::int16_t>(cell[(r + 2) * kChunk]);
      }
      verdict_[i] = share(random) < 0.02 ? 1 : 0;
    }
  }

  std::size_t nodes() const { return nodes_; }

  void flush_all() const {
    flush(wide_.data(), wide_.size() * sizeof(std::int32_t));
    flush(small_.data(), small_.size() * sizeof(std::int16_t));
    flush(verdict_.data(), verdict_.size() * sizeof(std::uint16_t));
    flush(codes_.data(), codes_.size() * sizeof(std::int32_t));
  }

  /// Returns how many cells have no room, so that the compiler can leave out no count.
  std::int64_t count(CountKernel kernel) {
    std::int64_t tally[kResources] = {};
    for (std::size_t begin = 0; begin < nodes_; begin += kChunk) {
      SmallTerm terms[kResources];
      for (std::size_t r = 0; r < kResources; ++r) {
        terms[r] = *solver::small_term(kPerPod[r], kBits[r], r >= 2);
        if (r < 2) {
          terms[r].wide = wide_.data() + begin * 2 + r * kChunk;
        } else {
          terms[r].small = small_.data() + begin * 2 + (r - 2) * kChunk;
        }
      }
      solver::count_small_cells_by(kernel, terms, verdict_.data() + begin,
                                   std::min(kChunk, nodes_ - begin), codes_.data() + begin, tally);
    }
    benchmark::DoNotOptimize(codes_.data());
    return tally[0] + tally[1] + tally[2] + tally[3];
  }
  std::int64_t count_wide(CountKernel kernel) {
    std::int64_t tally[kResources] = {};
    for (std::size_t begin = 0; begin < nodes_; begin += kChunk) {
      CountTerm terms[kResources];
      for (std::size_t r = 0; r < kResources; ++r) {
        terms[r] = {free_.data() + begin * kResources + r * kChunk, 0, Divider31(kPerPod[r])};
      }
      solver::count_cells_by(kernel, terms, verdict_.data() + begin,
                             std::min(kChunk, nodes_ - begin), codes_.data() + begin, tally);
    }
    benchmark::DoNotOptimize(codes_.data());
    return tally[0] + tally[1] + tally[2] + tally[3];
  }

 private:
  std::size_t nodes_;
  // One chunk after the other. A chunk has a row for each resource: four in free_, two in the
  // others.
  std::vector<std::int32_t> free_, wide_;
  std::vector<std::int16_t> small_;
  std::vector<std::uint16_t> verdict_;
  std::vector<std::int32_t> codes_;
  static constexpr std::int32_t kPerPod[kResources] = {12'000, 100'000, 1, 1};
  static constexpr int kBits[kResources] = {18, 20, 15, 15};
};

enum class Run : std::uint8_t { kHot, kFlushed, kWide };

void full_count(benchmark::State& state, CountKernel kernel, Run run) {
  if (!solver::has_kernel(kernel)) {
    state.SkipWithError("this machine has no such kernel");
    return;
  }
  Cells cells(static_cast<std::size_t>(state.range(0)));
  const bool flushed = run == Run::kFlushed;
  const auto count = [&] {
    return run == Run::kWide ? cells.count_wide(kernel) : cells.count(kernel);
  };
  const std::size_t counts = flushed ? 200 : std::max<std::size_t>(400, 40'000'000 / cells.nodes());
  std::vector<double> times;
  count();
  for (auto _ : state) {
    for (std::size_t i = 0; i < counts; ++i) {
      if (flushed) cells.flush_all();
      const auto start = std::chrono::steady_clock::now();
      benchmark::DoNotOptimize(count());
      times.push_back(microseconds(std::chrono::steady_clock::now() - start));
    }
  }
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  state.counters["p50_us"] = median;
  state.counters["p99_us"] = times[times.size() * 99 / 100];
  state.counters["ns_per_node"] = 1'000 * median / static_cast<double>(cells.nodes());
}

void BM_FullCount(benchmark::State& state, CountKernel kernel) {
  full_count(state, kernel, Run::kHot);
}
void BM_FullCountWide(benchmark::State& state, CountKernel kernel) {
  full_count(state, kernel, Run::kWide);
}
void BM_FullCountFlushed(benchmark::State& state, CountKernel kernel) {
  full_count(state, kernel, Run::kFlushed);
}

/// Short runs, as decisions touch them. Timed by the loop: single calls are too short for the
/// clock.
void BM_ShortRun(benchmark::State& state, CountKernel kernel) {
  if (!solver::has_kernel(kernel)) {
    state.SkipWithError("this machine has no such kernel");
    return;
  }
  Cells cells(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(cells.count_wide(kernel));
}

#define KERNEL_SIZES                                                          \
  Arg(1'000)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Iterations(1)->Unit( \
      benchmark::kMillisecond)
BENCHMARK_CAPTURE(BM_FullCount, plain, CountKernel::kPlain)->KERNEL_SIZES;
BENCHMARK_CAPTURE(BM_FullCount, eight_lanes, CountKernel::kEightLanes)->KERNEL_SIZES;
BENCHMARK_CAPTURE(BM_FullCount, sixteen_lanes, CountKernel::kSixteenLanes)->KERNEL_SIZES;
BENCHMARK_CAPTURE(BM_FullCountWide, plain, CountKernel::kPlain)->KERNEL_SIZES;
BENCHMARK_CAPTURE(BM_FullCountWide, eight_lanes, CountKernel::kEightLanes)->KERNEL_SIZES;
BENCHMARK_CAPTURE(BM_FullCountWide, sixteen_lanes, CountKernel::kSixteenLanes)->KERNEL_SIZES;
BENCHMARK_CAPTURE(BM_FullCountFlushed, plain, CountKernel::kPlain)->KERNEL_SIZES;
BENCHMARK_CAPTURE(BM_FullCountFlushed, eight_lanes, CountKernel::kEightLanes)->KERNEL_SIZES;
BENCHMARK_CAPTURE(BM_FullCountFlushed, sixteen_lanes, CountKernel::kSixteenLanes)->KERNEL_SIZES;
BENCHMARK_CAPTURE(BM_ShortRun, plain, CountKernel::kPlain)->Arg(16)->Arg(64)->Arg(71);
BENCHMARK_CAPTURE(BM_ShortRun, eight_lanes, CountKernel::kEightLanes)->Arg(16)->Arg(64)->Arg(71);
BENCHMARK_CAPTURE(BM_ShortRun, sixteen_lanes, CountKernel::kSixteenLanes)
    ->Arg(16)
    ->Arg(64)
    ->Arg(71);

}  // namespace
}  // namespace tessera::bench
