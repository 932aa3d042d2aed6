// SPDX-License-Identifier: Apache-2.0
// Small kernel: count_cells() of solver/counting/count_kernel.h for requests whose quotients can be
// had from numbers below 2^15: twice as many lanes, and rows of small numbers are read as they lie.
//
// Called by the index for whole chunks; short runs are not worth it. A wide row serves if all its
// numbers lose enough by the power of two in the divisor: floor(x / (2^s d)) = floor(floor(x / 2^s)
// / d). Same codes, same tally. Pure, on any thread; vector variants are chosen at run time.
#pragma once

#include <optional>

#include "solver/counting/count_kernel.h"

namespace tessera::solver {

/// x / d for 0 <= x < 2^15 and 1 <= d < 2^15: the upper halves of up to two 16-bit products.
class Divider15 {
 public:
  Divider15() = default;  // by 1
  explicit Divider15(std::int32_t divisor);

  std::int32_t divide(std::int32_t x) const {
    std::uint32_t out = static_cast<std::uint32_t>(x);
    if (products_ > 0) out = (out * multiplier_) >> 16;
    if (products_ > 1) out = (out * scale_) >> 16;
    return static_cast<std::int32_t>(out);
  }
  int products() const { return products_; }
  std::uint16_t multiplier() const { return multiplier_; }
  std::uint16_t scale() const { return scale_; }

 private:
  int products_ = 0;
  std::uint16_t multiplier_ = 0, scale_ = 0;
};

/// One resource of a request: a row of either width.
struct SmallTerm {
  const std::int32_t* wide = nullptr;  // or null; divided by 2^wide_shift first
  const std::int16_t* small = nullptr;
  int wide_shift = 0;
  Divider15 per_pod;
};

/// The term of a request of `units`, of a row whose numbers are below 2^bits, without the row;
/// nothing if that needs more bits.
std::optional<SmallTerm> small_term(std::int32_t units, int bits, bool small_row);

void count_small_cells(std::span<const SmallTerm> terms, const std::uint16_t* verdict,
                       std::size_t n, std::int32_t* codes, std::int64_t* tally);

/// The kernels behind it, for tests and benchmarks. Lanes are those of count_cells_by(), each
/// holding two numbers here.
void count_small_cells_by(CountKernel kernel, std::span<const SmallTerm> terms,
                          const std::uint16_t* verdict, std::size_t n, std::int32_t* codes,
                          std::int64_t* tally);

}  // namespace tessera::solver
