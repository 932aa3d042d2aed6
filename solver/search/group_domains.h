// SPDX-License-Identifier: Apache-2.0
// The domains in which a group whose leader is on another flavor than its workers may be placed.
//
// Called by place.cpp for such groups alone; any thread. The two flavors have a tree each: a domain
// of one is found in the other by its labels. Does not book anything.
#pragma once

#include <optional>
#include <vector>

#include "solver/search/level_scan.h"
#include "solver/search/search_problem.h"

namespace tessera::solver {

/// The domain of the leader's tree with the labels of `domain`; nothing: it has none.
std::optional<topology::DomainId> same_domain(const topology::DomainTree& tree,
                                              topology::DomainId domain,
                                              const topology::DomainTree& other);

/// Adds the domains of a level that take all workers, the tightest first.
void add_tight_first(const SearchProblem& problem, int level, std::vector<Candidate>& out);

}  // namespace tessera::solver
