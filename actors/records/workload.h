// SPDX-License-Identifier: Apache-2.0
// Workload: what a job asks for: its gang, queue, priority and time of creation. The engine's form
// of Kueue's Workload and of every other kind of job. `status` says what became of it before it
// came here.
//
// Filled by ingest/, read by core. Shared and never changed once it is submitted: what the engine
// does with a gang stands in the GangTable. Times are nanoseconds, since the epoch or virtual; core
// never looks at a clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actors/records/workload_status.h"
#include "solver/gang/gang.h"
#include "topology/text/result.h"

namespace tessera::core {

/// The object a workload was read from, e.g. batch/v1 Job "eval-a".
struct Origin {
  std::string api_version, kind, name, uid;
  /// "job/eval-a", "jobset/pretrain", or "workload/x" for a Workload of its own.
  std::string display() const;
};

struct Workload {
  std::string namespace_name, name, uid;
  Origin origin;
  std::string origin_label;   // "<k>.<n>": value of tessera.dev/origin; empty for Workload objects
                              // of the input
  std::string queue;          // LocalQueue name in namespace_name; empty: none named
  bool queue_is_kai = false;  // `queue` is the name of a KAI Queue instead
  std::string priority_class;
  bool pod_priority_class = false;  // it is a PriorityClass, not a WorkloadPriorityClass
  std::int64_t priority = 0;
  std::int64_t created = INT64_MIN;  // queue-order time (queues.md 1.1); missing = earliest
  std::int64_t made = INT64_MIN;     // metadata.creationTimestamp; INT64_MIN: absent
  solver::Gang gang;
  std::vector<Amounts> quota_requests;  // per pod set, one pod, quota side (queues.md 4)
  /// Per pod set, a number for its containers: equal numbers mean equal containers. Empty: unknown.
  std::vector<std::uint32_t> templates;

  bool active = true;              // spec.active
  std::string admission_gated_by;  // annotation kueue.x-k8s.io/admission-gated-by
  /// What else keeps it from being planned, for "gated by ...": a scheduling gate of a pod, an
  /// owner that is not there. Empty: nothing.
  std::string held_by;

  /// LimitRanges have been applied to the requests: they are not applied again.
  bool settled = false;
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

  WorkloadStatus status;

  std::string key() const { return namespace_name + "/" + name; }
  /// The first fault that makes it Invalid, with its field. There is one.
  std::string invalid_text() const;
  std::int64_t total_pods() const;
  /// Total of `nvidia.com/gpu` over all pods.
  std::int64_t total_gpus() const;
};

}  // namespace tessera::core
