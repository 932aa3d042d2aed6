// SPDX-License-Identifier: Apache-2.0
// Reads what the containers of a pod spec ask for, and sums it up (Kubernetes' effective pod
// request: init containers, sidecars, overhead, pod-level resources).
//
// Called by the reader of pod templates; the rules of the sum are in pod_resources.h.
#pragma once

#include <string>

#include "ingest/fields/field_reader.h"
#include "ingest/objects/pod_resources.h"

namespace tessera::ingest {

/// A phrase of PodSpecReading::not_honoured. It is removed when the RuntimeClass of the pod is in
/// the input.
inline constexpr const char* kOverheadPhrase = "the overhead of its runtime class";

PodResources read_pod_resources(FieldReader& context, const ObjectHeader& header,
                                reader::Value spec, const std::string& path);

/// The effective request alone (conformance/requests.jsonl).
topology::Amounts effective_request(FieldReader& context, const ObjectHeader& header,
                                    reader::Value spec, const std::string& path);

}  // namespace tessera::ingest
