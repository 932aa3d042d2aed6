// SPDX-License-Identifier: Apache-2.0
// PodsReady: how long an admitted workload may take until all its pods are ready, and what follows
// when it takes longer (`waitForPodsReady` of the configuration file, as in Kueue's;
// queues.md 3.2).
//
// Immutable; applied by core's Cycle. There is no jitter as in Kueue: the same input gives the same
// times.
#pragma once

#include <cstdint>
#include <optional>

namespace tessera::config {

struct PodsReady {
  std::int64_t timeout = 0;  // nanoseconds from admission
  /// requeuingStrategy.timestamp. True (Eviction): the time of the eviction then gives the workload
  /// its place in the queue. False (Creation): the time of creation still does (queues.md 1.1).
  bool orders_by_eviction = true;
  /// After so many timeouts the workload still waits again; the next timeout deactivates it.
  /// Nothing: no timeout ever deactivates it.
  std::optional<std::int64_t> backoff_limit_count;
  std::int64_t backoff_base_seconds = 60, backoff_max_seconds = 3600;

  /// Nanoseconds to wait after the `count`th timeout, from 1: base * 2^(count - 1), at most max.
  std::int64_t backoff(std::int64_t count) const;
};

}  // namespace tessera::config
