// SPDX-License-Identifier: Apache-2.0
// Reads Topology (Kueue's and KAI's, which have the same shape) and ResourceFlavor
// (placement.md 1.1, 1.2).
//
// Called through the registry. An object with any fault is left out. Does not check whether the
// topology of a flavor exists.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_kueue_topology(ReadContext& context, const ObjectHeader& header, reader::Value root);
void read_kai_topology(ReadContext& context, const ObjectHeader& header, reader::Value root);
void read_resource_flavor(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
