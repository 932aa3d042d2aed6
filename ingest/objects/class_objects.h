// SPDX-License-Identifier: Apache-2.0
// Reads Namespace, PriorityClass, WorkloadPriorityClass and RuntimeClass.
//
// Called through the registry. An object with any fault is left out. ingest/link/priorities.h
// decides which workload uses which priority class.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void read_namespace(ReadContext& context, const ObjectHeader& header, reader::Value root);
void read_priority_class(ReadContext& context, const ObjectHeader& header, reader::Value root);
void read_runtime_class(ReadContext& context, const ObjectHeader& header, reader::Value root);
void read_workload_priority_class(ReadContext& context, const ObjectHeader& header,
                                  reader::Value root);

}  // namespace tessera::ingest
