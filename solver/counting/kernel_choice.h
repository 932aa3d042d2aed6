// SPDX-License-Identifier: Apache-2.0
// Which of the counting kernels this machine can run, and which is the widest.
//
// Asked by count_kernel.cpp and small_kernel.cpp for every call, by tests and benchmarks for each
// kernel in turn. Found out once; any thread.
#pragma once

#include <cstdint>

namespace tessera::solver {

enum class CountKernel : std::uint8_t { kPlain, kEightLanes, kSixteenLanes };
bool has_kernel(CountKernel kernel);
CountKernel best_kernel();

}  // namespace tessera::solver
