// SPDX-License-Identifier: Apache-2.0
// kueue.x-k8s.io Workload (v1beta1 and v1beta2): what it asks for, and the state it is in.
//
// Called through ingest/kinds/registry.cpp. One reader for both versions: fields that were renamed
// are read under either name. Of the rules of placement.md 7 only V11 applies here; the engine
// checks the others (section 3.4). Whether the queue, the flavors and the domains exist is checked
// later. State is read in ingest/kinds/workload_status.h.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_workload(ReadContext& context, const ObjectHeader& header, reader::Value root);

}  // namespace tessera::ingest
