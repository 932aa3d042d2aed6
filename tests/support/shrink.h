// SPDX-License-Identifier: Apache-2.0
// Makes a failing pair of world and gang smaller while it still fails, so that it can be read and
// kept as a case.
#pragma once

#include <functional>
#include <string>

#include "solver/gang/gang.h"
#include "tests/support/world.h"

namespace tessera::test {

struct Situation {
  WorldSpec world;
  solver::Gang gang;
};

/// Calls `fails` with smaller and smaller situations. Returns the last one that failed.
Situation shrink(Situation situation, const std::function<bool(const Situation&)>& fails);

/// Both in the notation of tests/support/notation.h.
std::string situation_text(const Situation& situation);

}  // namespace tessera::test
