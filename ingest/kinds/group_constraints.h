// SPDX-License-Identifier: Apache-2.0
// Reads what the groups of a PodGroup ask of the topology: a constraint of one group, and the
// `topologyConstraints` of KAI's design with its global constraint and its sets (gangs.md 12).
//
// Called by the reader of PodGroups. A constraint without a level is none. Broken rules go into
// Workload::invalid through FieldErrors.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "ingest/fields/field_errors.h"
#include "ingest/kinds/group_tree.h"

namespace tessera::ingest {

/// `constraint`: the map at `path`; absent: no constraint.
WrittenTopology read_group_topology(ReadContext& context, const ObjectHeader& header,
                                    reader::Value constraint, const std::string& path);

/// The groups of a PodGroup by name, without the root.
using GroupNumbers = std::map<std::string, GroupTree::Number, std::less<>>;

/// Reads `constraints`, the map spec.topologyConstraints, into the tree.
void apply_designed_constraints(ReadContext& context, const ObjectHeader& header,
                                reader::Value constraints, const GroupNumbers& numbers,
                                FieldErrors& errors, GroupTree& tree);

}  // namespace tessera::ingest
