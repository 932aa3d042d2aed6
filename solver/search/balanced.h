// SPDX-License-Identifier: Apache-2.0
// Balanced placement: a preferred request spread evenly over the fewest domains (placement.md
// section 5).
//
// Tried before the ordinary search. If anything does not work out, lost pods included, the ordinary
// search decides.
#pragma once

#include <optional>

#include "solver/search/search_problem.h"

namespace tessera::solver {

/// The placement, or nothing if balance cannot be reached (the caller goes on with the ordinary
/// search).
std::optional<Leaves> place_balanced(const SearchProblem& problem);

/// True if `a` touches fewer domains of `level` than `b`, or `b` is incomplete (setting WhenFewer).
bool fewer_domains(const topology::DomainTree& tree, int level, const Leaves& a, const Leaves& b);

}  // namespace tessera::solver
