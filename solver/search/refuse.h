// SPDX-License-Identifier: Apache-2.0
// Turns the end of a search into a Refusal with its evidence (placement.md section 10, M1-M4).
#pragma once

#include "solver/counting/counts.h"
#include "solver/search/search_problem.h"

namespace tessera::solver {

Refusal refuse(Obstacle obstacle);
Refusal refuse_remainder(const ResolvedRequest& request, std::int64_t pods);
Refusal refuse_shortfall(const SearchProblem& problem, const Shortfall& shortfall,
                         Exclusions exclusions);

/// True if `leaves` hold all pods and leaders.
bool is_whole(const SearchProblem& problem, const Leaves& leaves);

/// The refusal if `leaves` do not hold all pods and leaders: the counts promised more than could be
/// dealt. That must never become a placement with missing pods. The cause is a slice size that does
/// not divide the count (Kueue places the rest nowhere), or the leader.
Refusal refuse_rest(const SearchProblem& problem, const Leaves& leaves, Exclusions exclusions);

}  // namespace tessera::solver
