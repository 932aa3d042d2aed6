// SPDX-License-Identifier: Apache-2.0
// The 16-lane counting kernels, for count_kernel.cpp and small_kernel.cpp alone, and what all
// vector kernels share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "solver/counting/count_terms.h"
#include "topology/prefetch.h"

namespace tessera::solver {

/// Prefetches the cache lines of `bytes` bytes that lie 256 numbers behind `from`, if there are
/// any. The hardware's own prefetching ends with each page of 4 KiB.
template <class T>
inline void fetch_ahead(const T* from, std::size_t bytes) {
  constexpr std::size_t kLine = 64, kNumbersAhead = 256;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(from) + kNumbersAhead * sizeof(T);
  for (std::size_t at = 0; at < bytes; at += kLine) {
    // An integer, since the address may lie beyond the row, where a pointer must not point.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    topology::prefetch(reinterpret_cast<const void*>(begin + at));
  }
}

/// Codes of cells 0..n, n a multiple of 16, on a machine with AVX-512 F, BW, DQ and VL.
void count_sixteens(std::span<const CountTerm> terms, const std::uint16_t* verdict, std::size_t n,
                    std::int32_t* codes, std::int64_t* tally);
/// The same of the small kernel, n a multiple of 64.
void count_small_sixteens(std::span<const SmallTerm> terms, const std::uint16_t* verdict,
                          std::size_t n, std::int32_t* codes, std::int64_t* tally);

}  // namespace tessera::solver
