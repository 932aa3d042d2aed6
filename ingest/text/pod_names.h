// SPDX-License-Identifier: Apache-2.0
// Names of the pods of a workload, by rank: those that are given, else as its controller will make
// them. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "actors/records/workload.h"

namespace tessera::encode {

/// A pod that was read has its own name. Job: "<job>-<i>"; JobSet: "<jobset>-<replicated job>-<job
/// index>-<i>"; Pod: its name; others:
/// "<name>-<pod set>-<i>".
std::string pod_name(const core::Workload& workload, std::size_t pod_set, std::int64_t rank);

/// Of a gang tree the name of the leaf group, else of the pod set. A tree without groups below its
/// root has the name of its first pod set.
std::string group_name(const core::Workload& workload, std::size_t pod_set);

}  // namespace tessera::encode
