// SPDX-License-Identifier: Apache-2.0
// topologyAssignment as JSON: the v1beta1 list of domains and the compact v1beta2 slices
// (placement.md section 9).
//
// Pure functions. The order of the domains is kept: it gives the ranks of the pods. Decoding is
// decode_assignment() in ingest/annotations/topology_assignment.h.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ingest/encode/assignment.h"

namespace tessera::encode {

enum class AssignmentVersion { kV1Beta1, kV1Beta2 };

/// How v1beta2 cuts domains into slices. kByHostnamePrefix is Kueue's default: one slice for each
/// run of hosts with a common prefix, unless a single slice is strictly shorter as JSON.
enum class SliceForm { kSingle, kByHostnamePrefix };

nlohmann::ordered_json assignment_json(const Assignment& assignment, AssignmentVersion version,
                                       SliceForm form = SliceForm::kByHostnamePrefix);

}  // namespace tessera::encode
