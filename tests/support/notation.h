// SPDX-License-Identifier: Apache-2.0
// The compact notation of worlds and gangs in test tables. It is read and written, so that what a
// failure prints can become a case.
//
// A world is words, one for each host:
//   b1/r1/a5              path and free GPUs of the host;  x1:5 if the name ends in a digit
//   a{cpu=4,gpu=8,pods=3} other resources, in engine units; 110 pods unless given
//   behind a host:        !key=value:Effect a taint, @key=value a label, ~ cordoned, ? not ready
//   - as a value          the node lacks the label of that level
//   -a{gpu=2}             a workload holds this on a
//   levels=block,rack     as the first word: the levels; the last value of each path is the name of
//                         the node alone. Without it the length of the paths tells: host; rack,
//                         host; block, rack, host; dc, block, rack, host.
// A gang is pod sets, separated by "; ", each "8 pods of gpu=1+cpu=2" ("8 pods": of gpu=1; "of
// nothing") and phrases behind commas: required L, preferred L, unconstrained [false], slices of N
// at L, tolerates key[=value], selects key=value, group NAME, affinity key In v/v & key Exists |
// ..., prefers WEIGHT key=value.
#pragma once

#include <string>

#include "solver/gang/gang.h"
#include "tests/support/world.h"

namespace tessera::test {

/// Throws std::invalid_argument with the word that is broken.
WorldSpec parse_world(const std::string& text);
solver::Gang parse_gang(const std::string& text);

std::string world_text(const WorldSpec& world);
std::string gang_text(const solver::Gang& gang);

}  // namespace tessera::test
