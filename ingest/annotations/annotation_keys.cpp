// SPDX-License-Identifier: Apache-2.0
#include "ingest/annotations/annotation_keys.h"

#include <algorithm>

#include "ingest/annotations/foreign_requests.h"
#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"
#include "topology/nodes/integer.h"
#include "topology/text/nearest.h"

namespace tessera::ingest {
namespace {

constexpr std::string_view kPrefix = "kueue.x-k8s.io/";
constexpr std::string_view kKaiPrefix = "kai.scheduler/";
constexpr std::string_view kPodSetPrefix = "kueue.x-k8s.io/podset-";

constexpr std::string_view kTopologyKeys[] = {
    annotation::kRequired,  annotation::kPreferred,        annotation::kUnconstrained,
    annotation::kSliceSize, annotation::kSliceConstraints, annotation::kSliceRequired,
    annotation::kGroupName, annotation::kSpreading,
};

/// Keys that users write, and keys that look like one of them and are right too.
const std::vector<std::string>& known_annotations() {
  static const std::vector<std::string> kKnown = [] {
    std::vector<std::string> known(std::begin(kTopologyKeys), std::end(kTopologyKeys));
    for (const std::string_view key :
         {annotation::kIndexOffset, annotation::kElastic, annotation::kMinParallelism,
          annotation::kCompletionsEqual, annotation::kAdmissionGatedBy}) {
      known.emplace_back(key);
    }
    for (const char* key :
         {"kueue.x-k8s.io/pod-group-fast-admission", "kueue.x-k8s.io/pod-group-pod-index-label",
          "kueue.x-k8s.io/pod-group-serving", "kueue.x-k8s.io/pod-group-total-count",
          "kueue.x-k8s.io/retriable-in-group", "kueue.x-k8s.io/role-hash",
          "kueue.x-k8s.io/workload"}) {
      known.emplace_back(key);
    }
    for (const std::string_view key : kai_annotations()) known.emplace_back(key);
    return known;
  }();
  return kKnown;
}

const std::vector<std::string>& known_labels() {
  static const std::vector<std::string> kKnown = {
      "kai.scheduler/preemptibility",
      "kai.scheduler/queue",
      "kai.scheduler/subgroup-name",
      "kueue.x-k8s.io/max-exec-time-seconds",
      "kueue.x-k8s.io/pod-group-name",
      "kueue.x-k8s.io/pod-group-pod-index",
      "kueue.x-k8s.io/prebuilt-workload-name",
      "kueue.x-k8s.io/priority-class",
      "kueue.x-k8s.io/queue-name",
  };
  return kKnown;
}

/// Keys that are read from a job alone, and not from the templates in it.
constexpr std::string_view kJobLabels[] = {
    "kueue.x-k8s.io/max-exec-time-seconds", "kueue.x-k8s.io/prebuilt-workload-name",
    "kueue.x-k8s.io/priority-class", "kueue.x-k8s.io/queue-name"};
constexpr std::string_view kJobAnnotations[] = {annotation::kAdmissionGatedBy,
                                                annotation::kCompletionsEqual, annotation::kElastic,
                                                annotation::kMinParallelism};

/// Keys that Kueue reads from pods that no job owns.
constexpr std::string_view kPodGroupLabel = "kueue.x-k8s.io/pod-group-name";
constexpr std::string_view kPodGroupCount = "kueue.x-k8s.io/pod-group-total-count";

template <class Keys>
bool is_in(std::string_view key, const Keys& keys) {
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

/// `own`: the labels or annotations of the job itself; `name` is the word for them.
template <class Keys>
void warn_job_keys(FieldReader& context, const ObjectHeader& header, reader::Value map,
                   const std::string& path, const char* name, const Keys& job_keys,
                   const std::map<std::string, std::string>& own) {
  for (reader::Value v = map.first(); v; v = v.next()) {
    const std::string_view key = v.key();
    const std::string here = member(path + "." + name, key);
    if (is_in(key, job_keys) && own.count(std::string(key)) == 0) {
      context.warning(header, v, here,
                      "has no effect here: it is read from the " + header.kind +
                          " itself (write it at " + member(std::string("metadata.") + name, key) +
                          ")");
    } else if (key == kPodGroupLabel || key == kPodGroupCount) {
      context.warning(header, v, here,
                      "has no effect here: pods of a " + header.kind + " are a group already");
    }
  }
}

/// `is`: what the keys of `map` are; `other`: the known keys that are the other thing.
void warn_misspelt(FieldReader& context, const ObjectHeader& header, reader::Value map,
                   const std::string& path, const std::vector<std::string>& known,
                   const std::vector<std::string>& other, bool labels) {
  for (reader::Value v = map.first(); v; v = v.next()) {
    const std::string_view key = v.key();
    const bool ours = key.starts_with(kPrefix) || key.starts_with(kKaiPrefix);
    if (!ours || is_in(key, known)) continue;
    if (is_in(key, other)) {
      context.warning(header, v, member(path, key),
                      labels ? "has no effect as a label: it is an annotation"
                             : "has no effect as an annotation: it is a label");
      continue;
    }
    const std::string near = nearest(key, known);
    if (near.empty() && !key.starts_with(kPodSetPrefix)) continue;
    context.warning(header, v, member(path, key), unknown_key(near));
  }
}

}  // namespace

bool is_topology_annotated(const std::map<std::string, std::string>& annotations) {
  static const std::string kMarks[] = {
      std::string(annotation::kRequired), std::string(annotation::kPreferred),
      std::string(annotation::kSliceRequired), std::string(annotation::kSliceConstraints),
      std::string(annotation::kUnconstrained)};
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](const std::string& key) { return annotations.count(key) > 0; });
}

