// SPDX-License-Identifier: Apache-2.0
// A census as the table of `topology show` (ux.md D3). Pure.
#pragma once

#include <string>

#include "ingest/text/topology_census.h"

namespace tessera::encode {

/// One row for each domain, and a last row for hosts that are in no domain of some level.
std::string topology_table(const core::ClusterView& cluster, const Census& census, bool headers);

/// Why a node of Census::outside is in no domain of some level: "no nvidia.com/gpu.clique".
std::string cause_outside(const Census& census, const topology::NodeRecord& node);

}  // namespace tessera::encode
