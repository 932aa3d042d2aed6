// SPDX-License-Identifier: Apache-2.0
// What the readers of job kinds share: the workload that an object becomes, its pod sets, and the
// batch/v1 JobSpec.
//
// Called by the readers of Job, JobSet and Pod; add_pod_set() also by the reader of Workload
// objects. Names, labels and priorities are settled when objects are linked (ingest/link/link.h).
#pragma once

#include <string>

#include "ingest/objects/pod_template.h"
#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// The label by which a job names its LocalQueue.
inline constexpr const char* kQueueLabel = "kueue.x-k8s.io/queue-name";

/// A workload without pods for the object of `header`.
core::Workload start_workload(const ObjectHeader& header);

/// The KAI Queue that the labels of an object name, if they name no queue of Kueue; else empty.
std::string kai_queue_of(const ObjectHeader& header);

/// Appends the pod set with its requests, its broken rules and the phrases of what is not honoured
/// (each phrase once). The workload gets the priority class of the first pod set that names a
/// class. If the workload's own object names no KAI Queue, the workload gets the queue of the first
/// pod set that names one (kinds.md 0.A).
void add_pod_set(core::Workload& workload, PodSetReading reading);

/// Adds a phrase of what is not honoured, once.
void add_not_honoured(core::Workload& workload, std::string phrase);

/// Adds what `metadata` asks of KAI (ingest/annotations/foreign_requests.h).
void add_kai_requests(core::Workload& workload, reader::Value metadata);

/// Checks the labels by which Kueue takes a job: queue, prebuilt workload, longest run. Faults go
/// into `invalid`.
void check_job_labels(const ReadContext& context, const ObjectHeader& header, reader::Value root,
                      std::vector<Error>& invalid);

/// A text of the header's annotations; nothing if absent.
std::optional<std::string> annotation_of(const ObjectHeader& header, std::string_view key);

/// How many pods of a batch/v1 JobSpec run at once, and whether they carry an index.
struct JobShape {
  std::int64_t parallelism = 1;
  std::optional<std::int64_t> completions;  // absent: a work queue
  bool indexed = false;

  /// min(parallelism, completions): kinds.md A1.
  std::int64_t pods() const;
};

/// `spec`: a JobSpec at `path`. `indexed`: the completion mode if none is written. Faults are
/// reported in `context`.
JobShape read_job_shape(ReadContext& context, const ObjectHeader& header, reader::Value spec,
                        const std::string& path, bool indexed);

/// Label of the pods of Indexed Jobs.
inline constexpr std::string_view kCompletionIndexLabel =
    "batch.kubernetes.io/job-completion-index";

}  // namespace tessera::ingest
