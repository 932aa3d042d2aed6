// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/jobset.h"

#include <algorithm>

#include "ingest/annotations/annotation_keys.h"
#include "ingest/fields/conditions.h"
#include "ingest/fields/field_errors.h"
#include "ingest/fields/fields.h"
#include "ingest/kinds/group_rules.h"
#include "ingest/objects/job_parts.h"

namespace tessera::ingest {
namespace {

constexpr std::string_view kExclusive = "alpha.jobset.sigs.k8s.io/exclusive-topology";
constexpr std::string_view kJobIndexLabel = "jobset.sigs.k8s.io/job-index";

class JobSetReader {
 public:
  JobSetReader(ReadContext& context, const ObjectHeader& header, reader::Value root)
      : context_(context), header_(header), root_(root) {
    job_.header = header;
    job_.workload = start_workload(header);
  }

  void read();

 private:
  void read_replicated_job(reader::Value value, const std::string& path);
  std::string read_name(reader::Value value, const std::string& path);
  std::int64_t pod_count(reader::Value at, const std::string& path, std::int64_t replicas,
                         std::int64_t pods_per_job);
  void check_exclusive(reader::Value metadata);
  void check_elastic();
  bool running() const;

  ReadContext& context_;
  const ObjectHeader& header_;
  reader::Value root_;
  JobObject job_;
  std::vector<TemplatePlace> places_;
};

void JobSetReader::check_exclusive(reader::Value metadata) {
  if (!metadata["annotations"][kExclusive]) return;
  add_not_honoured(job_.workload, "exclusive topology (" + std::string(kExclusive) + ")");
}

std::string JobSetReader::read_name(reader::Value value, const std::string& path) {
  std::string name = read_required(context_, header_, value, "name", path);
  // Kueue writes pod set names in lower case.
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  for (const solver::PodSet& other : job_.workload.gang.pod_sets) {
    if (name.empty() || other.name != name) continue;
    context_.error(header_, value["name"], path + ".name",
                   quoted(name) + " is the name of another replicated job");
  }
  return name;
}

/// The number of pods of a replicated job. More than 32 bits can hold is an error.
std::int64_t JobSetReader::pod_count(reader::Value at, const std::string& path,
                                     std::int64_t replicas, std::int64_t pods_per_job) {
  const std::int64_t count = topology::saturating_mul(replicas, pods_per_job);
  if (count <= INT32_MAX) return count;
  context_.error(header_, at, path + ".replicas",
                 std::to_string(replicas) + " jobs of " + std::to_string(pods_per_job) +
                     " pods are more than 2147483647 pods");
  return 0;
}

void JobSetReader::read_replicated_job(reader::Value value, const std::string& path) {
  const std::string name = read_name(value, path);
  const std::int64_t replicas =
      context_.integer(header_, value, "replicas", path, 0, INT32_MAX).value_or(1);
  const reader::Value job_template = context_.map(header_, value, "template", path);
  const std::string job_path = path + ".template";
  const reader::Value job_spec = context_.map(header_, job_template, "spec", job_path);
  const std::string spec_path = job_path + ".spec";
  const JobShape shape = read_job_shape(context_, header_, job_spec, spec_path, true);
  const std::int64_t count = pod_count(value["replicas"], path, replicas, shape.pods());

  const std::string pods_path = spec_path + ".template";
  const reader::Value pod_template = context_.map(header_, job_spec, "template", spec_path);
  PodSetReading pods =
      read_pod_template(context_, header_, pod_template, pods_path, name, count, shape.pods());
  if (shape.indexed) {
    if (!pods.pod_set.index) pods.pod_set.index.emplace();
    pods.pod_set.index->label = kCompletionIndexLabel;
    pods.pod_set.index->sub_label = kJobIndexLabel;
    pods.pod_set.index->sub_count = replicas;
  } else {
    pods.pod_set.index.reset();
  }
  add_pod_set(job_.workload, std::move(pods));
  places_.push_back({pod_template, pods_path});
  check_exclusive(job_template["metadata"]);
  add_kai_requests(job_.workload, job_template["metadata"]);
  warn_misplaced_annotations(context_, header_, job_template["metadata"], job_path + ".metadata",
                             pods_path);
  warn_keys_of_the_job(context_, header_, job_template["metadata"], job_path + ".metadata");
}

/// V10 allows elastic Jobs only, not JobSets.
void JobSetReader::check_elastic() {
  const auto text = annotation_of(header_, annotation::kElastic);
  if (!text || !parse_go_bool(*text).value_or(false)) return;
  FieldErrors errors(context_, header_, job_.workload.invalid);
  errors.forbidden(root_["metadata"]["annotations"][annotation::kElastic],
                   member("metadata.annotations", annotation::kElastic),
                   "elastic job is not supported for \"" + header_.api_version + ", Kind=JobSet\"");
}

bool JobSetReader::running() const {
  const reader::Value jobs = root_["status"]["replicatedJobsStatus"];
  for (reader::Value v = jobs.first(); v; v = v.next()) {
    if (v["active"].integer().value_or(0) > 0) return true;
  }
  return false;
}

void JobSetReader::read() {
  const std::size_t errors_before = context_.error_count();
  const reader::Value spec = context_.map(header_, root_, "spec", "");
  const reader::Value jobs = context_.sequence(header_, spec, "replicatedJobs", "spec");
  if (!context_.few_enough(header_, jobs, "replicatedJobs", "spec")) return;
  std::size_t index = 0;
  for (reader::Value v = jobs.first(); v; v = v.next()) {
    read_replicated_job(v, item("spec.replicatedJobs", index++));
  }
  if (jobs.size() == 0 && context_.error_count() == errors_before) {
    context_.error(header_, spec, "spec.replicatedJobs", "is missing or empty");
  }
  if (context_.error_count() != errors_before) return;

  check_job_labels(context_, header_, root_, job_.workload.invalid);
  check_groups(context_, header_, places_, job_.workload);
  check_elastic();
  check_exclusive(root_["metadata"]);
  add_kai_requests(job_.workload, root_["metadata"]);
  warn_misplaced_annotations(context_, header_, root_["metadata"], "metadata",
                             "spec.replicatedJobs[].template.spec.template");
  const reader::Value status = root_["status"];
  job_.workload.status.finished = condition_is_true(status, "Completed") ||
                                  condition_is_true(status, "Failed") ||
                                  !status["terminalState"].text().empty();
  job_.running = job_.workload.status.finished || running();
  context_.jobs.push_back(std::move(job_));
}

}  // namespace

void read_jobset(ReadContext& context, const ObjectHeader& header, reader::Value root) {
  JobSetReader(context, header, root).read();
}

}  // namespace tessera::ingest
