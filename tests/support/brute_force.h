// SPDX-License-Identifier: Apache-2.0
// Says whether a placement exists at all, by trying the counts of every leaf. For small worlds
// only.
//
// Shares no code with the solver: knows only the meaning of a request (required domain, whole
// slices and layers, own filters, pod slots), not how a placement is found. One pod set, or one
// group of a leader and its workers.
#pragma once

#include "solver/gang/gang.h"
#include "tests/support/world.h"

namespace tessera::test {

/// True if the gang fits into what is free in `world` now. The levels of its request must be known,
/// and its slice sizes must divide its counts.
bool placement_exists(const WorldSpec& world, const solver::Gang& gang);

}  // namespace tessera::test
