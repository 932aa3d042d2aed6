// SPDX-License-Identifier: Apache-2.0
// Small kernel: count_cells() of solver/counting/count_kernel.h for requests whose quotients can be
// had from numbers below 2^15: twice as many lanes, and rows of small numbers are read as they lie.
//
// Called by the index for whole chunks; short runs are not worth it. A wide row serves if all its
// numbers lose enough by the power of two in the divisor: floor(x / (2^s d)) = floor(floor(x / 2^s)
// / d). Same codes, same tally. Pure, on any thread; vector variants are chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "solver/counting/count_terms.h"
#include "solver/counting/kernel_choice.h"

namespace tessera::solver {

void count_small_cells(std::span<const SmallTerm> terms, const std::uint16_t* verdict,
                       std::size_t n, std::int32_t* codes, std::int64_t* tally);

/// The kernels behind it, for tests and benchmarks. Lanes are those of count_cells_by(), each
/// holding two numbers here.
void count_small_cells_by(CountKernel kernel, std::span<const SmallTerm> terms,
                          const std::uint16_t* verdict, std::size_t n, std::int32_t* codes,
                          std::int64_t* tally);

}  // namespace tessera::solver
