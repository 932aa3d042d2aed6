// SPDX-License-Identifier: Apache-2.0
// PodsReady: how long an admitted workload may take until all its pods are ready, and what follows
// when it takes longer (`waitForPodsReady` of the configuration file, as in Kueue's;
// queues.md 3.2).
//
// Immutable; applied by core's Cycle. Without Kueue's jitter: the same input, the same times.
#pragma once

#include <cstdint>
#include <optional>

namespace tessera::config {

struct PodsReady {
  std::int64_t timeout = 0;  // nanoseconds from admission
  /// requeuingStrategy.timestamp: from then on the time of the eviction orders the workload in its
  /// queue, not the time of its creation (queues.md 1.1).
  bool orders_by_eviction = true;
  /// After so many timeouts the workload still waits again; the next one deactivates it. Nothing:
  /// any number.
  std::optional<std::int64_t> backoff_limit_count;
  std::int64_t backoff_base_seconds = 60, backoff_max_seconds = 3600;

  /// Nanoseconds to wait after the `count`th timeout, from 1: base * 2^(count - 1), at most max.
  std::int64_t backoff(std::int64_t count) const;
};

}  // namespace tessera::config
