// SPDX-License-Identifier: Apache-2.0
// v1 Pod to a PodObject: where it is bound and what it uses there (placement.md 2.4); one that is
// neither bound nor ended is a gang of one pod as well (kinds.md A11).
//
// Called through ingest/kinds/registry.cpp, by the hundred thousand. Which workload a pod belongs
// to is settled in ingest/link/link.h. A deletion timestamp changes nothing: the pod uses its node
// until it ended.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_pod(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
