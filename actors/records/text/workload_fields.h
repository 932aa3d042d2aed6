// SPDX-License-Identifier: Apache-2.0
// The fields of workloads and of what they hold in the canonical text: see fields.h.
#pragma once

#include "actors/records/text/definition_fields.h"

namespace tessera::core {

template <>
inline constexpr std::array<std::string_view, 4> kNames<CheckState> = {"Pending", "Ready", "Retry",
                                                                       "Rejected"};
static_assert(kNames<CheckState>.size() == values_up_to(CheckState::kRejected));

template <>
inline constexpr std::array<std::string_view, 7> kNames<ErrorCode> = {
    "InvalidInput", "Usage", "NotFound", "Limit", "NoRoom", "Conflict", "Internal"};
static_assert(kNames<ErrorCode>.size() == values_up_to(ErrorCode::kInternal));

template <>
inline constexpr auto kFields<Error> = fields<Error>(field("code", &Error::code),
                                                     field("message", &Error::message),
                                                     field("where", &Error::where));

template <>
inline constexpr auto kFields<Origin> = fields<Origin>(field("apiVersion", &Origin::api_version),
                                                       field("kind", &Origin::kind),
                                                       field("name", &Origin::name),
                                                       field("uid", &Origin::uid));

template <>
inline constexpr auto kFields<WorkloadCheck> = fields<WorkloadCheck>(
    field("name", &WorkloadCheck::name), field("state", &WorkloadCheck::state));

template <>
inline constexpr auto kFields<solver::SliceLayer> = fields<solver::SliceLayer>(
    field("level", &solver::SliceLayer::level), field("size", &solver::SliceLayer::size));

template <>
inline constexpr auto kFields<solver::TopologyRequest> = fields<solver::TopologyRequest>(
    field("layers", &solver::TopologyRequest::layers),
    field("preferred", &solver::TopologyRequest::preferred),
    field("required", &solver::TopologyRequest::required),
    field("unconstrained", &solver::TopologyRequest::unconstrained));

template <>
inline constexpr auto kFields<solver::IndexRule> = fields<solver::IndexRule>(
    field("label", &solver::IndexRule::label), field("offset", &solver::IndexRule::offset),
    field("subCount", &solver::IndexRule::sub_count),
    field("subLabel", &solver::IndexRule::sub_label));

template <>
inline constexpr auto kFields<solver::PodSet> = fields<solver::PodSet>(
    field("count", &solver::PodSet::count), field("filter", &solver::PodSet::filter),
    field("index", &solver::PodSet::index), field("minCount", &solver::PodSet::min_count),
    field("name", &solver::PodSet::name), field("pods", &solver::PodSet::pods),
    field("request", &solver::PodSet::request), field("topology", &solver::PodSet::topology),
    field("unit", &solver::PodSet::unit));

template <>
inline constexpr auto kFields<solver::GroupTopology> =
    fields<solver::GroupTopology>(field("preferred", &solver::GroupTopology::preferred),
                                  field("required", &solver::GroupTopology::required),
                                  field("topology", &solver::GroupTopology::topology));

template <>
inline constexpr auto kFields<solver::GroupExclusive> =
    fields<solver::GroupExclusive>(field("everyone", &solver::GroupExclusive::everyone),
                                   field("level", &solver::GroupExclusive::level));

template <>
inline constexpr auto kFields<solver::GroupSpread> = fields<solver::GroupSpread>(
    field("level", &solver::GroupSpread::level), field("most", &solver::GroupSpread::most, 1));

template <>
inline constexpr auto kFields<solver::GangGroup> = fields<solver::GangGroup>(
    field("end", &solver::GangGroup::end), field("exclusive", &solver::GangGroup::exclusive),
    field("minChildren", &solver::GangGroup::min_children),
    field("minPods", &solver::GangGroup::min_pods), field("name", &solver::GangGroup::name),
    field("parent", &solver::GangGroup::parent), field("podsBegin", &solver::GangGroup::pods_begin),
    field("podsEnd", &solver::GangGroup::pods_end), field("running", &solver::GangGroup::running),
    field("spread", &solver::GangGroup::spread), field("topology", &solver::GangGroup::topology));

template <>
inline constexpr auto kFields<solver::Gang> = fields<solver::Gang>(
    field("groups", &solver::Gang::groups), field("podSets", &solver::Gang::pod_sets));

template <>
inline constexpr auto kFields<PodSetAssignment> = fields<PodSetAssignment>(
    field("count", &PodSetAssignment::count), field("domains", &PodSetAssignment::domains),
    field("flavors", &PodSetAssignment::flavors), field("levels", &PodSetAssignment::levels),
    field("name", &PodSetAssignment::name), field("usage", &PodSetAssignment::usage));

template <>
inline constexpr auto kFields<Admission> = fields<Admission>(
    field("clusterQueue", &Admission::cluster_queue), field("podSets", &Admission::pod_sets));

template <>
inline constexpr auto kFields<WorkloadCondition> = fields<WorkloadCondition>(
    field("message", &WorkloadCondition::message), field("reason", &WorkloadCondition::reason),
    field("since", &WorkloadCondition::since, INT64_MIN),
    field("status", &WorkloadCondition::status), field("type", &WorkloadCondition::type));

template <>
inline constexpr auto kFields<ReclaimablePods> = fields<ReclaimablePods>(
    field("asked", &ReclaimablePods::asked), field("askedMin", &ReclaimablePods::asked_min),
    field("count", &ReclaimablePods::count), field("podSet", &ReclaimablePods::pod_set));

template <>
inline constexpr auto kFields<WorkloadStatus> = fields<WorkloadStatus>(
    field("admission", &WorkloadStatus::admission),
    field("admittedAt", &WorkloadStatus::admitted_at, INT64_MIN),
    field("backsOff", &WorkloadStatus::backs_off), field("checks", &WorkloadStatus::checks),
    field("conditions", &WorkloadStatus::conditions), field("evicted", &WorkloadStatus::evicted),
    field("finished", &WorkloadStatus::finished), field("podsReady", &WorkloadStatus::pods_ready),
    field("quotaReserved", &WorkloadStatus::quota_reserved),
    field("reclaimable", &WorkloadStatus::reclaimable),
    field("replacesPods", &WorkloadStatus::replaces_pods),
    field("requeueAt", &WorkloadStatus::requeue_at, INT64_MIN),
    field("requeues", &WorkloadStatus::requeues));

template <>
inline constexpr auto kFields<Workload> = fields<Workload>(
    field("active", &Workload::active, true),
    field("admissionGatedBy", &Workload::admission_gated_by),
    field("created", &Workload::created, INT64_MIN), field("gang", &Workload::gang),
    field("heldBy", &Workload::held_by), field("invalid", &Workload::invalid),
    field("made", &Workload::made, INT64_MIN), field("name", &Workload::name),
    field("namespace", &Workload::namespace_name), field("notHonoured", &Workload::not_honoured),
    field("origin", &Workload::origin), field("originLabel", &Workload::origin_label),
    field("podPriorityClass", &Workload::pod_priority_class),
    field("priority", &Workload::priority), field("priorityClass", &Workload::priority_class),
    field("queue", &Workload::queue), field("queueIsKai", &Workload::queue_is_kai),
    field("quotaRequests", &Workload::quota_requests),
    field("resourcesFault", &Workload::resources_fault), field("settled", &Workload::settled),
    field("status", &Workload::status), field("templates", &Workload::templates),
    field("uid", &Workload::uid), field("where", &Workload::where));

}  // namespace tessera::core
