// SPDX-License-Identifier: Apache-2.0
// Kept fields: what a Workload object says that no record holds, so that `schedule -o json` writes
// it as it came: labels, annotations, owners, spec fields that are not honoured, most of the
// status.
//
// Made by the loader for Workloads of -f, added by ingest/encode. What ingest/encode writes itself
// is left out, and so are containers and volumes: nobody prints environment or arguments of pods.
#pragma once

#include <string>

#include "ingest/values/value.h"

namespace tessera::ingest {

/// The key under which a value stands that replaces what ingest/encode writes there.
inline constexpr const char* kKeptWhole = "";

/// JSON of `metadata`, `spec` and `status` of the object `root`; empty if there is nothing to keep.
std::string kept_fields_text(reader::Value root);

}  // namespace tessera::ingest
