// SPDX-License-Identifier: Apache-2.0
// Reads a batch/v1 Job into a workload with one pod set "main" (kinds.md A1; rules V1..V8 and V10
// of placement.md 7).
//
// Called through ingest/kinds/registry.cpp. A fault that leaves no usable job (a negative or
// non-integer parallelism) is an error, and the job is left out. A broken rule of validation makes
// the workload Invalid.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_batch_job(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
