// SPDX-License-Identifier: Apache-2.0
// A census as the table of `topology show` (ux.md D3) and as JSON. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ingest/text/topology_census.h"

namespace tessera::encode {

/// One row a domain, and a last row for the hosts that are in no domain of some level.
std::string topology_table(const core::Engine& engine, const Census& census, bool headers);

/// {"apiVersion": "tessera.dev/v1alpha1", "kind": "TopologyReport", ...}; fields are added, never
/// renamed.
nlohmann::ordered_json topology_json(const core::Engine& engine,
                                     const std::vector<Census>& censuses, const Shape& shape);

}  // namespace tessera::encode
