// SPDX-License-Identifier: Apache-2.0
// Counting kernel: how many pods of one request fit into each of a run of cells (placement.md 2.3),
// a chunk at a time.
//
// Called by the index for a cold key (whole chunks) and for touched cells (short runs), on any
// thread; pure. The vector variant is chosen at run time; the plain one is its oracle and serves
// machines without it. Does not know capacity, trees or filters' meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "solver/counting/count_terms.h"
#include "solver/counting/kernel_choice.h"
#include "topology/domain_tree.h"

namespace tessera::solver {

/// codes[i] = pods that fit in cell i (> 0); or -(t + 1), where t is the first term that has no
/// room for one; or kExcludedLeaf where verdict[i] != 0 (`verdict` null: nothing is excluded).
/// tally[t], t < terms.size(), grows by the number of cells with code -(t + 1); null: not counted.
/// 1 to kMostTerms terms.
void count_cells(std::span<const CountTerm> terms, const std::uint16_t* verdict, std::size_t n,
                 std::int32_t* codes, std::int64_t* tally);

/// Sum of the codes above 0.
std::int64_t sum_pods(const std::int32_t* codes, std::size_t n);
/// The sums of short runs of codes, one run behind the other: run i is codes[runs[i].begin - first]
/// .. codes[runs[i].end - first - 1].
void sum_pods(const std::int32_t* codes, std::uint32_t first,
              std::span<const topology::DomainRange> runs, std::int64_t* sums);

/// The kernels behind it, for tests and benchmarks.
void count_cells_by(CountKernel kernel, std::span<const CountTerm> terms,
                    const std::uint16_t* verdict, std::size_t n, std::int32_t* codes,
                    std::int64_t* tally);

}  // namespace tessera::solver
