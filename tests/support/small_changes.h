// SPDX-License-Identifier: Apache-2.0
// What a remedy says, done to an inventory: jobs end, nodes are repaired, levels become wishes,
// taints are tolerated, quota is raised.
//
// Used by tests that ask whether a remedy which was printed as checked holds. Does what the words
// say and nothing more.
#pragma once

#include <string>

#include "actors/explain/evidence.h"
#include "actors/records/inventory.h"

namespace tessera::test {

/// `workload`: the position of the refused one. Returns what is wrong with the words; empty: done.
std::string apply(const core::Remedy& remedy, std::size_t workload, std::size_t pod_set,
                  core::Inventory& inventory);

}  // namespace tessera::test
