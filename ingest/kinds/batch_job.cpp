// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/batch_job.h"

#include "ingest/annotations/annotation_keys.h"
#include "ingest/fields/conditions.h"
#include "ingest/fields/field_errors.h"
#include "ingest/objects/job_parts.h"
#include "topology/nodes/integer.h"

namespace tessera::ingest {
namespace {

constexpr std::string_view kOwnAnnotations = "metadata.annotations";

/// The annotations of the Job itself and the rules that tie them to its spec.
class JobAnnotations {
 public:
  JobAnnotations(const ReadContext& context, const ObjectHeader& header, reader::Value root,
                 core::Workload& workload)
      : header_(header),
        root_(root),
        workload_(workload),
        errors_(context, header, workload.invalid) {}

  void read(const JobShape& shape);

 private:
  reader::Value at(std::string_view key) const { return root_["metadata"]["annotations"][key]; }
  static std::string field(std::string_view key) {
    return member(std::string(kOwnAnnotations), key);
  }
  bool elastic() const;
  void read_minimum(const JobShape& shape);
  void check_completions(const JobShape& shape);
  void check_elastic();

  const ObjectHeader& header_;
  reader::Value root_;
  core::Workload& workload_;
  FieldErrors errors_;
};

bool JobAnnotations::elastic() const {
  const auto text = annotation_of(header_, annotation::kElastic);
  return text && parse_go_bool(*text).value_or(false);
}

/// Partial admission: the minimum is at least 1 and less than the number of pods that run at once.
/// The message says "between 0", as Kueue's does (kinds.md A1).
void JobAnnotations::read_minimum(const JobShape& shape) {
  constexpr std::string_view kKey = annotation::kMinParallelism;
  const auto text = annotation_of(header_, kKey);
  if (!text) return;
  const std::optional<std::int64_t> minimum = topology::parse_integer(*text);
  if (!minimum) {
    errors_.invalid(at(kKey), field(kKey), *text, "must be an integer");
  } else if (*minimum < 1 || *minimum >= shape.pods()) {
    errors_.invalid(at(kKey), field(kKey), *text,
                    "should be between 0 and " + std::to_string(shape.pods() - 1));
  } else {
    workload_.gang.pod_sets[0].min_count = *minimum;
  }
  if (elastic()) {
    errors_.invalid(at(kKey), field(kKey), *text,
                    "partial admission and elastic job cannot be used together");
  }
}

void JobAnnotations::check_completions(const JobShape& shape) {
  constexpr std::string_view kKey = annotation::kCompletionsEqual;
  const auto text = annotation_of(header_, kKey);
  if (!text) return;
  const std::optional<bool> wanted = parse_go_bool(*text);
  if (!wanted) {
    errors_.invalid(at(kKey), field(kKey), *text, "must be a boolean value");
    return;
  }
  if (!*wanted) return;
  if (!shape.indexed) {
    errors_.invalid(at(kKey), field(kKey), *text, "should not be enabled for NonIndexed jobs");
  }
  if (shape.completions.value_or(1) != shape.parallelism) {
    errors_.invalid(
        root_["spec"], "spec.completions",
        "should be equal to parallelism when " + std::string(kKey) + " annotation is true");
  }
}

/// V10.
void JobAnnotations::check_elastic() {
  if (!elastic()) return;
  const reader::Value annotations = root_["spec"]["template"]["metadata"]["annotations"];
  const std::string path = "spec.template.metadata.annotations";
  if (const reader::Value v = annotations[annotation::kRequired]) {
    errors_.forbidden(v, member(path, annotation::kRequired),
                      "required topology is not supported with elastic jobs");
  }
  if (const reader::Value v = annotations[annotation::kPreferred]) {
    errors_.forbidden(v, member(path, annotation::kPreferred),
                      "preferred topology is not supported with elastic jobs");
  }
}

void JobAnnotations::read(const JobShape& shape) {
  read_minimum(shape);
  check_completions(shape);
  check_elastic();
}

}  // namespace

void read_batch_job(ReadContext& context, const ObjectHeader& header, reader::Value root) {
  const std::size_t errors_before = context.error_count();
  const reader::Value spec = context.map(header, root, "spec", "");
  const JobShape shape = read_job_shape(context, header, spec, "spec", false);
  const reader::Value pod_template = context.map(header, spec, "template", "spec");
  PodSetReading pods =
      read_pod_template(context, header, pod_template, "spec.template", "main", shape.pods());
  if (context.error_count() != errors_before) return;

  JobObject job;
  job.header = header;
  job.workload = start_workload(header);
  if (shape.indexed) {
    if (!pods.pod_set.index) pods.pod_set.index.emplace();
    pods.pod_set.index->label = kCompletionIndexLabel;
  } else {
    pods.pod_set.index.reset();
  }
  add_pod_set(job.workload, std::move(pods));
  add_kai_requests(job.workload, root["metadata"]);
  for (const char* key : {"scheduling", "schedulingPolicy"}) {  // Kubernetes' own gangs, from 1.36
    if (spec[key].size() > 0) add_not_honoured(job.workload, std::string("spec.") + key);
  }
  check_job_labels(context, header, root, job.workload.invalid);
  JobAnnotations(context, header, root, job.workload).read(shape);
  warn_misplaced_annotations(context, header, root["metadata"], "metadata", "spec.template");
  const reader::Value status = root["status"];
  job.workload.status.finished =
      condition_is_true(status, "Complete") || condition_is_true(status, "Failed");
  job.running = job.workload.status.finished || status["active"].integer().value_or(0) > 0;
  context.jobs.push_back(std::move(job));
}

}  // namespace tessera::ingest
