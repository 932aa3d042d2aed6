// SPDX-License-Identifier: Apache-2.0
// Writes why a workload is placed where it is, or why it is not placed, as `kind: Explanation`.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "actors/explain/cluster_view.h"
#include "actors/explain/evidence.h"
#include "actors/records/decision.h"

namespace tessera::encode {

/// {"apiVersion": "tessera.dev/v1alpha1", "kind": "Explanation", ...}; fields are added, never
/// renamed. Lists at most `most_nodes` nodes for each cause, since an annotation holds 256 KiB;
/// `count` is always the number of all of them.
nlohmann::ordered_json explanation_json(const core::ClusterView& cluster,
                                        const core::Decision& decision,
                                        const core::Evidence& evidence,
                                        std::size_t most_nodes = SIZE_MAX);

}  // namespace tessera::encode
