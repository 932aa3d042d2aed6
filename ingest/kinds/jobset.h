// SPDX-License-Identifier: Apache-2.0
// Reads a jobset.x-k8s.io JobSet into a workload with one pod set for each replicated job (kinds.md
// A2; V1..V9 of placement.md 7).
//
// Called through ingest/kinds/registry.cpp. All replicated jobs are reserved together, whatever
// dependsOn and startupPolicy say. If a slice level has no size, each child job is a slice, and a
// warning says so.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_jobset(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