void warn_misplaced_annotations(FieldReader& context, const ObjectHeader& header,
                                reader::Value metadata, const std::string& path,
                                const std::string& template_path) {
  const reader::Value annotations = metadata["annotations"];
  for (reader::Value v = annotations.first(); v; v = v.next()) {
    if (!is_in(v.key(), kTopologyKeys)) continue;
    context.warning(header, v, member(path + ".annotations", v.key()),
                    "has no effect here: it is read from the pod template (write it at " +
                        member(template_path + ".metadata.annotations", v.key()) + ")");
  }
  warn_misspelt_annotations(context, header, metadata, path);
}

void warn_unread_topology(FieldReader& context, const ObjectHeader& header, reader::Value metadata,
                          const std::string& path, const std::string& pod_set) {
  for (reader::Value v = metadata["annotations"].first(); v; v = v.next()) {
    if (!is_in(v.key(), kTopologyKeys)) continue;
    context.warning(header, v, member(path + ".annotations", v.key()),
                    "has no effect here: of a Workload, " + pod_set + ".topologyRequest is read");
  }
}

void warn_misspelt_annotations(FieldReader& context, const ObjectHeader& header,
                               reader::Value metadata, const std::string& path) {
  warn_misspelt(context, header, metadata["annotations"], path + ".annotations",
                known_annotations(), known_labels(), false);
  warn_misspelt(context, header, metadata["labels"], path + ".labels", known_labels(),
                known_annotations(), true);
}

void warn_keys_of_the_job(FieldReader& context, const ObjectHeader& header, reader::Value metadata,
                          const std::string& path) {
  warn_job_keys(context, header, metadata["labels"], path, "labels", kJobLabels, header.labels);
  warn_job_keys(context, header, metadata["annotations"], path, "annotations", kJobAnnotations,
                header.annotations);
}

std::optional<bool> parse_go_bool(std::string_view text) {
  for (const char* word : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == word) return true;
  }
  for (const char* word : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == word) return false;
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_go_int32(std::string_view text) {
  const std::optional<std::int64_t> value = topology::parse_integer(text);
  if (!value || *value < INT32_MIN || *value > INT32_MAX) return std::nullopt;
  return value;
}

}  // namespace tessera::ingest
