// SPDX-License-Identifier: Apache-2.0
// Turns the annotations of a pod template into a TopologyRequest: placement.md 1.4, 1.5 and V1..V8
// of 7.
#include "ingest/annotations/topology_annotations.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ingest/annotations/annotation_keys.h"
#include "ingest/fields/api_names.h"
#include "ingest/fields/field_errors.h"

namespace tessera::ingest {
namespace {

using solver::SliceLayer;
using topology::Symbol;

constexpr std::size_t kMaxLayers = 3;
/// Bytes. Three layers with the longest keys need far less. A longer text is refused unread.
constexpr std::size_t kMaxConstraintsText = 16UL * 1024;

struct Found {
  std::string text;
  reader::Value at;
  std::string field;
};

class AnnotationReader {
 public:
  AnnotationReader(FieldReader& context, const ObjectHeader& header, reader::Value annotations,
                   std::string path, std::int64_t count)
      : context_(context),
        header_(header),
        annotations_(annotations),
        path_(std::move(path)),
        count_(count),
        errors_(context, header, reading_.invalid) {}

  TopologyReading read(std::optional<std::int64_t> default_slice_size);

 private:
  std::optional<Found> find(std::string_view key) const;
  void read_main();
  void read_slice_pair(std::optional<std::int64_t> default_size);
  std::optional<std::int64_t> slice_size(const Found& found);
  void read_constraints();
  void read_layers(const Found& found, const nlohmann::json& list);
  const nlohmann::json* layer_field(const Found& found, const nlohmann::json& entry,
                                    std::string_view key);
  std::optional<SliceLayer> layer(const Found& found, const nlohmann::json& entry,
                                  std::size_t index);
  void check_sizes(const Found& found, const std::vector<SliceLayer>& layers);
  void read_group();
  void read_offset();
  void check_label(const Found& found);
  std::optional<Symbol> level_name(const Found& found);
  void forbid_beside(std::string_view key, std::string_view other);

