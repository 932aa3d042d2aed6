// SPDX-License-Identifier: Apache-2.0
// Workload: a gang, and all that the queues need to know about it: queue, priority, times, uid,
// state and, if it is admitted, what it holds. The engine turns Kueue's Workload and every other
// kind of job into this form.
//
// Filled by ingest/, read by core. Times are nanoseconds, since the epoch or virtual; core never
// looks at a clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/records/assignment.h"
#include "solver/gang/gang.h"
#include "topology/result.h"

namespace tessera::core {

/// The object a workload was read from, e.g. batch/v1 Job "eval-a".
struct Origin {
  std::string api_version, kind, name, uid;
  /// "job/eval-a", "jobset/pretrain", or "workload/x" for a Workload of its own.
  std::string display() const;
};

enum class CheckState { kPending, kReady, kRetry, kRejected };
struct WorkloadCheck {
  std::string name;
  CheckState state = CheckState::kPending;
};

struct Workload {
  std::string namespace_name, name, uid;
  Origin origin;
  std::string origin_label;   // "<k>.<n>": value of tessera.dev/origin; empty for Workload objects
                              // of the input
  std::string queue;          // LocalQueue name in namespace_name; empty: none named
  bool queue_is_kai = false;  // `queue` is the name of a KAI Queue instead
  std::string priority_class;
  std::int64_t priority = 0;
  std::int64_t created = INT64_MIN;  // queue-order time (queues.md 1.1); missing = earliest
  solver::Gang gang;
  std::vector<Amounts> quota_requests;  // per pod set, one pod, quota side (queues.md 4)
  /// Per pod set, a number for its containers: equal numbers mean equal containers. Empty: unknown.
  std::vector<std::uint32_t> templates;

  // State. A workload with `admission` holds its quota and domains; a finished one holds nothing
  // and is not placed.
  bool active = true;  // spec.active
  bool finished = false;
  bool quota_reserved = false;
  bool evicted = false;
  std::string admission_gated_by;  // annotation kueue.x-k8s.io/admission-gated-by
  std::vector<WorkloadCheck> checks;
  std::optional<Admission> admission;
  // For a workload that comes with an admission: when it was admitted (INT64_MIN: unknown), and
  // whether all its pods are ready.
  std::int64_t admitted_at = INT64_MIN;
  bool pods_ready = false;
  // status.requeueState: the end of its back-off, and how often its pods were not ready in time.
  std::int64_t requeue_at = INT64_MIN, requeues = 0;

  /// Requests above limits, or outside a LimitRange of the namespace, in Kueue's words
  /// (queues.md 10.2): the workload is not evaluated.
  std::string resources_fault;
  /// Requests that this version does not honour, each one phrase for a warning ("topology spread
  /// constraints").
  std::vector<std::string> not_honoured;
  /// The request breaks a rule of validation (placement.md 7): the workload is Invalid, is never
  /// planned, and this says why.
  std::vector<Error> invalid;
  Where where;  // where it was read

  std::string key() const { return namespace_name + "/" + name; }
  std::int64_t total_pods() const;
  /// Total of `nvidia.com/gpu` over all pods.
  std::int64_t total_gpus() const;
};

}  // namespace tessera::core
