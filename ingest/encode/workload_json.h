// SPDX-License-Identifier: Apache-2.0
// Writes decisions as Kueue Workload objects: `schedule -o json` prints them, and every command
// reads them back (ux.md rule 7).
#pragma once

#include <map>
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
  /// Loaded::kept_fields, which outlives the call; null: none.
  const std::map<std::string, std::string>* kept_fields = nullptr;
};

/// One Workload (v1beta1 or v1beta2). A placed workload has status.admission and the conditions
/// QuotaReserved and Admitted. A refused one has QuotaReserved False and the annotation
/// tessera.dev/explanation. `evidence`: that of the refusal, without remedies; not used for a
/// placed workload.
nlohmann::ordered_json workload_json(const core::ClusterView& cluster,
                                     const core::Decision& decision, const core::Evidence& evidence,
                                     const WorkloadJsonOptions& options);

}  // namespace tessera::encode
