// SPDX-License-Identifier: Apache-2.0
// Reads the status of a Workload: conditions, admission checks, and what the workload holds
// (placement.md 1.5, queues.md 1.1 and 4).
//
// Called by the reader of Workload objects, after spec.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// Fills the state of `workload` from `status`, which may be absent. The pod sets must have been
/// read. Reclaimable pods lower what is held or asked for on the quota side; domains keep their
/// pods (placement.md 2.4).
void read_workload_status(ReadContext& context, const ObjectHeader& header, reader::Value status,
                          core::Workload& workload);

}  // namespace tessera::ingest
