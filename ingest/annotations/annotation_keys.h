// SPDX-License-Identifier: Apache-2.0
// The keys of the annotations by which users ask for topology (placement.md 1.4), warnings about
// keys in the wrong place or misspelt, and values as Kueue parses them.
//
// Called by the readers of jobs and pods. What the annotations mean is topology_annotations.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/fields/field_reader.h"

namespace tessera::ingest {

namespace annotation {
inline constexpr std::string_view kRequired = "kueue.x-k8s.io/podset-required-topology";
inline constexpr std::string_view kPreferred = "kueue.x-k8s.io/podset-preferred-topology";
inline constexpr std::string_view kUnconstrained = "kueue.x-k8s.io/podset-unconstrained-topology";
inline constexpr std::string_view kSliceRequired = "kueue.x-k8s.io/podset-slice-required-topology";
inline constexpr std::string_view kSliceSize = "kueue.x-k8s.io/podset-slice-size";
inline constexpr std::string_view kSliceConstraints =
    "kueue.x-k8s.io/podset-slice-required-topology-constraints";
inline constexpr std::string_view kGroupName = "kueue.x-k8s.io/podset-group-name";
inline constexpr std::string_view kSpreading = "kueue.x-k8s.io/podset-topology-spreading";
inline constexpr std::string_view kIndexOffset = "kueue.x-k8s.io/pod-index-offset";
inline constexpr std::string_view kElastic = "kueue.x-k8s.io/elastic-job";
inline constexpr std::string_view kMinParallelism = "kueue.x-k8s.io/job-min-parallelism";
inline constexpr std::string_view kCompletionsEqual =
    "kueue.x-k8s.io/job-completions-equal-parallelism";
inline constexpr std::string_view kAdmissionGatedBy = "kueue.x-k8s.io/admission-gated-by";
}  // namespace annotation

/// True if the pod with these annotations was placed by topology: one of the five keys of
/// placement.md 2.4 is there.
bool is_topology_annotated(const std::map<std::string, std::string>& annotations);

/// Warns of topology annotations that have no effect in `metadata` (at `path`), and says where they
/// belong: `template_path` ("spec.template"). ux.md rule 4.
void warn_misplaced_annotations(FieldReader& context, const ObjectHeader& header,
                                reader::Value metadata, const std::string& path,
                                const std::string& template_path);

/// Warns of labels and annotations in `metadata` of a pod template or job template that are read
/// from the job itself, unless it has them too; and of those of a pod group.
void warn_keys_of_the_job(FieldReader& context, const ObjectHeader& header, reader::Value metadata,
                          const std::string& path);

/// Warns of topology annotations in `metadata` of a Workload object, or of a pod template in it:
/// the topologyRequest of `pod_set` is what counts.
void warn_unread_topology(FieldReader& context, const ObjectHeader& header, reader::Value metadata,
                          const std::string& path, const std::string& pod_set);

/// Warns of annotations and labels in `metadata` that look like one of Kueue's or KAI's but are
/// unknown, and of labels that should be annotations or the other way round. The warning names the
/// nearest known key.
void warn_misspelt_annotations(FieldReader& context, const ObjectHeader& header,
                               reader::Value metadata, const std::string& path);

/// Reads a boolean as Go's strconv.ParseBool does, which Kueue uses. Nothing if the text is not a
/// boolean.
std::optional<bool> parse_go_bool(std::string_view text);

/// Reads a decimal number with an optional sign (topology/nodes/integer.h). Nothing if it does not
/// fit 32 bits.
std::optional<std::int64_t> parse_go_int32(std::string_view text);

}  // namespace tessera::ingest