  FieldReader& context_;
  const ObjectHeader& header_;
  reader::Value annotations_;
  std::string path_;  // of the annotations
  std::int64_t count_;
  TopologyReading reading_;
  FieldErrors errors_;
};

std::optional<Found> AnnotationReader::find(std::string_view key) const {
  const reader::Value at = annotations_[key];
  if (!at) return std::nullopt;
  return Found{std::string(at.text()), at, member(path_, key)};
}

void AnnotationReader::check_label(const Found& found) {
  for (const std::string& fault : label_key_faults(found.text)) {
    errors_.invalid(found.at, found.field, found.text, fault);
  }
}

std::optional<Symbol> AnnotationReader::level_name(const Found& found) {
  return context_.asked_name(header_, found.at, found.field, found.text);
}

/// Refuses `key` beside `other` (V3, V7).
void AnnotationReader::forbid_beside(std::string_view key, std::string_view other) {
  const std::optional<Found> found = find(key);
  if (!found || !find(other)) return;
  errors_.forbidden(found->at, found->field,
                    "may not be set when '" + std::string(other) + "' is specified");
}

/// V1, V2, V4. Required wins over preferred, preferred over unconstrained (kinds.md 0.11).
void AnnotationReader::read_main() {
  const std::optional<Found> required = find(annotation::kRequired);
  const std::optional<Found> preferred = find(annotation::kPreferred);
  const std::optional<Found> unconstrained = find(annotation::kUnconstrained);
  if (required) check_label(*required);
  if (preferred) check_label(*preferred);
  std::optional<bool> anywhere;
  if (unconstrained) {
    anywhere = parse_go_bool(unconstrained->text);
    if (!anywhere) {
      errors_.invalid(unconstrained->at, unconstrained->field, unconstrained->text,
                      "must be a boolean value");
    }
  }
  if (required.has_value() + preferred.has_value() + unconstrained.has_value() > 1) {
    errors_.invalid(annotations_, path_,
                    "must not contain more than one topology annotation: [" +
                        ingest::quoted(annotation::kRequired) + ", " +
                        ingest::quoted(annotation::kPreferred) + ", " +
                        ingest::quoted(annotation::kUnconstrained) + "]");
  }
  solver::TopologyRequest& request = reading_.request;
  if (required) {
    request.required = level_name(*required);
  } else if (preferred) {
    request.preferred = level_name(*preferred);
  } else {
    request.unconstrained = anywhere;
  }
}

/// V5 and the upper bound of V8.
std::optional<std::int64_t> AnnotationReader::slice_size(const Found& found) {
  const std::optional<std::int64_t> size = parse_go_int32(found.text);
  if (!size) {
    errors_.invalid(found.at, found.field, found.text, "must be a numeric value");
    return std::nullopt;
  }
  if (*size < 1) {
    errors_.invalid(found.at, found.field, found.text, "must be greater than or equal to 1");
  } else if (*size > count_) {
    errors_.invalid(found.at, found.field, found.text,
                    "must not be greater than pod set count " + std::to_string(count_));
  } else {
    return size;
  }
  return std::nullopt;
}

/// V5, V6. `default_size`: pods of a child job, for kinds that have them (kinds.md A2).
void AnnotationReader::read_slice_pair(std::optional<std::int64_t> default_size) {
  const std::optional<Found> level = find(annotation::kSliceRequired);
  const std::optional<Found> size_text = find(annotation::kSliceSize);
  if (level) check_label(*level);
  std::optional<std::int64_t> size;
  if (size_text) size = slice_size(*size_text);
  if (level && !size_text) {
    const std::string field = member(path_, annotation::kSliceSize);
    if (default_size) {
      size = default_size;
      context_.warning(header_, level->at, field,
                       "is missing: slices of one child job each, " +
                           std::to_string(*default_size) + " pod(s), are taken");
    } else {
      errors_.required(
          level->at, field,
          "must be set when '" + std::string(annotation::kSliceRequired) + "' is specified");
    }
  }
  if (size_text && !level) {
    errors_.forbidden(
        size_text->at, size_text->field,
        "may not be set when '" + std::string(annotation::kSliceRequired) + "' is not specified");
  }
  if (!level || !size) return;
  const std::optional<Symbol> name = level_name(*level);
  if (name) reading_.request.layers = {{*name, *size}};
}

/// The member `key` of a JSON object. Upper and lower case are the same, as for Kueue's decoder; a
/// key in another case gets a warning.
const nlohmann::json* AnnotationReader::layer_field(const Found& found, const nlohmann::json& entry,
                                                    std::string_view key) {
  const nlohmann::json* value = nullptr;
  for (const auto& [name, member_value] : entry.items()) {
    const bool same = std::equal(name.begin(), name.end(), key.begin(), key.end(),
                                 [](char a, char b) { return (a | 0x20) == b; });
    if (!same) continue;
    value = &member_value;
    if (name == key) continue;
    context_.warning(
        header_, found.at, found.field,
        "unknown key " + ingest::quoted(name) + " (did you mean " + ingest::quoted(key) + "?)");
  }
  return value;
}

std::optional<SliceLayer> AnnotationReader::layer(const Found& found, const nlohmann::json& entry,
                                                  std::size_t index) {
  const nlohmann::json* const topology = layer_field(found, entry, "topology");
  const nlohmann::json* const size = layer_field(found, entry, "size");
  const bool named = topology != nullptr && topology->is_string();
  std::optional<std::int64_t> number;
  // Kueue's design document writes sizes as texts, its code expects integers: both are read
  // (kinds.md 0.13).
  if (size != nullptr && size->is_string()) {
    number = parse_go_int32(size->get_ref<const std::string&>());
  } else if (size != nullptr && size->is_number_integer()) {
    number = parse_go_int32(size->dump());
  } else if (size == nullptr) {
    number = 0;
  }
  if (!number || (topology != nullptr && !named)) {
    errors_.invalid(found.at, found.field, found.text,
                    "must be a valid JSON array: entry " + std::to_string(index) +
                        R"( must be {"topology": TEXT, "size": INTEGER})");
    return std::nullopt;
  }
  SliceLayer read;
  const std::string label = named ? topology->get<std::string>() : std::string();
  const std::string entry_field = item(found.field, index);
  for (const std::string& fault : label_key_faults(label)) {
    errors_.invalid(found.at, entry_field + ".topology", label, fault);
  }
  read.level =
      context_.asked_name(header_, found.at, entry_field + ".topology", label).value_or(Symbol());
  read.size = *number;
  return read;
}

/// Checks that no level comes twice, that each size divides the size before it, and that the first
/// size is no larger than the pod set (V7, V8).
void AnnotationReader::check_sizes(const Found& found, const std::vector<SliceLayer>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string field = item(found.field, i);
    const std::int64_t size = layers[i].size;
    for (std::size_t j = 0; j < i; ++j) {
      if (layers[j].level != layers[i].level) continue;
      errors_.duplicate(found.at, field + ".topology",
                        layers[i].level.str() + " (also at index " + std::to_string(j) + ")");
      break;
    }
    if (size < 1) {
      errors_.invalid(found.at, field + ".size", std::to_string(size),
                      "must be greater than or equal to 1");
    } else if (i > 0 && layers[i - 1].size >= 1 && layers[i - 1].size % size != 0) {
      errors_.invalid(
          found.at, field + ".size", std::to_string(size),
          "must evenly divide the parent layer size " + std::to_string(layers[i - 1].size));
    } else if (i == 0 && size > count_) {
      errors_.invalid(found.at, found.field, std::to_string(size),
                      "must not be greater than pod set count " + std::to_string(count_));
    }
  }
}

void AnnotationReader::read_layers(const Found& found, const nlohmann::json& list) {
  std::vector<SliceLayer> layers;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_object()) {
      errors_.invalid(
          found.at, found.field, found.text,
          "must be a valid JSON array: entry " + std::to_string(i) + " is not an object");
      return;
    }
    const std::optional<SliceLayer> one = layer(found, list[i], i);
    if (!one) return;
    layers.push_back(*one);
  }
  check_sizes(found, layers);
  reading_.request.layers = std::move(layers);
}

