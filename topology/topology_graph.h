// SPDX-License-Identifier: Apache-2.0
// Questions about node labels that need a graph: does a value occur under several parents, and
// which label is finer than which?
//
// Called when nodes or topologies change (validate, warnings, derived topologies); pure functions,
// any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "topology/domain_tree.h"
#include "topology/text/result.h"

namespace tessera::topology {

/// A value of one level that occurs under more than one parent path: rack r1 under blocks b1 and
/// b2. These are different domains (placement.md 2.1), which is right for "leaf 1" under two spines
/// and a mistake for a rack that moved.
struct SharedValue {
  struct Parent {
    std::string path;  // "b1", "z1/b1"
    NodeId example;    // the first node below it with this value
  };
  int level = 0;
  Symbol value;
  std::vector<Parent> parents;  // two or more, by path
};

/// By level, then by value. A node counts down to the first level whose label it lacks. All nodes
/// are looked at, usable or not: a wrong label on a cordoned node is wrong too.
std::vector<SharedValue> shared_values(const TopologySpec& topology,
                                       std::span<const NodeRecord> nodes);

/// The labels from coarse to fine: L2 is finer than L1 if every value of L2 occurs under a single
/// value of L1 on the usable nodes that have both (kinds.md C2). Labels that say the same keep the
/// given order. kConflict, with nodes named, if two labels cross.
Result<std::vector<Symbol>> order_by_refinement(const std::vector<Symbol>& labels,
                                                std::span<const NodeRecord> nodes);

}  // namespace tessera::topology
