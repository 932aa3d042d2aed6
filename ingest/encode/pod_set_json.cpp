// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/pod_set_json.h"

#include <nlohmann/json.hpp>

namespace tessera::encode {
namespace {

using Json = nlohmann::ordered_json;
using topology::LabelRequirement;

Json requirement_json(const LabelRequirement& requirement) {
  static constexpr const char* kOperators[] = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};
  Json out{{"key", requirement.key.str()},
           {"operator", kOperators[static_cast<std::size_t>(requirement.op)]}};
  for (const topology::AskedText& value : requirement.values) out["values"].push_back(value.str());
  return out;
}

Json term_json(const topology::NodeSelectorTerm& term) {
  Json out = Json::object();
  for (const LabelRequirement& r : term.expressions)
    out["matchExpressions"].push_back(requirement_json(r));
  for (const LabelRequirement& r : term.fields) out["matchFields"].push_back(requirement_json(r));
  return out;
}

Json toleration_json(const topology::Toleration& toleration) {
  static constexpr const char* kOperators[] = {"Equal", "Exists", "Lt", "Gt"};
  static constexpr const char* kEffects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  Json out = Json::object();
  if (!toleration.key.empty()) out["key"] = toleration.key.str();
  out["operator"] = kOperators[static_cast<std::size_t>(toleration.op)];
  if (!toleration.value.empty()) out["value"] = toleration.value.str();
  if (toleration.effect) out["effect"] = kEffects[static_cast<std::size_t>(*toleration.effect)];
  if (toleration.seconds) out["tolerationSeconds"] = *toleration.seconds;
  return out;
}

void add_filter(const topology::NodeFilter& filter, Json& spec) {
  for (const topology::Toleration& t : filter.tolerations)
    spec["tolerations"].push_back(toleration_json(t));
  for (const auto& [label, value] : filter.node_selector)
    spec["nodeSelector"][label.str()] = value.str();
  Json affinity = Json::object();
  if (filter.required) {
    Json terms = Json::array();
    for (const topology::NodeSelectorTerm& term : *filter.required)
      terms.push_back(term_json(term));
    affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"] =
        std::move(terms);
  }
  for (const topology::PreferredTerm& preferred : filter.preferred) {
    affinity["preferredDuringSchedulingIgnoredDuringExecution"].push_back(
        Json{{"weight", preferred.weight}, {"preference", term_json(preferred.term)}});
  }
  if (!affinity.empty()) spec["affinity"]["nodeAffinity"] = std::move(affinity);
}

Json topology_request_json(const solver::PodSet& pod_set) {
  const solver::TopologyRequest& request = pod_set.topology;
  Json out = Json::object();
  if (request.required) out["required"] = request.required->str();
  if (request.preferred) out["preferred"] = request.preferred->str();
  if (request.unconstrained) out["unconstrained"] = *request.unconstrained;
  if (request.layers.size() == 1) {
    out["podSetSliceRequiredTopology"] = request.layers[0].level.str();
    if (request.layers[0].size > 0) out["podSetSliceSize"] = request.layers[0].size;
  } else {
    for (const solver::SliceLayer& layer : request.layers) {
      out["podsetSliceRequiredTopologyConstraints"].push_back(
          Json{{"topology", layer.level.str()}, {"size", layer.size}});
    }
  }
  if (!pod_set.unit.empty()) out["podSetGroupName"] = pod_set.unit;
  if (pod_set.index && !pod_set.index->label.empty()) {
    out["podIndexLabel"] = pod_set.index->label;
    if (!pod_set.index->sub_label.empty()) {
      out["subGroupIndexLabel"] = pod_set.index->sub_label;
      out["subGroupCount"] = pod_set.index->sub_count;
    }
  }
  return out;
}

}  // namespace

Json flavors_json(const core::ResourceFlavors& flavors) {
  Json out = Json::object();
  for (const auto& [resource, flavor] : flavors) out[resource.str()] = flavor.view();
  return out;
}

Json amounts_json(const topology::Amounts& amounts) {
  Json out = Json::object();
  for (const topology::Amount& amount : amounts) {
    out[amount.resource.str()] = topology::amount_text(amount.resource.view(), amount.value);
  }
  return out;
}

Json pod_set_json(const solver::PodSet& pod_set) {
  Json spec{{"containers",
             Json::array({Json{{"name", "main"},
                               {"resources", {{"requests", amounts_json(pod_set.request)}}}}})}};
  add_filter(pod_set.filter, spec);
  Json out{{"name", pod_set.name}, {"count", pod_set.count}};
  if (pod_set.min_count) out["minCount"] = *pod_set.min_count;
  Json& pod_template = out["template"] = Json::object();
  if (pod_set.index && pod_set.index->offset != 0) {
    pod_template["metadata"]["annotations"]["kueue.x-k8s.io/pod-index-offset"] =
        std::to_string(pod_set.index->offset);
  }
  pod_template["spec"] = std::move(spec);
  Json request = topology_request_json(pod_set);
  if (!request.empty()) out["topologyRequest"] = std::move(request);
  return out;
}

}  // namespace tessera::encode
