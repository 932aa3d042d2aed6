// SPDX-License-Identifier: Apache-2.0
// The fields of what was decided, and of refusals with their evidence, in the canonical text: see
// fields.h.
#pragma once

#include "actors/records/cycle_record.h"
#include "actors/records/text/workload_fields.h"

namespace tessera::core {

/// The names that reason_name() gives, as a table.
struct ReasonNames {
  static constexpr std::size_t size() { return values_up_to(Reason::kInvalid); }
  std::string_view operator[](std::size_t i) const { return reason_name(static_cast<Reason>(i)); }
};
template <>
inline constexpr ReasonNames kNames<Reason> = {};

template <>
inline constexpr std::array<std::string_view, 14> kNames<FlavorRejection::Kind> = {
    "Missing",      "NotTopologyAware", "OnlyTopologyAware",
    "UnknownLevel", "NoTopology",       "Taint",
    "Affinity",     "OverMaximum",      "NoUnusedQuota",
    "Placement",    "NoTopologyFlavor", "SeveralTopologyFlavors",
    "Uncovered",    "NotNominated"};
static_assert(kNames<FlavorRejection::Kind>.size() ==
              values_up_to(FlavorRejection::Kind::kNotNominated));

template <>
inline constexpr std::array<std::string_view, 4> kNames<Severity> = {"TopologyPlacement", "Quota",
                                                                     "Maximum", "Flavor"};
static_assert(kNames<Severity>.size() == values_up_to(Severity::kFlavor));

template <>
inline constexpr std::array<std::string_view, 20> kNames<solver::Obstacle> = {
    "NoneFits",       "SomeFit",           "LayersShort",       "NoDomains",
    "UnknownLevel",   "UnknownSliceLevel", "SliceAboveRequest", "SliceSizeMissing",
    "NoLevel",        "UnknownLayerLevel", "LayerNotLower",     "LayerNotDividing",
    "SliceRemainder", "LeaderDoesNotFit",  "GroupShape",        "Overbooked",
    "TreeDoesNotFit", "TreeBounded",       "TreeShortOfPods",   "TreeUnknownLevel"};
static_assert(kNames<solver::Obstacle>.size() == values_up_to(solver::Obstacle::kTreeUnknownLevel));

template <>
inline constexpr std::array<std::string_view, 4> kNames<solver::CauseCount::Kind> = {
    "Resource", "Taint", "NodeSelector", "Affinity"};
static_assert(kNames<solver::CauseCount::Kind>.size() ==
              values_up_to(solver::CauseCount::Kind::kAffinity));

template <>
inline constexpr std::array<std::string_view, 4> kNames<LifeChange::Kind> = {"Started", "Suspended",
                                                                             "Resumed", "Evicting"};
static_assert(kNames<LifeChange::Kind>.size() == values_up_to(LifeChange::Kind::kEvicting));

template <>
inline constexpr std::array<std::string_view, 4> kNames<EvictionReason> = {
    "Requested", "Deactivated", "PodsReadyTimeout", "NodeFailures"};
static_assert(kNames<EvictionReason>.size() == values_up_to(EvictionReason::kNodeFailures));

template <>
inline constexpr auto kFields<solver::CauseCount> = fields<solver::CauseCount>(
    field("detail", &solver::CauseCount::detail), field("kind", &solver::CauseCount::kind),
    field("leaves", &solver::CauseCount::leaves));

template <>
inline constexpr auto kFields<solver::LayerCount> = fields<solver::LayerCount>(
    field("fits", &solver::LayerCount::fits), field("level", &solver::LayerCount::level),
    field("need", &solver::LayerCount::need));

/// Without the steps that the search took: the same refusal may take more or fewer.
template <>
inline constexpr auto kFields<solver::Refusal> = fields<solver::Refusal>(
    field("causes", &solver::Refusal::causes), field("fits", &solver::Refusal::fits),
    field("group", &solver::Refusal::group), field("layers", &solver::Refusal::layers),
    field("leaves", &solver::Refusal::leaves), field("level", &solver::Refusal::level, -1),
    field("levelA", &solver::Refusal::level_a), field("levelB", &solver::Refusal::level_b),
    field("need", &solver::Refusal::need), field("obstacle", &solver::Refusal::obstacle),
    field("podSet", &solver::Refusal::pod_set), field("sizeA", &solver::Refusal::size_a),
    field("sizeB", &solver::Refusal::size_b), field("sliceSize", &solver::Refusal::slice_size, 1),
    left_out(&solver::Refusal::steps));

template <>
inline constexpr auto kFields<FlavorRejection> = fields<FlavorRejection>(
    field("flavor", &FlavorRejection::flavor), field("kind", &FlavorRejection::kind),
    field("level", &FlavorRejection::level), field("limit", &FlavorRejection::limit),
    field("limitingQueue", &FlavorRejection::limiting_queue),
    field("missing", &FlavorRejection::missing), field("podSet", &FlavorRejection::pod_set),
    field("previous", &FlavorRejection::previous), field("refusal", &FlavorRejection::refusal),
    field("request", &FlavorRejection::request), field("resource", &FlavorRejection::resource),
    field("taint", &FlavorRejection::taint), field("used", &FlavorRejection::used));

/// Only the members that a refusal fills. Where pods go stands in an Admission, by names.
template <>
inline constexpr auto kFields<Attempt> = fields<Attempt>(
    left_out(&Attempt::placed), left_out(&Attempt::pod_sets),
    field("failedPodSet", &Attempt::failed_pod_set), field("rejections", &Attempt::rejections),
    field("uncovered", &Attempt::uncovered));

template <>
inline constexpr auto kFields<RoundOutcome> = fields<RoundOutcome>(
    field("inadmissible", &RoundOutcome::inadmissible), field("lost", &RoundOutcome::lost),
    field("round", &RoundOutcome::round), field("severity", &RoundOutcome::severity));

/// The workload stands in the input that submitted it. The time that its evaluation took is no
/// part of the record.
template <>
inline constexpr auto kFields<RefusedWorkload> = fields<RefusedWorkload>(
    left_out(&RefusedWorkload::workload), left_out(&RefusedWorkload::nanoseconds),
    field("attempt", &RefusedWorkload::attempt),
    field("clusterQueue", &RefusedWorkload::cluster_queue),
    field("detail", &RefusedWorkload::detail), field("gang", &RefusedWorkload::gang),
    field("placedBefore", &RefusedWorkload::placed_before),
    field("reason", &RefusedWorkload::reason), field("round", &RefusedWorkload::round));

template <>
inline constexpr auto kFields<Admitted> =
    fields<Admitted>(left_out(&Admitted::workload), field("admission", &Admitted::admission),
                     field("gang", &Admitted::gang), field("grows", &Admitted::grows),
                     field("waitsForChecks", &Admitted::waits_for_checks));

template <>
inline constexpr auto kFields<LifeChange> = fields<LifeChange>(
    field("gang", &LifeChange::gang), field("kind", &LifeChange::kind),
    field("reason", &LifeChange::reason), field("requeueAt", &LifeChange::requeue_at, INT64_MIN),
    field("requeues", &LifeChange::requeues));

}  // namespace tessera::core
