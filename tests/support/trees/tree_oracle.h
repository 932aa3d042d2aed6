// SPDX-License-Identifier: Apache-2.0
// The brute force over gang trees: tries every way to put the pods of the minimum on nodes. Shares
// no code with the solver. For small worlds: its time grows as nodes to the power of pods.
#pragma once

#include <cstdint>

#include "tests/support/trees/tree_vector.h"

namespace tessera::test {

/// A small world with one gang, drawn from a seed; `feasible` is not filled in.
TreeVector draw_tree_world(std::uint64_t seed);

/// True if the minimum of the gang can be placed beside what runs.
bool tree_fits(const TreeVector& vector, const TreeVectorGang& gang);

}  // namespace tessera::test
