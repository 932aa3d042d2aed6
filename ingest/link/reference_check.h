// SPDX-License-Identifier: Apache-2.0
// Finds names that the input uses but does not hold: queues, flavors, topologies, levels.
//
// Called by `validate` after everything is read. Pure. If the input holds no object of a kind,
// names of that kind are not checked: the objects may exist in the cluster.
#pragma once

#include <vector>

#include "actors/records/inventory.h"
#include "topology/text/result.h"

namespace tessera::ingest {

struct ReferenceFindings {
  std::vector<Error> errors;    // a level that no topology of the input has
  std::vector<Error> warnings;  // an absent object; a value under two parents
};

ReferenceFindings check_references(const core::Inventory& inventory);

}  // namespace tessera::ingest
