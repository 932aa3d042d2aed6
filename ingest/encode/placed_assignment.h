// SPDX-License-Identifier: Apache-2.0
// The domains in which a decision puts the pods of a pod set, as a topologyAssignment names them.
// Pure.
#pragma once

#include "actors/explain/cluster_view.h"
#include "actors/records/decision.h"
#include "ingest/encode/assignment.h"

namespace tessera::encode {

/// The assignment of one placed pod set as domains: hostnames, or whole paths above the host level.
Assignment assignment_of(const core::ClusterView& cluster, const core::PodSetDecision& pod_set);

}  // namespace tessera::encode
