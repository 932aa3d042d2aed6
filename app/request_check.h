// SPDX-License-Identifier: Apache-2.0
// What `validate` says of topology requests that `schedule` would call Invalid.
//
// A request is at fault if every topology of the input that knows all of its levels refuses it, or
// if its slices do not divide it. Whether there is room does not matter.
#pragma once

#include <vector>

#include "config/profile.h"
#include "ingest/load/loaded.h"

namespace tessera::app {

/// Errors for the workloads that wait or are to be placed, in the order of the inventory.
std::vector<Error> check_topology_requests(const ingest::Loaded& input,
                                           const config::Profile& profile);

}  // namespace tessera::app
