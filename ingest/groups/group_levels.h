// SPDX-License-Identifier: Apache-2.0
// Finds the topologies and levels that the groups of a PodGroup name.
//
// Called by the linking step, when all topologies are known. A level may be named by its label, its
// alias or its display label; afterwards it is the label. A name that does not exist makes the
// workload Invalid (gangs.md 9). Levels that add nothing are told in warnings.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// Without any topology in the input, names are not checked: it may exist in the cluster.
void resolve_group_levels(ReadContext& context, PodGroupObject& group);

}  // namespace tessera::ingest
