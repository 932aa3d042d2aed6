// SPDX-License-Identifier: Apache-2.0
// Reads ClusterQueue, Cohort, LocalQueue and AdmissionCheck (queues.md 1, 5, 7, 9; placement.md
// 1.3), in every version of Kueue's API: a renamed field is accepted under both names.
//
// Called through the registry. An object with any fault is left out. Does not check references
// between objects: the engine says which queues are inactive and why.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_cluster_queue(ReadContext& context, const ObjectHeader& header, reader::Value root);
void read_cohort(ReadContext& context, const ObjectHeader& header, reader::Value root);
void read_local_queue(ReadContext& context, const ObjectHeader& header, reader::Value root);
void read_admission_check(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
