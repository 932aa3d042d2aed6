// SPDX-License-Identifier: Apache-2.0
// The refusal of a placement in words: what a filter keeps out, or what binds.
//
// Parts of short_reason() and clear_message() (decision_text.h), which call it. The sentence about
// room is binding_text.h; nothing is computed here.
#pragma once

#include <string>
#include <vector>

#include "actors/explain/cluster_view.h"
#include "actors/explain/evidence.h"
#include "actors/records/decision.h"

namespace tessera::encode {

/// The rejections that stand in the way. For Never: those that a healthy, empty cluster gives too.
const std::vector<core::FlavorRejection>& standing(const core::Decision& decision);

/// "2 cordoned, 1 not ready"
std::string cause_counts(const std::vector<core::NodeCause>& causes);

/// Reasons Taint, NodeSelector and Affinity.
std::string filter_text(const core::ClusterView& cluster, const core::Decision& decision,
                        const core::Evidence& evidence);

/// The first placement that failed, if there is one; else the first rejection.
std::string failed_placement_text(const core::ClusterView& cluster, const core::Decision& decision,
                                  const core::Evidence& evidence);

/// "group ring needs 5 pods in one rack: the best, z1/r1, has room for 4"
std::string tree_text(const core::TreeEvidence& tree);

/// "podSetSliceSize 2 does not divide 7 pods": names the field as the user wrote it.
std::string remainder_text(const core::Workload& workload, std::size_t pod_set, std::int64_t size,
                           std::int64_t pods);

}  // namespace tessera::encode
