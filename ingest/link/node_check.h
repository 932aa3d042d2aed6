// SPDX-License-Identifier: Apache-2.0
// Warns of nodes that are not what they look like: two nodes of one hostname (placement.md 2.1),
// and nodes that can take no pod.
//
// Called by the loader once all nodes are read and sorted by name. Adds warnings and changes
// nothing.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void check_nodes(ReadContext& context);

}  // namespace tessera::ingest
