// SPDX-License-Identifier: Apache-2.0
// Changes of one node while the engine runs: it became usable or unusable, or its labels or taints
// are others. Its leaf is shown, hidden or moved in the tree, and the view and the index follow, at
// the cost of what is touched.
//
// Called by the owner of tree, view and index, with the node's record changed already. The node
// keeps its cell, and so its use. A change of amounts is Capacity::resize_node() alone.
#pragma once

#include <span>

#include "solver/index/index.h"

namespace tessera::solver {

/// `tree` is the views' own, a live one, and there is at least one view. False: the tree must be
/// built anew (it is not live, its slots are used up, a domain is new or a hostname taken); tree,
/// view and index are of no use then.
bool update_node(topology::NodeId node, topology::DomainTree& tree,
                 std::span<FlavorView* const> views, const topology::Capacity& capacity,
                 Index* live);

}  // namespace tessera::solver
