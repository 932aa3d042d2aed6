// SPDX-License-Identifier: Apache-2.0
// Reads what a pod spec says about nodes: tolerations, nodeSelector, node affinity.
//
// Called by read_pod_spec(). Unknown operators and effects are errors in the context: a guessed
// filter could place pods on nodes that their owner excluded. Does not test nodes
// (topology/nodes/node_filter.h).
#pragma once

#include <string>

#include "ingest/objects/read_context.h"
#include "topology/nodes/node_filter.h"

namespace tessera::ingest {

/// `spec`: a v1 PodSpec at `path`.
topology::NodeFilter read_node_filter(ReadContext& context, const ObjectHeader& header,
                                      reader::Value spec, const std::string& path);

/// A list of v1 Tolerations under `key` of `in` (pod specs and resource flavors).
std::vector<topology::Toleration> read_tolerations(ReadContext& context, const ObjectHeader& header,
                                                   reader::Value in, std::string_view key,
                                                   const std::string& path);

}  // namespace tessera::ingest
