// SPDX-License-Identifier: Apache-2.0
// Node sets: which sets of nodes overlap without one holding the other, and the unions that bound
// them.
//
// Used by CellMap for cells above the host. What is booked on two such cells fits if it fits each
// of them and, together, their union: nobody knows which nodes a booking above the host uses, so it
// may move to the others. The same holds for unions that overlap again. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/domain_tree.h"

namespace tessera::topology {

/// Sorted, each node once.
using NodeSet = std::vector<NodeId>;

/// The positions of sets that overlap in that way, directly or through others, group by group. Sets
/// that do not are in no group.
std::vector<std::vector<std::size_t>> overlapping_groups(const std::vector<NodeSet>& sets,
                                                         std::uint32_t node_count);

/// How many sets a group and its unions may have.
inline constexpr std::size_t kMostUnions = 256;

/// The sets and all unions of sets that overlap without one holding the other. Nothing: there would
/// be more than kMostUnions.
std::optional<std::vector<NodeSet>> all_unions(std::vector<NodeSet> sets);

}  // namespace tessera::topology
