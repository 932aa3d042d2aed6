// SPDX-License-Identifier: Apache-2.0
// Decisions as Kueue Workload objects: what `schedule -o json` prints and reads back (ux.md rule
// 7).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "actors/explain/cluster_view.h"
#include "actors/explain/evidence.h"
#include "actors/records/decision.h"
#include "ingest/encode/assignment_json.h"

namespace tessera::encode {

struct WorkloadJsonOptions {
  AssignmentVersion version = AssignmentVersion::kV1Beta2;
  std::string now;  // RFC 3339, lastTransitionTime of the conditions
};

/// One Workload (v1beta1 or v1beta2): placed with status.admission and conditions QuotaReserved and
/// Admitted, refused with QuotaReserved False and the annotation tessera.dev/explanation.
/// `evidence`: of a refusal, without remedies; of a placed workload it is not looked at.
nlohmann::ordered_json workload_json(const core::ClusterView& cluster,
                                     const core::Decision& decision, const core::Evidence& evidence,
                                     const WorkloadJsonOptions& options);

}  // namespace tessera::encode
