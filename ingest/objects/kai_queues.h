// SPDX-License-Identifier: Apache-2.0
// Reads KAI's Queue (scheduling.run.ai/v2; gangs.md 1.4) and checks the trees of queues.
//
// Called through the registry, and by the loader once everything is read. A queue with a fault of
// its own is left out. A queue with a wrong parent stays; the engine lets no workload enter it or
// any queue below it (actors/queues/directory.h). Does not know how shares follow from quota and
// weight.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_kai_queue(ReadContext& context, const ObjectHeader& header, reader::Value root);

/// Reports unknown parents, cycles of parents, and queues with the name of a ClusterQueue. Records
/// are sorted by name.
void check_kai_queues(ReadContext& context);

}  // namespace tessera::ingest
