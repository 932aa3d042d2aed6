// SPDX-License-Identifier: Apache-2.0
// jobset.x-k8s.io JobSet to a workload of one pod set a replicated job (kinds.md A2; V1..V9 of
// placement.md 7).
//
// Called through ingest/kinds/registry.cpp. All replicated jobs are reserved together, whatever
// dependsOn and startupPolicy say. A slice level without a size takes one child job a slice, with a
// warning.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_jobset(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