void AnnotationReader::read_constraints() {
  const std::optional<Found> found = find(annotation::kSliceConstraints);
  if (!found) return;
  forbid_beside(annotation::kSliceConstraints, annotation::kSliceRequired);
  forbid_beside(annotation::kSliceConstraints, annotation::kSliceSize);
  if (found->text.size() > kMaxConstraintsText) {
    errors_.invalid(found->at, found->field, "is longer than 16 KiB");
    return;
  }
  const nlohmann::json list = nlohmann::json::parse(found->text, nullptr, false);
  if (list.is_discarded() || (!list.is_array() && !list.is_null())) {
    errors_.invalid(found->at, found->field, found->text, "must be a valid JSON array");
  } else if (list.empty() || list.size() > kMaxLayers) {
    errors_.invalid(found->at, found->field, found->text,
                    "topology constraints must contain between 1 and 3 entries");
  } else {
    read_layers(*found, list);
  }
}

/// V3. The group counts only beside required or preferred (placement.md 1.5).
void AnnotationReader::read_group() {
  const std::optional<Found> found = find(annotation::kGroupName);
  if (!found) return;
  const std::string& name = found->text;
  const bool digits =
      std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  constexpr std::size_t kMaxDigits = 20;  // of an unsigned 64-bit number
  if (!name.empty() && digits && name.size() <= kMaxDigits) {
    errors_.invalid(found->at, found->field, name, "must not be a number");
  }
  forbid_beside(annotation::kGroupName, annotation::kSliceSize);
  forbid_beside(annotation::kGroupName, annotation::kSliceRequired);
  forbid_beside(annotation::kGroupName, annotation::kSliceConstraints);
  if (find(annotation::kRequired) || find(annotation::kPreferred)) {
    reading_.group = name;
  } else {
    errors_.forbidden(found->at, found->field,
                      "may not be set when neither '" + std::string(annotation::kPreferred) +
                          "' nor '" + std::string(annotation::kRequired) + "' is specified");
  }
}

void AnnotationReader::read_offset() {
  const std::optional<Found> found = find(annotation::kIndexOffset);
  if (!found) return;
  reading_.index_offset = parse_go_int32(found->text);
  if (!reading_.index_offset) {
    context_.warning(header_, found->at, found->field,
                     ingest::quoted(found->text) + " is not an integer: no offset is taken");
  }
}

TopologyReading AnnotationReader::read(std::optional<std::int64_t> default_slice_size) {
  std::size_t faults = 0;
  for (reader::Value v = annotations_.first(); v; v = v.next()) {
    if (!v.is(reader::Type::kMap) && !v.is(reader::Type::kSequence)) continue;
    context_.error(header_, v, member(path_, v.key()), "must be a text (put it in quotes)");
    ++faults;
  }
  if (faults > 0) return std::move(reading_);
  read_main();
  read_slice_pair(default_slice_size);
  read_constraints();
  read_group();
  read_offset();
  if (find(annotation::kSpreading))
    reading_.not_honoured.emplace_back("spreading over topology domains");
  return std::move(reading_);
}

}  // namespace

TopologyReading read_topology_annotations(FieldReader& context, const ObjectHeader& header,
                                          reader::Value metadata, const std::string& path,
                                          std::int64_t count,
                                          std::optional<std::int64_t> default_slice_size) {
  warn_misspelt_annotations(context, header, metadata, path);
  AnnotationReader reader(context, header, context.map(header, metadata, "annotations", path),
                          path + ".annotations", count);
  return reader.read(default_slice_size);
}

}  // namespace tessera::ingest
