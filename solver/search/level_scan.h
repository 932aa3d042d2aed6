// SPDX-License-Identifier: Apache-2.0
// Level scan: finds the one domain of a level that takes a whole load, in one pass over the level's
// numbers, without sorting the level (placement.md 4.3, 4.4).
//
// Pure; used by find() at every level that it looks at.
#pragma once

#include <optional>

#include "solver/search/search_problem.h"

namespace tessera::solver {

/// The domain of `level` that 4.4 chooses for all slices and leaders; nothing if none does.
std::optional<topology::DomainId> single_domain(const SearchProblem& problem, int level);

/// How far a required request got on a level where no domain takes it. The level is not empty.
Shortfall required_shortfall(const SearchProblem& problem, int level);

}  // namespace tessera::solver
