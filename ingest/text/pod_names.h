// SPDX-License-Identifier: Apache-2.0
// Names of the pods of a workload as its controller will make them, by rank. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "actors/records/workload.h"

namespace tessera::encode {

/// Job: "<job>-<i>"; JobSet: "<jobset>-<replicated job>-<job index>-<i>"; Pod: its name; others:
/// "<name>-<pod set>-<i>".
std::string pod_name(const core::Workload& workload, std::size_t pod_set, std::int64_t rank);

}  // namespace tessera::encode
