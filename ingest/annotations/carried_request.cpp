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
constexpr const char* kSpec = "spec";  // hash of the spec that the faults are about

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

/// A hash (FNV-1a) over what a tree says, the same for YAML and JSON, and in any order of keys.
class TreeHash {
 public:
  static std::string text(const Json& spec) { return hex(of(spec)); }
  static std::string text(Value spec) { return hex(of(spec)); }

 private:
  static constexpr std::uint64_t kStart = 14695981039346656037U, kPrime = 1099511628211U;

  static std::uint64_t over(std::string_view text, std::uint64_t hash = kStart) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
    return hash;
  }
  static std::uint64_t join(std::uint64_t hash, std::uint64_t next) {
    return (hash ^ next ^ (next >> 31U)) * kPrime;
  }
  static std::uint64_t of(const Json& tree) {
    std::uint64_t hash = tree.is_object() ? 1 : 2;
    if (tree.is_object()) {
      for (const auto& [key, value] : tree.items()) hash += join(over(key), of(value));
    } else if (tree.is_array()) {
      for (const Json& each : tree) hash = join(hash, of(each));
    } else {
      const bool is_text = tree.is_string();
      return tree.is_null() ? 0 : over(is_text ? tree.get<std::string>() : tree.dump());
    }
    return hash;
  }
  static std::uint64_t of(Value tree) {
    std::uint64_t hash = tree.is(reader::Type::kMap) ? 1 : 2;
    if (tree.is(reader::Type::kMap)) {
      for (Value v = tree.first(); v; v = v.next()) hash += join(over(v.key()), of(v));
    } else if (tree.is(reader::Type::kSequence)) {
      for (Value v = tree.first(); v; v = v.next()) hash = join(hash, of(v));
    } else {
      return tree.is(reader::Type::kNull) ? 0 : over(tree.text());
    }
    return hash;
  }
  static std::string hex(std::uint64_t hash) {
    std::string text;
    for (int digit = 0; digit < 16; ++digit, hash >>= 4U) text += "0123456789abcdef"[hash & 15U];
    return text;
  }
};

}  // namespace

bool carries_faults(const core::Workload& workload) {
  return !workload.invalid.empty() || !workload.resources_fault.empty();
}

std::string carried_request_text(const core::Workload& workload, std::string_view spec) {
  Json out = Json::object();
  for (const Error& fault : workload.invalid) {
    if (out.contains(kInvalid) && out[kInvalid].size() == kMostFaults) break;
    out[kInvalid].push_back(Json{{"field", fault.where.field}, {"message", fault.message}});
  }
  if (!workload.held_by.empty()) out[kHeldBy] = workload.held_by;
  if (!workload.resources_fault.empty()) out[kResourcesFault] = workload.resources_fault;
  if (!workload.not_honoured.empty()) out[kNotHonoured] = workload.not_honoured;
  if (workload.settled) out[kSettled] = true;
  if (carries_faults(workload)) out[kSpec] = TreeHash::text(Json::parse(spec));
  // Bytes that are no UTF-8 are replaced, as everywhere in the output.
  return out.empty() ? std::string() : out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void read_carried_request(FieldReader& context, const ObjectHeader& header, Value root,
                          core::Workload& workload) {
  const Value at = root["metadata"]["annotations"][kCarriedRequest];
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
  const std::optional<std::string> spec = text_of(in, kSpec);
  if (!spec || *spec == TreeHash::text(root["spec"])) {
    const std::size_t own = workload.invalid.size();
    read_faults(list(kInvalid), context.where(header, at, ""), workload);
    workload.resources_fault = text_of(in, kResourcesFault).value_or("");
    if (workload.invalid.size() > own || !workload.resources_fault.empty()) {
      context.warning(header, at, field,
                      "names faults of the object that this spec was made from: they count until "
                      "you correct the spec or remove this annotation");
    }
  } else {
    context.warning(header, at, field,
                    "was written with another spec: the faults that it names are not counted");
  }
  read_phrases(list(kNotHonoured), workload.not_honoured);
  workload.held_by = text_of(in, kHeldBy).value_or("");
  const auto settled = in.find(kSettled);
  workload.settled = settled != in.end() && settled->is_boolean() && settled->get<bool>();
}

}  // namespace tessera::ingest
