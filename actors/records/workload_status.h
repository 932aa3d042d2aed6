// SPDX-License-Identifier: Apache-2.0
// WorkloadStatus: what became of a workload before it came here, as the `status` of its object
// says: its conditions, its admission, its back-off.
//
// Filled by ingest/ together with the workload, immutable afterwards. The engine reads it once,
// when the gang is submitted or found held at the start. From then on the GangTable owns these
// facts and the catalogue tells them; nobody writes them back here. Times are nanoseconds since
// the epoch, or virtual.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/records/assignment.h"

namespace tessera::core {

enum class CheckState { kPending, kReady, kRetry, kRejected };
struct WorkloadCheck {
  std::string name;
  CheckState state = CheckState::kPending;
};

/// A workload with `admission` holds its quota and domains. A finished one holds nothing and is
/// not placed.
struct WorkloadStatus {
  bool finished = false;
  bool quota_reserved = false;
  bool evicted = false;
  bool pods_ready = false;  // all pods of the admission are ready
  std::vector<WorkloadCheck> checks;
  std::optional<Admission> admission;
  std::int64_t admitted_at = INT64_MIN;  // of the admission; INT64_MIN: unknown
  // status.requeueState
  std::int64_t requeue_at = INT64_MIN;  // end of the back-off
  std::int64_t requeues = 0;            // how often its pods were not ready in time
};

}  // namespace tessera::core
