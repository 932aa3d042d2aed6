// SPDX-License-Identifier: Apache-2.0
#include "ingest/annotations/carried_request.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "ingest/fields/field_text.h"

namespace tessera::ingest {
namespace {

using Json = nlohmann::ordered_json;
using reader::Value;

/// Bytes. An API server takes 256 KiB for all annotations of an object.
constexpr std::size_t kMostText = 64UL * 1024;
constexpr std::size_t kMostFaults = 32;  // written; the first of them is the reason that is told

constexpr const char* kInvalid = "invalid";
constexpr const char* kHeldBy = "heldBy";
constexpr const char* kResourcesFault = "resourcesFault";
constexpr const char* kNotHonoured = "notHonoured";
constexpr const char* kSettled = "settled";

/// The text under `key`; nothing if it is absent or something else.
std::optional<std::string> text_of(const Json& in, const char* key) {
  const auto found = in.find(key);
  if (found == in.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

bool has_fault(const core::Workload& workload, const Error& fault) {
  return std::any_of(workload.invalid.begin(), workload.invalid.end(), [&](const Error& known) {
    return known.message == fault.message && known.where.field == fault.where.field;
  });
}

void read_faults(const Json& list, const Where& where, core::Workload& workload) {
  for (const Json& one : list) {
    if (!one.is_object()) continue;
    Error fault{ErrorCode::kInvalidInput, text_of(one, "message").value_or(""), where};
    fault.where.field = text_of(one, "field").value_or("");
    if (!fault.message.empty() && !has_fault(workload, fault)) {
      workload.invalid.push_back(std::move(fault));
    }
  }
}

void read_phrases(const Json& list, std::vector<std::string>& phrases) {
  for (const Json& one : list) {
    if (!one.is_string()) continue;
    std::string phrase = one.get<std::string>();
    if (std::find(phrases.begin(), phrases.end(), phrase) == phrases.end()) {
      phrases.push_back(std::move(phrase));
    }
  }
}

}  // namespace

std::string carried_request_text(const core::Workload& workload) {
  Json out = Json::object();
  for (const Error& fault : workload.invalid) {
    if (out.contains(kInvalid) && out[kInvalid].size() == kMostFaults) break;
    out[kInvalid].push_back(Json{{"field", fault.where.field}, {"message", fault.message}});
  }
  if (!workload.held_by.empty()) out[kHeldBy] = workload.held_by;
  if (!workload.resources_fault.empty()) out[kResourcesFault] = workload.resources_fault;
  if (!workload.not_honoured.empty()) out[kNotHonoured] = workload.not_honoured;
  if (workload.settled) out[kSettled] = true;
  // Bytes that are no UTF-8 are replaced, as everywhere in the output.
  return out.empty() ? std::string() : out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void read_carried_request(FieldReader& context, const ObjectHeader& header, Value metadata,
                          core::Workload& workload) {
  const Value at = metadata["annotations"][kCarriedRequest];
  if (!at) return;
  const std::string field = member("metadata.annotations", kCarriedRequest);
  const std::string_view text = at.text();
  const Json in = text.size() > kMostText ? Json() : Json::parse(text, nullptr, false);
  if (!in.is_object()) {
    context.error(header, at, field, "is not what `schedule -o json` writes");
    return;
  }
  const auto list = [&](const char* key) {
    const auto found = in.find(key);
    return found != in.end() && found->is_array() ? *found : Json::array();
  };
  read_faults(list(kInvalid), context.where(header, at, ""), workload);
  read_phrases(list(kNotHonoured), workload.not_honoured);
  workload.held_by = text_of(in, kHeldBy).value_or("");
  workload.resources_fault = text_of(in, kResourcesFault).value_or("");
  const auto settled = in.find(kSettled);
  workload.settled = settled != in.end() && settled->is_boolean() && settled->get<bool>();
}

}  // namespace tessera::ingest
