// SPDX-License-Identifier: Apache-2.0
// KernelTable: the ways in which one kind of term is counted, and the choice among them.
//
// For count_kernel.cpp and small_kernel.cpp. Wide code takes whole runs of cells; plain code takes
// the rest. Does not know what terms mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "solver/counting/kernel_choice.h"

namespace tessera::solver {

template <class Term>
struct KernelTable {
  using Count = void (*)(std::span<const Term> terms, const std::uint16_t* verdict, std::size_t n,
                         std::int32_t* codes, std::int64_t* tally);
  struct Wide {
    std::size_t cells = 1;  // `n` is a multiple of it, above 0
    Count count = nullptr;  // none: not on this kind of machine
  };
  /// Cells from `begin` to n.
  void (*plain)(std::size_t begin, std::span<const Term> terms, const std::uint16_t* verdict,
                std::size_t n, std::int32_t* codes, std::int64_t* tally);
  Wide eight = {}, sixteen = {};

  void count(CountKernel kernel, std::span<const Term> terms, const std::uint16_t* verdict,
             std::size_t n, std::int32_t* codes, std::int64_t* tally) const {
    const Wide wide = kernel == CountKernel::kSixteenLanes ? sixteen
                      : kernel == CountKernel::kEightLanes ? eight
                                                           : Wide{};
    const std::size_t done = wide.count == nullptr ? 0 : n / wide.cells * wide.cells;
    if (done > 0) wide.count(terms, verdict, done, codes, tally);
    plain(done, terms, verdict, n, codes, tally);
  }
};

}  // namespace tessera::solver
