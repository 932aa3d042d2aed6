// SPDX-License-Identifier: Apache-2.0
// The fields that objects of each kind can have: those of Kubernetes, Kueue, JobSet and KAI, also
// where they do not matter here.
//
// Called by the registry of kinds. Not described, so not judged: status, which controllers write,
// and parts of a spec that have nothing to do with placement. The readers of queues, topologies and
// limits judge their spec themselves.
#pragma once

#include <string_view>

#include "ingest/fields/field_tree.h"

namespace tessera::ingest {

/// Made once; lives as long as the program. Null: the kind has no table.
const FieldTree* field_tree_of(std::string_view group, std::string_view kind);

}  // namespace tessera::ingest
