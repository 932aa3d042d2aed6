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

/// A condition as its object carries it.
struct WorkloadCondition {
  std::string type, status, reason, message;
  std::int64_t since = INT64_MIN;  // lastTransitionTime; INT64_MIN: absent
};

/// Pods of a pod set that are not needed any more (status.reclaimablePods). A workload that waits
/// asks for the others alone, so the pod set's own count is lower than what was asked for.
struct ReclaimablePods {
  std::string pod_set;
  std::int64_t count = 0;
  std::int64_t asked = 0;                 // spec.podSets[].count
  std::optional<std::int64_t> asked_min;  // spec.podSets[].minCount
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
  bool backs_off = false;               // condition Requeued is False
  bool replaces_pods = false;           // condition WaitingForReplacementPods is True
  std::vector<ReclaimablePods> reclaimable;
  /// Of a workload that waits: what it has besides QuotaReserved and Admitted. For `-o json`.
  std::vector<WorkloadCondition> conditions;
};

}  // namespace tessera::core
