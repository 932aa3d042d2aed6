// SPDX-License-Identifier: Apache-2.0
// Phase 2 of a placement: which domains, from the requested level down to the leaves
// (placement.md 4.4, 4.5).
//
// Called by place_gang() when everything is counted. Chooses between the balanced placement and the
// ordinary one, and finds the level and the domains at which the ordinary descent starts. Changes
// nothing but the steps spent.
#pragma once

#include <variant>

#include "solver/search/search_problem.h"

namespace tessera::solver {

std::variant<Leaves, Shortfall> search(const SearchProblem& problem);

}  // namespace tessera::solver
