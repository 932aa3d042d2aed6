// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/job_parts.h"

#include <algorithm>

#include "ingest/annotations/annotation_keys.h"
#include "ingest/annotations/foreign_requests.h"
#include "ingest/fields/api_names.h"
#include "ingest/fields/field_errors.h"
#include "topology/nodes/integer.h"

namespace tessera::ingest {
std::string kai_queue_of(const ObjectHeader& header) {
  const auto kueue = header.labels.find(kQueueLabel);
  if (kueue != header.labels.end() && !kueue->second.empty()) return {};
  for (const std::string_view key : kKaiQueueLabels) {
    const auto queue = header.labels.find(std::string(key));
    if (queue != header.labels.end() && !queue->second.empty()) return queue->second;
  }
  return {};
}

core::Workload start_workload(const ObjectHeader& header) {
  core::Workload workload;
  workload.namespace_name = header.namespace_name;
  workload.origin = {header.api_version, header.kind, header.name, header.uid};
  const auto queue = header.labels.find(kQueueLabel);
  if (queue != header.labels.end()) workload.queue = queue->second;
  if (std::string kai = kai_queue_of(header); !kai.empty()) {
    workload.queue = std::move(kai);
    workload.queue_is_kai = true;
  }
  workload.created = header.created;
  workload.made = header.created;
  workload.where = header.where;
  // Kueue copies the gate to the Workload that it makes of the object.
  workload.admission_gated_by = annotation_of(header, annotation::kAdmissionGatedBy).value_or("");
  return workload;
}

void add_pod_set(core::Workload& workload, PodSetReading reading) {
  if (workload.priority_class.empty()) workload.priority_class = reading.spec.priority_class;
  if (workload.queue.empty() && !reading.kai_queue.empty()) {
    workload.queue = std::move(reading.kai_queue);
    workload.queue_is_kai = true;
  }
  for (const std::string& gate : reading.spec.gates) {
    add_not_honoured(workload, "scheduling gate " + gate);
  }
  for (std::string& phrase : reading.spec.not_honoured) {
    add_not_honoured(workload, std::move(phrase));
  }
  workload.invalid.insert(workload.invalid.end(), reading.invalid.begin(), reading.invalid.end());
  workload.templates.push_back(reading.spec.resources);
  workload.quota_requests.push_back(std::move(reading.spec.request));
  workload.gang.pod_sets.push_back(std::move(reading.pod_set));
}

void add_not_honoured(core::Workload& workload, std::string phrase) {
  std::vector<std::string>& known = workload.not_honoured;
  if (std::find(known.begin(), known.end(), phrase) == known.end()) {
    known.push_back(std::move(phrase));
  }
}

void add_kai_requests(core::Workload& workload, reader::Value metadata) {
  for (std::string& phrase : kai_requests(metadata)) {
    add_not_honoured(workload, std::move(phrase));
  }
}

void check_job_labels(const ReadContext& context, const ObjectHeader& header, reader::Value root,
                      std::vector<Error>& invalid) {
  FieldErrors errors(context, header, invalid);
  const reader::Value labels = root["metadata"]["labels"];
  for (const char* key : {kQueueLabel, "kueue.x-k8s.io/prebuilt-workload-name"}) {
    const auto name = header.labels.find(key);
    if (name == header.labels.end()) continue;
    for (const std::string& fault : object_name_faults(name->second)) {
      errors.invalid(labels[key], member("metadata.labels", key), name->second, fault);
    }
  }
  constexpr const char* kLongestRun = "kueue.x-k8s.io/max-exec-time-seconds";
  const auto seconds = header.labels.find(kLongestRun);
  if (seconds == header.labels.end()) return;
  const std::optional<std::int64_t> number = topology::parse_integer(seconds->second);
  if (number && *number > 0) return;
  errors.invalid(labels[kLongestRun], member("metadata.labels", kLongestRun), seconds->second,
                 number ? "should be greater than 0" : "must be an integer");
}

std::optional<std::string> annotation_of(const ObjectHeader& header, std::string_view key) {
  const auto found = header.annotations.find(std::string(key));
  if (found == header.annotations.end()) return std::nullopt;
  return found->second;
}

std::int64_t JobShape::pods() const {
  return completions ? std::min(parallelism, *completions) : parallelism;
}

JobShape read_job_shape(ReadContext& context, const ObjectHeader& header, reader::Value spec,
                        const std::string& path, bool indexed) {
  JobShape shape;
  shape.parallelism = context.integer(header, spec, "parallelism", path, 0, INT32_MAX).value_or(1);
  shape.completions = context.integer(header, spec, "completions", path, 0, INT32_MAX);
  shape.indexed = indexed;
  if (const auto mode = context.text(header, spec, "completionMode", path)) {
    shape.indexed = *mode == "Indexed";
    if (!shape.indexed && *mode != "NonIndexed") {
      context.error(header, spec["completionMode"], path + ".completionMode",
                    quoted(*mode) + " is unknown (right: NonIndexed, Indexed)");
    }
  }
  return shape;
}

}  // namespace tessera::ingest
