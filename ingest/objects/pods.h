// SPDX-License-Identifier: Apache-2.0
// Reads v1 Pod into a PodObject: where it is bound and what it uses there (placement.md 2.4). A pod
// that is neither bound nor ended is also a gang of one pod (kinds.md A11).
//
// Called through ingest/kinds/registry.cpp, up to hundreds of thousands of times.
// ingest/link/link.h settles which workload a pod belongs to. A pod with a deletion timestamp uses
// its node until it ends.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_pod(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
