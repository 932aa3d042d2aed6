// SPDX-License-Identifier: Apache-2.0
// The compact notation of worlds and gangs in test tables. It is read and written, so that what a
// failure prints can become a case.
//
// World: words "block/rack/host5": a path and the free gpus of the host. Also "x1:5" where the name
// ends in a digit and "a{cpu=4,gpu=8,pods=3}" for other resources, in engine units (110 pods unless
// given). Behind it: "!key=value:Effect" a taint,
// "@key=value" a label, "~" cordoned, "?" not ready. A value "-" leaves the level's label out.
// "-a{gpu=2}" is held by a workload. Levels are host; rack, host; block, rack, host; dc, block,
// rack, host by the length of the paths, or as in a first word "levels=block,rack", where the last
// value of each path is the node's name alone. Gang: pod sets split by "; ", each "8 pods of
// gpu=1+cpu=2, required block, slices of 4 at rack" with the phrases required, preferred,
// unconstrained [false], slices of N at L, tolerates key[=value], selects key=value, group name,
// affinity "key In v/v & key Exists | ..." and prefers WEIGHT key=value. A pod asks gpu=1 unless
// told ("of nothing" for none).
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
