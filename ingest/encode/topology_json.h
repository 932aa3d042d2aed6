// SPDX-License-Identifier: Apache-2.0
// A census as JSON (`topology show -o json`). Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "ingest/text/topology_census.h"

namespace tessera::encode {

/// {"apiVersion": "tessera.dev/v1alpha1", "kind": "TopologyReport", ...}; fields are added, never
/// renamed.
nlohmann::ordered_json topology_json(const core::ClusterView& cluster,
                                     const std::vector<Census>& censuses, const Shape& shape);

}  // namespace tessera::encode
