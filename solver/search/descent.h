// SPDX-License-Identifier: Apache-2.0
// The descent: from domains of one level, each with its share, down to the leaves (placement.md
// 4.5).
//
// Used by the ordinary search and by balanced placement, which starts below the level that it
// balanced. Changes nothing but the steps spent.
#pragma once

#include <vector>

#include "solver/search/search_problem.h"

namespace tessera::solver {

/// Adds the domains of a run that can take a pod or a leader, with the table's numbers. Costs no
/// steps.
void append_candidates(const CountTable& table, topology::DomainRange range,
                       std::vector<Candidate>& out);
/// How many domains append_candidates() would add.
std::int64_t count_candidates(const CountTable& table, topology::DomainRange range);

/// append_candidates(), at a step for each domain added.
void add_candidates(const SearchProblem& problem, topology::DomainRange range,
                    std::vector<Candidate>& out);

/// From shares at `level` down to the leaves. `balanced`: levels above the slice level are dealt
/// domain by domain too.
Leaves descend(const SearchProblem& problem, int level, std::vector<Share> shares, bool balanced);

}  // namespace tessera::solver
