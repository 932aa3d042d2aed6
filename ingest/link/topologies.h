// SPDX-License-Identifier: Apache-2.0
// Which topologies the engine gets: those of the input, then those of the configuration, else one
// derived from node labels (ux.md rule 1, kinds.md C2). KAI's end at the hosts, also if the input
// leaves that level out.
//
// Called by the loader once everything is read and nodes are sorted by name.
#pragma once

#include "config/settings.h"
#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// `named_by_input`: the input holds a Topology, readable or not, so that none is derived.
void settle_topologies(ReadContext& context, const config::Settings& settings, bool named_by_input);

}  // namespace tessera::ingest
