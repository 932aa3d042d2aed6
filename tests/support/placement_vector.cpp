// SPDX-License-Identifier: Apache-2.0
#include "tests/support/placement_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace tessera::test {
namespace {

using nlohmann::json;
using topology::Amounts;
using topology::Symbol;

Symbol symbol(const json& text) { return Symbol(text.get_ref<const std::string&>()); }

/// The member `key`, or null: absent and null mean the same in these files.
const json& member(const json& object, const char* key) {
  static const json kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

std::string text_of(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool flag(const json& object, const char* key, bool otherwise) {
  const json& value = member(object, key);
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

Amounts read_amounts(const json& quantities) {
  Amounts amounts;
  for (const auto& [name, text] : quantities.items()) {
    const auto quantity = topology::Quantity::parse(text.get_ref<const std::string&>());
    EXPECT_TRUE(quantity.has_value()) << text;
    if (quantity) amounts.set(Symbol(name), topology::engine_amount(Symbol(name), *quantity));
  }
  return amounts;
}

std::optional<topology::TaintEffect> read_effect(const std::string& text) {
  if (text == "NoSchedule") return topology::TaintEffect::kNoSchedule;
  if (text == "PreferNoSchedule") return topology::TaintEffect::kPreferNoSchedule;
  if (text == "NoExecute") return topology::TaintEffect::kNoExecute;
  EXPECT_EQ(text, "") << "taint effect";
  return std::nullopt;
}

topology::NodeRecord read_node(const json& object) {
  topology::NodeRecord node;
  node.name = symbol(object["name"]);
  for (const auto& [key, value] : member(object, "labels").items()) {
    node.labels.set(Symbol(key), symbol(value));
  }
  node.allocatable = read_amounts(object["allocatable"]);
  node.capacity = node.allocatable;
  node.ready = !flag(object, "notReady", false);
  node.unschedulable = flag(object, "unschedulable", false);
  for (const json& taint : member(object, "taints")) {
    node.taints.push_back({Symbol(text_of(taint, "key")), Symbol(text_of(taint, "value")),
                           read_effect(text_of(taint, "effect")).value()});
  }
  return node;
}

/// placement.md 2.4: pods that carry one of the five placement annotations are counted with their
/// workload.
bool counts_as_foreign(const json& pod) {
  const std::string phase = text_of(pod, "phase");
  if (phase == "Succeeded" || phase == "Failed") return false;
  const std::array<const char*, 5> annotations = {
      "kueue.x-k8s.io/podset-required-topology", "kueue.x-k8s.io/podset-preferred-topology",
      "kueue.x-k8s.io/podset-slice-required-topology",
      "kueue.x-k8s.io/podset-slice-required-topology-constraints",
      "kueue.x-k8s.io/podset-unconstrained-topology"};
  const json& present = member(pod, "annotations");
  return std::none_of(annotations.begin(), annotations.end(),
                      [&](const char* key) { return present.contains(key); });
}

Holding read_holding(const json& usage) {
  Holding holding;
  holding.sibling = usage["flavor"] != "own";
  for (const json& value : usage["domain"]) holding.domain.push_back(symbol(value));
  const Amounts requests = read_amounts(usage["requests"]);
  const auto count = usage["count"].get<std::int64_t>();
  holding.total = count == 0 ? requests : with_pod_slot(requests).times(count);
  return holding;
}

topology::LabelOperator read_operator(const std::string& text) {
  static const std::map<std::string, topology::LabelOperator> kOperators = {
      {"In", topology::LabelOperator::kIn},
      {"NotIn", topology::LabelOperator::kNotIn},
      {"Exists", topology::LabelOperator::kExists},
      {"DoesNotExist", topology::LabelOperator::kDoesNotExist},
      {"Gt", topology::LabelOperator::kGt},
      {"Lt", topology::LabelOperator::kLt}};
  return kOperators.at(text);
}

std::vector<topology::LabelRequirement> read_requirements(const json& list) {
  std::vector<topology::LabelRequirement> requirements;
  for (const json& item : list) {
    topology::LabelRequirement requirement;
    requirement.key = symbol(item["key"]);
    requirement.op = read_operator(text_of(item, "operator"));
    for (const json& value : member(item, "values")) requirement.values.emplace_back(symbol(value));
    requirements.push_back(std::move(requirement));
  }
  return requirements;
}

topology::NodeSelectorTerm read_term(const json& term) {
  return {read_requirements(member(term, "matchExpressions")),
          read_requirements(member(term, "matchFields"))};
}

topology::Toleration read_toleration(const json& object) {
  static const std::map<std::string, topology::TolerationOperator> kOperators = {
      {"", topology::TolerationOperator::kEqual},
      {"Equal", topology::TolerationOperator::kEqual},
      {"Exists", topology::TolerationOperator::kExists},
      {"Lt", topology::TolerationOperator::kLt},
      {"Gt", topology::TolerationOperator::kGt}};
  topology::Toleration toleration;
  toleration.key = Symbol(text_of(object, "key"));
  toleration.op = kOperators.at(text_of(object, "operator"));
  toleration.value = Symbol(text_of(object, "value"));
  toleration.effect = read_effect(text_of(object, "effect"));
  return toleration;
}

topology::NodeFilter read_filter(const json& pod_set) {
  topology::NodeFilter filter;
  for (const json& item : member(pod_set, "tolerations")) {
    filter.tolerations.push_back(read_toleration(item));
  }
  for (const auto& [key, value] : member(pod_set, "nodeSelector").items()) {
    filter.node_selector.emplace_back(Symbol(key), symbol(value));
  }
  const json& affinity = member(pod_set, "nodeAffinity");
  const json& required = member(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
  if (!required.is_null()) {
    filter.required.emplace();
    for (const json& term : member(required, "nodeSelectorTerms")) {
      filter.required->push_back(read_term(term));
    }
  }
  for (const json& item : member(affinity, "preferredDuringSchedulingIgnoredDuringExecution")) {
    filter.preferred.push_back({item["weight"].get<std::int32_t>(), read_term(item["preference"])});
  }
  return filter;
}

std::optional<Symbol> level_of(const json& request, const char* key) {
  const json& value = member(request, key);
  return value.is_string() ? std::optional<Symbol>(symbol(value)) : std::nullopt;
}

solver::TopologyRequest read_request(const json& object) {
  solver::TopologyRequest request;
  request.required = level_of(object, "required");
  request.preferred = level_of(object, "preferred");
  const json& unconstrained = member(object, "unconstrained");
  if (unconstrained.is_boolean()) request.unconstrained = unconstrained.get<bool>();
  for (const json& layer : member(object, "podsetSliceRequiredTopologyConstraints")) {
    request.layers.push_back({symbol(layer["topology"]), layer["size"].get<std::int64_t>()});
  }
  const auto slice_level = level_of(object, "podSetSliceRequiredTopology");
  if (request.layers.empty() && slice_level) {
    const json& size = member(object, "podSetSliceSize");
    request.layers.push_back({*slice_level, size.is_null() ? 0 : size.get<std::int64_t>()});
  }
  return request;
}

solver::PodSet read_pod_set(const json& object) {
  solver::PodSet pod_set;
  pod_set.name = text_of(object, "name");
  pod_set.count = object["count"].get<std::int64_t>();
  pod_set.request = read_amounts(object["requests"]);
  pod_set.filter = read_filter(object);
  pod_set.topology = read_request(member(object, "topologyRequest"));
  pod_set.unit = text_of(object, "group");
  return pod_set;
}

/// Whether the reference placed fewer pods of a pod set than were asked. That is a defect even if
/// no kueueDefect names it, because a later pod set was refused (mix-115).
bool loses_pods(const json& result, const solver::PodSet& pod_set) {
  if (result.contains("reason")) return false;
  std::int64_t pods = 0;
  for (const json& domain : result["domains"]) pods += domain["count"].get<std::int64_t>();
  return pods < pod_set.count;
}

std::string read_expected(const json& result) {
  if (result.contains("reason")) return "refused: " + text_of(result, "reason");
  std::string out;
  for (const json& level : result["levels"])
    out += (out.empty() ? "" : ",") + level.get<std::string>();
  out += ":";
  for (const json& domain : result["domains"]) {
    std::string name;
    for (const json& value : domain["values"]) {
      name += (name.empty() ? "" : "/") + value.get<std::string>();
    }
    out += " " + name + "=" + std::to_string(domain["count"].get<std::int64_t>());
  }
  return out;
}

solver::SearchOptions read_options(const json& gates) {
  solver::SearchOptions options;
  options.leader_filters = solver::LeaderFilters::kWorkers;
  options.slice_remainder = solver::SliceRemainder::kKueue;
  options.preferred_affinity = flag(gates, "TASRespectNodeAffinityPreferred", false);
  if (!flag(gates, "TASProfileMixed", true)) options.unconstrained = solver::Algorithm::kBestFit;
  if (flag(gates, "TASBalancedPlacement", false)) {
    options.balanced = solver::BalancedPlacement::kKueue;
  }
  return options;
}

WorldSpec read_world(const json& line) {
  WorldSpec world;
  world.topology.name = "default";
  for (const json& level : line["levels"]) world.topology.levels.push_back({symbol(level), "", ""});
  for (const auto& [key, value] : member(line, "flavorNodeLabels").items()) {
    world.flavor_labels.emplace_back(Symbol(key), symbol(value));
  }
  for (const json& node : line["nodes"]) world.nodes.push_back(read_node(node));
  for (const json& pod : member(line, "pods")) {
    if (!counts_as_foreign(pod)) continue;
    world.pods.push_back(
        {Symbol(text_of(pod, "node")), with_pod_slot(read_amounts(pod["requests"]))});
  }
  for (const json& usage : member(line, "usage")) world.holdings.push_back(read_holding(usage));
  world.policy.overlapping_flavors =
      flag(member(line, "gates"), "TASHandleOverlappingFlavors", true);
  world.policy.own_usage_above_host = true;
  return world;
}

}  // namespace

PlacementVector parse_placement_vector(const std::string& text) {
  const json line = json::parse(text);
  PlacementVector vector;
  vector.id = text_of(line, "id");
  vector.theme = text_of(line, "theme");
  vector.world = read_world(line);
  for (const json& pod_set : line["podSets"]) vector.gang.pod_sets.push_back(read_pod_set(pod_set));
  if (flag(line, "simulateEmpty", false)) vector.basis = topology::Basis::kEmpty;
  vector.options = read_options(member(line, "gates"));
  for (const auto& [name, result] : line["expect"].items()) {
    vector.expected[name] = read_expected(result);
  }
  vector.kueue_defect = !member(line, "kueueDefect").empty();
  for (const solver::PodSet& pod_set : vector.gang.pod_sets) {
    const json& result = member(line["expect"], pod_set.name.c_str());
    if (!result.is_null() && loses_pods(result, pod_set)) vector.kueue_defect = true;
  }
  return vector;
}

}  // namespace tessera::test
