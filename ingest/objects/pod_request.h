// SPDX-License-Identifier: Apache-2.0
// What the containers of a pod spec ask for, read and summed up (Kubernetes' effective pod request:
// init containers, sidecars, overhead, pod-level resources).
//
// Called by the reader of pod templates; the rules of the sum are in pod_resources.h.
#pragma once

#include <string>

#include "ingest/fields/field_reader.h"
#include "ingest/objects/pod_resources.h"

namespace tessera::ingest {

/// What every known RuntimeClass lifts from PodSpecReading::not_honoured.
inline constexpr const char* kOverheadPhrase = "the overhead of its runtime class";

PodResources read_pod_resources(FieldReader& context, const ObjectHeader& header,
                                reader::Value spec, const std::string& path);

/// The effective request alone (conformance/requests.jsonl).
topology::Amounts effective_request(FieldReader& context, const ObjectHeader& header,
                                    reader::Value spec, const std::string& path);

}  // namespace tessera::ingest
