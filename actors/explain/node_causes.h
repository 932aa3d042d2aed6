// SPDX-License-Identifier: Apache-2.0
// Node causes: every node that a refused unit cannot have, once, under the first cause that
// excludes it.
//
// Called by Explainer, off the decision path. Pure. The cost grows with the nodes of the flavor.
#pragma once

#include <cstddef>
#include <vector>

#include "actors/capacity/flavor.h"
#include "actors/explain/evidence.h"
#include "actors/shortage/unit_room.h"

namespace tessera::core {

/// The nodes of the tree on which no pod of the unit fits, in the order of the causes' texts. Names
/// the first `most_named` of each cause.
std::vector<NodeCause> nodes_without_room(const UnitRoom& now, const Amounts& per_pod,
                                          std::size_t most_named);

/// The nodes that are not in the tree of the flavor.
std::vector<NodeCause> nodes_left_out(const solver::FlavorView& view, const Flavor& flavor,
                                      std::size_t most_named);

}  // namespace tessera::core
