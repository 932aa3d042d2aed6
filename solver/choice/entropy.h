// SPDX-License-Identifier: Apache-2.0
// The order in which balanced placement looks at domains: leader ability, slices beside the leader,
// evenness of the children (Shannon entropy), path (placement.md 5.5). Integers only, so that the
// order is the same on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/choice/deal.h"

namespace tessera::solver {

/// Positions of `members` in entropy order. `children[i]` are the children of member i.
std::vector<std::size_t> entropy_order(std::span<const Candidate> members,
                                       std::span<const std::span<const Candidate>> children);

/// Binary entropy of the shares of the children's pods, in 2^-32; 0 if there are no pods.
std::int64_t entropy(std::span<const Candidate> children);

}  // namespace tessera::solver
