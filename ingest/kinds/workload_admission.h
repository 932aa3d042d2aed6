// SPDX-License-Identifier: Apache-2.0
// Reads the admission of a Workload: what it holds, pod set by pod set (placement.md 1.5).
//
// Called by the reader of the status. An admission is read by what it carries, whatever else is
// wrong with its object. A pod set that the spec lacks is added to the workload, so that the pods
// of its assignment are booked. Every fault is reported, and the rest is read.
#pragma once

#include <map>
#include <string>

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// Pods that are not needed any more, by pod set.
using Reclaimable = std::map<std::string, std::int64_t, std::less<>>;

/// `written`: status.admission. The conditions and pod sets of `workload` must have been read.
core::Admission read_admission(ReadContext& context, const ObjectHeader& header,
                               reader::Value written, const Reclaimable& reclaimable,
                               core::Workload& workload);

/// The first pod set of that name, or null.
const solver::PodSet* find_pod_set(const core::Workload& workload, const std::string& name);

/// What one pod requests if all pods of an assignment together use what it says. Nothing if it does
/// not say how many pods that are.
topology::Amounts request_of_use(const core::PodSetAssignment& assignment);

}  // namespace tessera::ingest
