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
/// renamed. Lists at most `most_listed` nodes for each cause and so many of what holds the room,
/// since an annotation holds 256 KiB; `count` is always the number of all nodes, and
/// `blockedByCount` says how many hold the room if not all of them are listed.
nlohmann::ordered_json explanation_json(const core::ClusterView& cluster,
                                        const core::Decision& decision,
                                        const core::Evidence& evidence,
                                        std::size_t most_listed = SIZE_MAX);

}  // namespace tessera::encode
