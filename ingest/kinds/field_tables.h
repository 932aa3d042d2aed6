// SPDX-License-Identifier: Apache-2.0
// The fields that objects of each kind can have: those of Kubernetes, Kueue, JobSet and KAI, also
// where they do not matter here.
//
// Called by the registry of kinds. Every object of a kind is described down to its last field; not
// judged are maps with free keys, and the status of KAI's objects. The readers of the kinds need
// not judge fields themselves.
#pragma once

#include <string_view>

#include "ingest/fields/field_tree.h"

namespace tessera::ingest {

/// Made once; lives as long as the program. Null: the kind has no table.
const FieldTree* field_tree_of(std::string_view group, std::string_view kind);

}  // namespace tessera::ingest
