// SPDX-License-Identifier: Apache-2.0
// A simulation in virtual time: runs a trace of gangs through a Driver and sums up the outcome.
//
// Called by `simulate` and later `tune`. Hands over whole each instant at which gangs arrive or
// end, or at which the driver has a deadline. The driver settles before time goes on, so the
// outcome does not depend on how fast anything ran. Reads no clock. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/engine/driver.h"

namespace tessera::core {

/// One gang of a trace; times in nanoseconds.
struct Arrival {
  std::shared_ptr<const Workload> workload;
  std::int64_t at = 0;
  std::int64_t run = INT64_MAX;  // INT64_MAX: for ever
  /// Time from its admission until all its pods are ready; then `run` begins. Nothing: they are
  /// ready at once, and the driver is not told.
  std::optional<std::int64_t> start = {};
};

/// The cluster before the first arrival. What runs there runs for ever.
struct ClusterGpus {
  std::int64_t usable = 0, in_use = 0;
};

/// Nearest-rank percentiles over `gangs` admitted gangs, in nanoseconds; all 0 without any.
struct Waits {
  std::int64_t gangs = 0;
  std::int64_t p50 = 0, p95 = 0, p99 = 0;
};

/// Gangs of at most 8 GPUs, of 9 to 64, of more.
enum class SizeClass : std::uint8_t { kSmall, kMedium, kLarge };
inline constexpr std::size_t kSizeClasses = 3;
SizeClass size_class(std::int64_t gpus);

struct SimulationResult {
  std::int64_t gangs = 0, admitted = 0, finished = 0;
  std::int64_t evictions = 0;
  std::vector<std::size_t> waiting;  // positions in the trace: hold nothing at the end, unfinished
  std::int64_t decisions = 0;        // admissions and refusals
  Waits waits;                       // from arrival to the last admission
  std::array<Waits, kSizeClasses> waits_by_size;
  /// From the first arrival to the last end of a gang, or, if none ended, the last instant.
  std::int64_t begin = 0, end = 0;
  /// GPU time held by the cluster's own workloads and by admitted gangs, over GPU time of the
  /// usable nodes, both from `begin` to `end`; 0 if there is none.
  double gpu_use = 0;
  std::array<std::uint8_t, 32> hash{};  // of the last record
  EngineCounters counters;
};

/// Hears of admissions, evictions and ends when they become durable, in their order.
class SimulationObserver {
 public:
  virtual ~SimulationObserver() = default;
  virtual void admitted(std::int64_t now, const Admitted& gang) = 0;
  virtual void evicted(std::int64_t now, GangId gang, const Workload& workload) = 0;
  virtual void finished(std::int64_t now, GangId gang, const Workload& workload) = 0;
};

/// `trace` is sorted by time; gangs of one instant arrive in the order of the trace. `observer` may
/// be null.
SimulationResult simulate(Driver& driver, const std::vector<Arrival>& trace,
                          const ClusterGpus& cluster, SimulationObserver* observer = nullptr);

}  // namespace tessera::core
