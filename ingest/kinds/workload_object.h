// SPDX-License-Identifier: Apache-2.0
// kueue.x-k8s.io Workload (v1beta1 and v1beta2): what it asks for, and the state it is in.
//
// Called through ingest/kinds/registry.cpp. One reader for both versions: fields that were renamed
// are read under either name. Of placement.md 7 only V11 applies here; the rest is the engine's
// (section 3.4). Reads what the object says: whether its queue, flavors and domains exist is
// settled later. State is read in ingest/kinds/workload_status.h.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_workload(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
