// SPDX-License-Identifier: Apache-2.0
// batch/v1 Job to a workload of one pod set "main" (kinds.md A1; rules V1..V8 and V10 of
// placement.md 7).
//
// Called through ingest/kinds/registry.cpp. Faults that leave no usable job (a negative or
// non-integer parallelism) are errors and the job is left out; a broken rule of validation makes it
// Invalid.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_batch_job(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
