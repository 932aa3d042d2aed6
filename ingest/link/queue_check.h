// SPDX-License-Identifier: Apache-2.0
// Warns of each ClusterQueue that LocalQueues or admitted workloads name and that is not in the
// input, or was refused with an error: such a LocalQueue leads nowhere, and the quota of such a
// workload counts nowhere.
//
// Called by the loader once everything is read and linked. Changes nothing but the warnings: what
// an admission holds on nodes is booked all the same.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void check_cluster_queues(ReadContext& context);

}  // namespace tessera::ingest
