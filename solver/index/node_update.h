// SPDX-License-Identifier: Apache-2.0
// Follows a change of one node while the engine runs: the node became usable or unusable, or got
// other labels or taints. Its leaf is shown, hidden or moved in the tree. The view and the index
// follow; the cost grows only with the domains that are touched.
//
// Called by the owner of tree, view and index, after the node's record has changed. The node keeps
// its cell, and so its use. A change of amounts needs only Capacity::resize_node().
#pragma once

#include <span>

#include "solver/index/index.h"

namespace tessera::solver {

/// `tree` is the live tree of all `views`; there is at least one view. False: the tree must be
/// built anew, because it is not live, its slots are used up, a domain is new or a hostname is
/// taken. Then tree, view and index are invalid.
bool update_node(topology::NodeId node, topology::DomainTree& tree,
                 std::span<FlavorView* const> views, const topology::Capacity& capacity,
                 Index* live);

}  // namespace tessera::solver
