// SPDX-License-Identifier: Apache-2.0
// The fields of definitions (flavors, queues, cohorts, checks, namespaces) in the canonical text:
// see fields.h.
#pragma once

#include "actors/records/text/node_fields.h"

namespace tessera::core {

template <>
inline constexpr std::array<std::string_view, 2> kNames<QueueStrategy> = {"BestEffortFIFO",
                                                                          "StrictFIFO"};
static_assert(kNames<QueueStrategy>.size() == values_up_to(QueueStrategy::kStrictFifo));

template <>
inline constexpr std::array<std::string_view, 3> kNames<StopPolicy> = {"None", "Hold",
                                                                       "HoldAndDrain"};
static_assert(kNames<StopPolicy>.size() == values_up_to(StopPolicy::kHoldAndDrain));

template <>
inline constexpr auto kFields<Where> = fields<Where>(field("column", &Where::column),
                                                     field("field", &Where::field),
                                                     field("file", &Where::file),
                                                     field("line", &Where::line),
                                                     field("object", &Where::object));

template <>
inline constexpr auto kFields<FlavorRecord> = fields<FlavorRecord>(
    field("name", &FlavorRecord::name), field("nodeLabels", &FlavorRecord::node_labels),
    field("nodeTaints", &FlavorRecord::node_taints),
    field("tolerations", &FlavorRecord::tolerations), field("topology", &FlavorRecord::topology));

template <>
inline constexpr auto kFields<ResourceQuota> = fields<ResourceQuota>(
    field("borrowingLimit", &ResourceQuota::borrowing_limit),
    field("lendingLimit", &ResourceQuota::lending_limit), field("nominal", &ResourceQuota::nominal),
    field("resource", &ResourceQuota::resource));

template <>
inline constexpr auto kFields<FlavorQuotas> = fields<FlavorQuotas>(
    field("flavor", &FlavorQuotas::flavor), field("resources", &FlavorQuotas::resources));

template <>
inline constexpr auto kFields<ResourceGroup> = fields<ResourceGroup>(
    field("covered", &ResourceGroup::covered), field("flavors", &ResourceGroup::flavors));

template <>
inline constexpr auto kFields<ClusterQueueRecord> = fields<ClusterQueueRecord>(
    field("borrowTriesNextFlavor", &ClusterQueueRecord::borrow_tries_next_flavor),
    field("checks", &ClusterQueueRecord::checks), field("cohort", &ClusterQueueRecord::cohort),
    field("fairSharing", &ClusterQueueRecord::fair_sharing),
    field("groups", &ClusterQueueRecord::groups), field("name", &ClusterQueueRecord::name),
    field("namespaceSelector", &ClusterQueueRecord::namespace_selector),
    field("preemptTriesNextFlavor", &ClusterQueueRecord::preempt_tries_next_flavor, true),
    field("preempts", &ClusterQueueRecord::preempts),
    field("preemptsWhileBorrowing", &ClusterQueueRecord::preempts_while_borrowing),
    field("reclaimsAny", &ClusterQueueRecord::reclaims_any),
    field("stop", &ClusterQueueRecord::stop), field("strategy", &ClusterQueueRecord::strategy),
    field("where", &ClusterQueueRecord::where));

template <>
inline constexpr auto kFields<CohortRecord> = fields<CohortRecord>(
    field("fairSharing", &CohortRecord::fair_sharing), field("groups", &CohortRecord::groups),
    field("name", &CohortRecord::name), field("parent", &CohortRecord::parent),
    field("where", &CohortRecord::where));

template <>
inline constexpr auto kFields<LocalQueueRecord> = fields<LocalQueueRecord>(
    field("clusterQueue", &LocalQueueRecord::cluster_queue), field("name", &LocalQueueRecord::name),
    field("namespace", &LocalQueueRecord::namespace_name), field("stop", &LocalQueueRecord::stop));

template <>
inline constexpr auto kFields<KaiQuota> = fields<KaiQuota>(field("deserved", &KaiQuota::deserved),
                                                           field("limit", &KaiQuota::limit),
                                                           field("overQuotaWeight",
                                                                 &KaiQuota::over_quota_weight));

template <>
inline constexpr auto kFields<KaiQueueRecord> = fields<KaiQueueRecord>(
    field("cpu", &KaiQueueRecord::cpu), field("displayName", &KaiQueueRecord::display_name),
    field("gpu", &KaiQueueRecord::gpu), field("memory", &KaiQueueRecord::memory),
    field("name", &KaiQueueRecord::name), field("parent", &KaiQueueRecord::parent),
    field("parentWhere", &KaiQueueRecord::parent_where),
    field("priority", &KaiQueueRecord::priority, 100), field("where", &KaiQueueRecord::where));

template <>
inline constexpr auto kFields<AdmissionCheckRecord> =
    fields<AdmissionCheckRecord>(field("active", &AdmissionCheckRecord::active, true),
                                 field("controller", &AdmissionCheckRecord::controller),
                                 field("name", &AdmissionCheckRecord::name));

template <>
inline constexpr auto kFields<NamespaceRecord> = fields<NamespaceRecord>(
    field("labels", &NamespaceRecord::labels), field("name", &NamespaceRecord::name));

/// Only the members that a Redefine reads: nodes, pods and workloads come as inputs of their own.
template <>
inline constexpr auto kFields<Inventory> = fields<Inventory>(
    left_out(&Inventory::nodes), left_out(&Inventory::pods), left_out(&Inventory::workloads),
    left_out(&Inventory::refused), field("checks", &Inventory::checks),
    field("clusterQueues", &Inventory::cluster_queues), field("cohorts", &Inventory::cohorts),
    field("flavors", &Inventory::flavors), field("hasFlavors", &Inventory::has_flavors),
    field("hasQueues", &Inventory::has_queues), field("kaiQueues", &Inventory::kai_queues),
    field("localQueues", &Inventory::local_queues), field("namespaces", &Inventory::namespaces),
    field("topologies", &Inventory::topologies));

}  // namespace tessera::core
