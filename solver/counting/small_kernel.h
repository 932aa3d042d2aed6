// SPDX-License-Identifier: Apache-2.0
// Small kernel: count_cells() of solver/counting/count_kernel.h for requests whose quotients follow
// from numbers below 2^15. It has twice as many lanes, and reads rows of small numbers as they are.
//
// Called by the index for whole chunks; short runs are not worth it. A wide row serves if its
// numbers are below 2^15 after the power of two in the divisor is shifted out: floor(x / (2^s d)) =
// floor(floor(x / 2^s) / d). Same codes, same tally. Pure, on any thread; vector variants are
// chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "solver/counting/count_terms.h"
#include "solver/counting/kernel_choice.h"

namespace tessera::solver {

void count_small_cells(std::span<const SmallTerm> terms, const std::uint16_t* verdict,
                       std::size_t n, std::int32_t* codes, std::int64_t* tally);

/// The kernels, for tests and benchmarks. The lanes are those of count_cells_by(); each holds two
/// numbers here.
void count_small_cells_by(CountKernel kernel, std::span<const SmallTerm> terms,
                          const std::uint16_t* verdict, std::size_t n, std::int32_t* codes,
                          std::int64_t* tally);

}  // namespace tessera::solver
