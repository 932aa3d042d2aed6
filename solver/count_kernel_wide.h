// SPDX-License-Identifier: Apache-2.0
// The 16-lane counting kernel, for count_kernel.cpp alone.
#pragma once

#include "solver/count_kernel.h"

namespace tessera::solver {

/// Codes of cells 0..n, n a multiple of 16, on a machine with AVX-512 F, BW, DQ and VL.
void count_sixteens(std::span<const CountTerm> terms, const std::uint16_t* verdict, std::size_t n,
                    std::int32_t* codes, std::int64_t* tally);

}  // namespace tessera::solver
