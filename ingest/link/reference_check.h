// SPDX-License-Identifier: Apache-2.0
// Names that the input uses and does not hold: queues, flavors, topologies, levels.
//
// Called by `validate` after everything is read. Pure. What lies outside the input may exist in the
// cluster: a kind of which the input holds nothing is not checked.
#pragma once

#include <vector>

#include "actors/records/inventory.h"
#include "topology/result.h"

namespace tessera::ingest {

struct ReferenceFindings {
  std::vector<Error> errors;    // a level that no topology of the input has
  std::vector<Error> warnings;  // an absent object; a value under two parents
};

ReferenceFindings check_references(const core::Inventory& inventory);

}  // namespace tessera::ingest
