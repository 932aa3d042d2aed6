// SPDX-License-Identifier: Apache-2.0
// The fields of nodes, node filters, pods and topologies in the canonical text: see fields.h.
#pragma once

#include <array>

#include "actors/records/inventory.h"
#include "actors/records/text/fields.h"

namespace tessera::core {

template <>
inline constexpr std::array<std::string_view, 3> kNames<topology::TaintEffect> = {
    "NoSchedule", "PreferNoSchedule", "NoExecute"};
static_assert(kNames<topology::TaintEffect>.size() ==
              values_up_to(topology::TaintEffect::kNoExecute));

template <>
inline constexpr std::array<std::string_view, 4> kNames<topology::TolerationOperator> = {
    "Equal", "Exists", "Lt", "Gt"};
static_assert(kNames<topology::TolerationOperator>.size() ==
              values_up_to(topology::TolerationOperator::kGt));

template <>
inline constexpr std::array<std::string_view, 6> kNames<topology::LabelOperator> = {
    "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};
static_assert(kNames<topology::LabelOperator>.size() == values_up_to(topology::LabelOperator::kLt));

template <>
inline constexpr std::array<std::string_view, 3> kNames<topology::UnlabelledNodes> = {
    "Exclude", "UnconstrainedOnly", "Kept"};
static_assert(kNames<topology::UnlabelledNodes>.size() ==
              values_up_to(topology::UnlabelledNodes::kKept));

template <>
inline constexpr auto kFields<topology::Taint> = fields<topology::Taint>(
    field("effect", &topology::Taint::effect), field("key", &topology::Taint::key),
    field("value", &topology::Taint::value));

template <>
inline constexpr auto kFields<topology::Toleration> = fields<topology::Toleration>(
    field("effect", &topology::Toleration::effect), field("key", &topology::Toleration::key),
    field("operator", &topology::Toleration::op), field("seconds", &topology::Toleration::seconds),
    field("value", &topology::Toleration::value));

template <>
inline constexpr auto kFields<topology::LabelRequirement> =
    fields<topology::LabelRequirement>(field("key", &topology::LabelRequirement::key),
                                       field("operator", &topology::LabelRequirement::op),
                                       field("values", &topology::LabelRequirement::values));

template <>
inline constexpr auto kFields<topology::LabelSelector> =
    fields<topology::LabelSelector>(field("requirements", &topology::LabelSelector::requirements));

template <>
inline constexpr auto kFields<topology::NodeSelectorTerm> = fields<topology::NodeSelectorTerm>(
    field("expressions", &topology::NodeSelectorTerm::expressions),
    field("fields", &topology::NodeSelectorTerm::fields));

template <>
inline constexpr auto kFields<topology::PreferredTerm> =
    fields<topology::PreferredTerm>(field("term", &topology::PreferredTerm::term),
                                    field("weight", &topology::PreferredTerm::weight, 1));

template <>
inline constexpr auto kFields<topology::NodeFilter> =
    fields<topology::NodeFilter>(field("nodeSelector", &topology::NodeFilter::node_selector),
                                 field("preferred", &topology::NodeFilter::preferred),
                                 field("required", &topology::NodeFilter::required),
                                 field("tolerations", &topology::NodeFilter::tolerations));

template <>
inline constexpr auto kFields<topology::NodeRecord> = fields<topology::NodeRecord>(
    field("allocatable", &topology::NodeRecord::allocatable),
    field("capacity", &topology::NodeRecord::capacity),
    field("labels", &topology::NodeRecord::labels), field("name", &topology::NodeRecord::name),
    field("ready", &topology::NodeRecord::ready), field("taints", &topology::NodeRecord::taints),
    field("uid", &topology::NodeRecord::uid),
    field("unschedulable", &topology::NodeRecord::unschedulable));

template <>
inline constexpr auto kFields<topology::TopologyLevel> =
    fields<topology::TopologyLevel>(field("alias", &topology::TopologyLevel::alias),
                                    field("display", &topology::TopologyLevel::display),
                                    field("label", &topology::TopologyLevel::label));

template <>
inline constexpr auto kFields<topology::TopologySpec> = fields<topology::TopologySpec>(
    field("derived", &topology::TopologySpec::derived),
    field("levels", &topology::TopologySpec::levels), field("name", &topology::TopologySpec::name),
    field("unlabelled", &topology::TopologySpec::unlabelled));

template <>
inline constexpr auto kFields<PodRecord> = fields<PodRecord>(
    field("kaiQueue", &PodRecord::kai_queue), field("name", &PodRecord::name),
    field("namespace", &PodRecord::namespace_name), field("node", &PodRecord::node),
    field("owner", &PodRecord::owner), field("request", &PodRecord::request),
    field("tasAnnotated", &PodRecord::tas_annotated), field("workload", &PodRecord::workload));

}  // namespace tessera::core
