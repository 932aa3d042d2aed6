// SPDX-License-Identifier: Apache-2.0
// Writes a pod set as an entry of spec.podSets[] of a Kueue Workload: one container with the
// effective request, the node filters and the topology request.
//
// Reading the entry back gives the same pod set. Images, environment and arguments are never kept,
// so they are never printed.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "actors/records/assignment.h"
#include "solver/gang/gang.h"

namespace tessera::encode {

nlohmann::ordered_json pod_set_json(const solver::PodSet& pod_set);

/// {"cpu": "flavor", ...}
nlohmann::ordered_json flavors_json(const core::ResourceFlavors& flavors);

/// {"cpu": "1500m", ...}
nlohmann::ordered_json amounts_json(const topology::Amounts& amounts);

}  // namespace tessera::encode
