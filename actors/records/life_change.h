// SPDX-License-Identifier: Apache-2.0
// LifeChange: what a cycle did to the life of a workload beside admitting, ending and refusing it
// (design.md 3, "gang").
//
// A value, part of CycleRecord: durable when it is handed out. Names follow the conditions of
// Kueue's Workload.
#pragma once

#include <cstdint>

#include "actors/records/gang_id.h"

namespace tessera::core {

enum class EvictionReason : std::uint8_t {
  kRequested,    // by an Evict
  kDeactivated,  // by a Suspend, or after the last timeout that was allowed
  kPodsReadyTimeout,
  kNodeFailures,
};

struct LifeChange {
  enum class Kind : std::uint8_t {
    kStarted,    // all its pods are ready
    kSuspended,  // it waits in no queue until it is resumed
    kResumed,
    kEvicting,  // it keeps what it holds until its pods are gone (CycleRecord::evicted)
  } kind = Kind::kStarted;
  GangId gang{};
  // kEvicting:
  EvictionReason reason = EvictionReason::kRequested;
  std::int64_t requeue_at = INT64_MIN;  // the earliest time at which it is in its queue again
  std::int64_t requeues = 0;            // how often its pods were late, this time included
};

}  // namespace tessera::core
