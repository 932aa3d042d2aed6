// SPDX-License-Identifier: Apache-2.0
// verify(): checks an answer against the rules: where pods were put, whoever put them there.
//
// Called by `tessera verify` and by tests. Shares no code with the solver, the books or the engine:
// it reads nodes, topologies, pods and gangs, and counts for itself. Pure. Checks capacity, node
// filters, all or nothing, minima, required levels, slices, leaders, exclusive domains and spread.
// Does not check quota, nor whether a refused gang could have been placed, nor preferred levels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actors/records/inventory.h"

namespace tessera::core {

/// A pod of an answer.
struct AnsweredPod {
  std::size_t workload = 0, pod_set = 0;  // positions in the inventory and in the gang
  std::int64_t rank = 0;                  // in its pod set
  std::string node;                       // its name
};

struct BrokenRule {
  std::string rule;     // Capacity, Node, Filter, Twice, Minimum, Required, Slice, Unit, Exclusive,
                        // Spread
  std::string subject;  // "ns/name", "ns/name group a/b", a node
  std::string message;  // one sentence
};

/// The broken rules, ordered by subject. Empty: the answer is right. `placed`: the pods that the
/// answer adds to what the inventory holds.
std::vector<BrokenRule> verify(const Inventory& inventory, const std::vector<AnsweredPod>& placed);

}  // namespace tessera::core
