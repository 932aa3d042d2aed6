// SPDX-License-Identifier: Apache-2.0
// Loads texts with the built-in settings and prints what came out, for comparison with a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/load/load.h"

namespace tessera::test {

/// Reads `state` as "state.yaml" and `request` as "request.yaml"; an empty text is not read.
ingest::Loaded load(std::string_view state, std::string_view request = "");

/// Error::text() of each, one a line.
std::string texts(const std::vector<Error>& errors);

/// Keys of workloads at these positions, joined by blanks; "-" if there are none.
std::string keys(const ingest::Loaded& loaded, const std::vector<std::size_t>& positions);

/// "pod>ns/workload" or "pod!job/x" (owner not in the input) or "pod" for each pod.
std::string pod_links(const core::Inventory& inventory);

/// Everything of a queue or cohort that its reader fills, on one line.
std::string queue_text(const core::ClusterQueueRecord& queue);
std::string cohort_text(const core::CohortRecord& cohort);

/// "zone > rack": the labels of the levels.
std::string levels_text(const topology::TopologySpec& topology);

}  // namespace tessera::test
