// SPDX-License-Identifier: Apache-2.0
// Reads v1 Node: labels, taints, readiness, allocatable and capacity (placement.md 2.1).
//
// Called through the registry. A node with any fault is left out, since a node that is read in part
// would count wrong. Does not decide whether a node is usable.
#pragma once

#include <string>
#include <vector>

#include "ingest/objects/read_context.h"
#include "topology/nodes/node_record.h"

namespace tessera::ingest {

void read_node(ReadContext& context, const ObjectHeader& header, reader::Value root);

/// metadata.labels of an object as Labels; scalars of any type, as text.
topology::Labels read_labels(ReadContext& context, const ObjectHeader& header, reader::Value root);

/// A list of v1 Taints under `key` of `in` (nodes and resource flavors).
std::vector<topology::Taint> read_taints(ReadContext& context, const ObjectHeader& header,
                                         reader::Value in, std::string_view key,
                                         const std::string& path);

}  // namespace tessera::ingest
