// SPDX-License-Identifier: Apache-2.0
// A tree vector as the inventory of an engine: nodes, a topology of KAI, a queue, and each gang as
// a workload with the groups of its tree.
#pragma once

#include <map>
#include <string>

#include "actors/engine/engine.h"
#include "tests/support/trees/tree_vector.h"

namespace tessera::test {

/// Workloads have the names of their gangs. Pods that run count by themselves, as they do when they
/// are read.
core::Inventory inventory_of(const TreeVector& vector);

/// Where the engine put the pods of each gang.
std::map<std::string, TreePlaces> places_of(const core::Engine& engine,
                                            const std::vector<core::Decision>& decisions);

}  // namespace tessera::test
