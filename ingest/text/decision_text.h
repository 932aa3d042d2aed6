// SPDX-License-Identifier: Apache-2.0
// Decisions in words: the short reason of tables, the clear message, and Kueue's whole message
// (queues.md 10.1, 10.2).
//
// Pure functions over decisions. Evidence is what Engine::explain() gave for the
// decision; the short reason needs it.
#pragma once

#include <string>

#include "actors/explain/cluster_view.h"
#include "actors/explain/evidence.h"
#include "actors/records/decision.h"

namespace tessera::encode {

/// "rack needs 4 pods, best nvl-1 has 0"; without the reason's name. Empty for placed workloads.
std::string short_reason(const core::ClusterView& cluster, const core::Decision& decision,
                         const core::Evidence& evidence);

/// The whole message for people: the short reason of the pod set that failed, and what was tried.
std::string clear_message(const core::ClusterView& cluster, const core::Decision& decision,
                          const core::Evidence& evidence);

/// Kueue's message of QuotaReserved=False, byte for byte; empty if Kueue would never have evaluated
/// the workload.
std::string kueue_message(const core::ClusterView& cluster, const core::Decision& decision);

/// Kueue's condition reason (queues.md 10.3): "TopologyPlacementFailed", "WaitingForQuota", ...
std::string kueue_reason(const core::ClusterView& cluster, const core::Decision& decision);

}  // namespace tessera::encode
