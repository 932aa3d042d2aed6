// SPDX-License-Identifier: Apache-2.0
// uniform_tree(): a gang tree whose groups differ in nothing but their names, as a flat gang of one
// pod set with slices.
//
// Such gangs are most of those that come (segments of a job, replicas of a model), and place_gang()
// places them from the counts of the index. Pure. What place_gang() refuses by count does not fit
// at all, since equal pods are counted exactly.
#pragma once

#include <optional>
#include <vector>

#include "solver/gang/answer.h"
#include "solver/gang/gang.h"

namespace tessera::solver {

struct UniformTree {
  Gang flat;                           // one pod set
  std::vector<std::uint32_t> members;  // pod sets of the tree, in the order in which they get pods
};

/// Nothing: the tree is not uniform, or asks for what slices cannot say: preferred levels, K of N,
/// elastic or running pods, exclusive domains, spread, several topologies.
std::optional<UniformTree> uniform_tree(const Gang& gang);

/// The placement of the flat pod set, dealt to the pod sets of the tree.
std::vector<PodSetPlacement> deal_uniform(const UniformTree& tree, const Gang& gang,
                                          const PodSetPlacement& placed);

}  // namespace tessera::solver
