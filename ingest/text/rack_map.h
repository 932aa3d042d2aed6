// SPDX-License-Identifier: Apache-2.0
// Rack map: one character for each host, one line for each domain. ASCII only. Pure.
#pragma once

#include <string>

#include "ingest/text/topology_census.h"

namespace tessera::encode {

enum class MapBy {
  kGpus,    // digit: devices in use
  kGang,    // letter: the workload that holds it
  kHealth,  // only what is wrong
};

/// `level`: position in census.levels. `headers` false leaves the header line and the legend out.
std::string rack_map(const core::ClusterView& cluster, const Census& census, std::size_t level,
                     MapBy by, bool headers);

}  // namespace tessera::encode
