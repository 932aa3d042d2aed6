// SPDX-License-Identifier: Apache-2.0
// verify(): checks an answer against the rules: where pods were put, whoever put them there.
//
// Called by `tessera verify` and by tests. Shares no code with the solver, the books or the engine:
// it reads nodes, topologies, pods and gangs, and counts for itself. Pure. Checks capacity, node
// filters, all or nothing, minima, required levels, slices, leaders, exclusive domains and spread.
// Does not check quota, nor whether a refused gang could have been placed, nor preferred levels.
#pragma once

#include <vector>

#include "actors/records/inventory.h"
#include "actors/verify/answered_pod.h"

namespace tessera::core {

/// The broken rules, ordered by subject. Empty: the answer is right. `placed`: the pods that the
/// answer adds to what the inventory holds.
std::vector<BrokenRule> verify(const Inventory& inventory, const std::vector<AnsweredPod>& placed);

}  // namespace tessera::core
