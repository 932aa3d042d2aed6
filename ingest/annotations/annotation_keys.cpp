// SPDX-License-Identifier: Apache-2.0
#include "ingest/annotations/annotation_keys.h"

#include <algorithm>

#include "ingest/fields/field_text.h"
#include "topology/integer.h"
#include "topology/nearest.h"

namespace tessera::ingest {
namespace {

constexpr std::string_view kPrefix = "kueue.x-k8s.io/";
constexpr std::string_view kPodSetPrefix = "kueue.x-k8s.io/podset-";

constexpr std::string_view kTopologyKeys[] = {
    annotation::kRequired,  annotation::kPreferred,        annotation::kUnconstrained,
    annotation::kSliceSize, annotation::kSliceConstraints, annotation::kSliceRequired,
    annotation::kGroupName, annotation::kSpreading,
};

bool is_topology_key(std::string_view key) {
  return std::find(std::begin(kTopologyKeys), std::end(kTopologyKeys), key) !=
         std::end(kTopologyKeys);
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
    if (!is_topology_key(v.key())) continue;
    context.warning(header, v, member(path + ".annotations", v.key()),
                    "has no effect here: it is read from the pod template (write it at " +
                        member(template_path + ".metadata.annotations", v.key()) + ")");
  }
  warn_misspelt_annotations(context, header, metadata, path);
}

void warn_misspelt_annotations(FieldReader& context, const ObjectHeader& header,
                               reader::Value metadata, const std::string& path) {
  static const std::vector<std::string> kKnown(std::begin(kTopologyKeys), std::end(kTopologyKeys));
  const reader::Value annotations = metadata["annotations"];
  for (reader::Value v = annotations.first(); v; v = v.next()) {
    const std::string_view key = v.key();
    if (!key.starts_with(kPrefix) || is_topology_key(key)) continue;
    const std::string near = nearest(key, kKnown);
    if (near.empty() && !key.starts_with(kPodSetPrefix)) continue;
    std::string message = "unknown key";
    if (!near.empty()) message += " (did you mean " + quoted(near) + "?)";
    context.warning(header, v, member(path + ".annotations", key), message);
  }
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
