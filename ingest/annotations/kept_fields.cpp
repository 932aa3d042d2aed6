// SPDX-License-Identifier: Apache-2.0
#include "ingest/annotations/kept_fields.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "ingest/annotations/annotation_keys.h"
#include "ingest/annotations/carried_request.h"

namespace tessera::ingest {
namespace {

using Json = nlohmann::ordered_json;
using reader::Type;
using reader::Value;
using Keys = std::initializer_list<std::string_view>;

// Holds the whole object once more, with the environment of its pods.
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::size_t kMostPodSets = 64;  // whose templates are kept; the API server takes 8

Json json_of(Value value) {
  switch (value.type()) {
    case Type::kNull:
      return nullptr;
    case Type::kBool:
      return value.boolean();
    case Type::kNumber:
      return Json::parse(value.text(), nullptr, false);
    case Type::kString:
      return std::string(value.text());
    case Type::kMap: {
      Json map = Json::object();
      for (Value v = value.first(); v; v = v.next()) map[std::string(v.key())] = json_of(v);
      return map;
    }
    case Type::kSequence: {
      Json list = Json::array();
      for (Value v = value.first(); v; v = v.next()) list.push_back(json_of(v));
      return list;
    }
  }
  return nullptr;
}

/// The entries of a map but for those under `written`, which ingest/encode writes.
Json rest_of(Value map, Keys written) {
  Json rest = Json::object();
  if (!map.is(Type::kMap)) return rest;
  for (Value v = map.first(); v; v = v.next()) {
    if (std::find(written.begin(), written.end(), v.key()) != written.end()) continue;
    if (!v.key().empty()) rest[std::string(v.key())] = json_of(v);
  }
  return rest;
}

void set_if_any(Json& out, const char* key, Json value) {
  if (!value.empty()) out[key] = std::move(value);
}

Json metadata_of(Value metadata) {
  Json out = rest_of(metadata, {"name", "namespace", "uid", "managedFields", "creationTimestamp",
                                "labels", "annotations", "ownerReferences"});
  set_if_any(out, "labels", rest_of(metadata["labels"], {"tessera.dev/origin"}));
  set_if_any(out, "annotations",
             rest_of(metadata["annotations"], {"tessera.dev/explanation", kCarriedRequest,
                                               annotation::kAdmissionGatedBy, kLastApplied}));
  if (metadata["ownerReferences"].is(Type::kSequence)) {
    out["ownerReferences"][kKeptWhole] = json_of(metadata["ownerReferences"]);
  }
  return out;
}

/// What ingest/encode writes of a pod's request is its sum, so what it was the sum of is left out.
Json template_of(Value pod_template) {
  Json out = Json::object();
  const Value spec = pod_template["spec"];
  Json metadata = rest_of(pod_template["metadata"], {"annotations"});
  set_if_any(metadata, "annotations",
             rest_of(pod_template["metadata"]["annotations"], {annotation::kIndexOffset}));
  Json rest =
      rest_of(spec, {"containers", "initContainers", "ephemeralContainers", "volumes", "resources",
                     "overhead", "runtimeClassName", "tolerations", "nodeSelector", "affinity"});
  set_if_any(rest, "affinity", rest_of(spec["affinity"], {"nodeAffinity"}));
  set_if_any(out, "metadata", std::move(metadata));
  set_if_any(out, "spec", std::move(rest));
  return out;
}

/// What ingest/encode does not write has no effect: a size of slices without a level.
Json topology_request_of(Value request) {
  Json out = rest_of(request,
                     {"required", "preferred", "unconstrained", "podSetGroupName", "podIndexLabel",
                      "podSetSliceRequiredTopology", "podsetSliceRequiredTopologyConstraints"});
  const bool sliced = request["podSetSliceRequiredTopology"] ||
                      request["podsetSliceRequiredTopologyConstraints"].size() > 0;
  if (sliced) out.erase("podSetSliceSize");
  return out;
}

Json spec_of(Value spec) {
  Json out = rest_of(spec, {"queueName", "active", "priority", "priorityClassName",
                            "priorityClassRef", "priorityClassSource", "podSets"});
  const Value pod_sets = spec["podSets"];
  if (!pod_sets.is(Type::kSequence) || pod_sets.size() > kMostPodSets) return out;
  Json list = Json::array();
  bool any = false;
  for (Value v = pod_sets.first(); v; v = v.next()) {
    Json kept = rest_of(v, {"name", "count", "minCount", "template", "topologyRequest"});
    set_if_any(kept, "template", template_of(v["template"]));
    set_if_any(kept, "topologyRequest", topology_request_of(v["topologyRequest"]));
    any = any || !kept.empty();
    list.push_back(std::move(kept));
  }
  if (any) out["podSets"] = std::move(list);
  return out;
}

/// In the order in which ingest/encode writes the conditions of a workload that waits: first
/// QuotaReserved, then the others as they came.
Json conditions_of(Value conditions) {
  Json list = Json::array({Json::object()});
  bool any = false;
  if (!conditions.is(Type::kSequence)) return Json::array();
  for (Value v = conditions.first(); v; v = v.next()) {
    const std::string_view type = v["type"].text();
    if (type.empty() || type == "QuotaReserved" || type == "Admitted") continue;
    list.push_back(rest_of(v, {"type", "status", "reason", "message", "lastTransitionTime"}));
    any = any || !list.back().empty();
  }
  return any ? list : Json::array();
}

Json status_of(Value status) {
  Json out = rest_of(
      status, {"admission", "conditions", "requeueState", "reclaimablePods", "admissionChecks"});
  set_if_any(out, "conditions", conditions_of(status["conditions"]));
  if (status["admissionChecks"].is(Type::kSequence)) {
    out["admissionChecks"][kKeptWhole] = json_of(status["admissionChecks"]);
  }
  return out;
}

}  // namespace

std::string kept_fields_text(Value root) {
  Json out = Json::object();
  set_if_any(out, "metadata", metadata_of(root["metadata"]));
  set_if_any(out, "spec", spec_of(root["spec"]));
  set_if_any(out, "status", status_of(root["status"]));
  if (out.empty()) return {};
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::ingest
