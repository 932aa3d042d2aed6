// SPDX-License-Identifier: Apache-2.0
// The annotation tessera.dev/request: what a request says that no field of a Kueue Workload can
// hold, so that `schedule -o json` can be read back as input.
//
// Written by ingest/encode, read by the reader of Workload objects. It holds the faults that make
// the request Invalid, what holds it back, requests that are not honoured, and whether the requests
// of its pods are final; and a hash of the spec beside it. Absent where there is nothing of that.
// Input may be hostile: a text that is too long or no such object is a fault of the object.
#pragma once

#include <string>
#include <string_view>

#include "actors/records/workload.h"
#include "ingest/fields/field_reader.h"

namespace tessera::ingest {

inline constexpr std::string_view kCarriedRequest = "tessera.dev/request";

/// True if the annotation names faults, which are about the spec that is written beside it.
bool carries_faults(const core::Workload& workload);
/// The text of the annotation; empty if there is nothing to carry. `spec`: that spec as JSON; of a
/// workload without faults it does not matter.
std::string carried_request_text(const core::Workload& workload, std::string_view spec);

/// Adds what the annotation of the object `root` says to `workload`. A fault that the workload has
/// already is not added again. Faults of a spec that was changed since count no more: then the
/// object is judged by what it says, and a warning tells so.
void read_carried_request(FieldReader& context, const ObjectHeader& header, reader::Value root,
                          core::Workload& workload);

}  // namespace tessera::ingest
