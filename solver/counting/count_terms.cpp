// SPDX-License-Identifier: Apache-2.0
#include "solver/counting/count_terms.h"

#include <bit>

namespace tessera::solver {

// With l = ceil(log2 d) and m = floor(2^(31+l) / d) + 1 the error of m is e = m d - 2^(31+l), 0 < e
// <= d <= 2^l, so that x m / 2^(31+l) = x / d + x e / (d 2^(31+l)) lies above x / d by less than 1
// / d for x < 2^31: the floors agree. m is below 2^32 where d is no power of two; for d = 2^l the
// exact m = 2^31 serves.
Divider31::Divider31(std::int32_t divisor) {
  const auto d = static_cast<std::uint32_t>(divisor);
  if (std::has_single_bit(d)) {
    shift_ = 31 + std::countr_zero(d);
    return;
  }
  shift_ = 31 + static_cast<int>(std::bit_width(d));
  multiplier_ = static_cast<std::uint32_t>((std::uint64_t{1} << shift_) / d + 1);
}

// As for Divider31, with 15 for 31: l = ceil(log2 d), m = floor(2^(15+l) / d) + 1 < 2^16, and the
// quotient is x m / 2^(15+l): the upper half of a product, then that of a product by 2^(17-l).
Divider15::Divider15(std::int32_t divisor) {
  const auto d = static_cast<std::uint32_t>(divisor);
  if (d == 1) return;
  if (std::has_single_bit(d)) {
    products_ = 1;
    multiplier_ = static_cast<std::uint16_t>(std::uint32_t{1} << (16 - std::countr_zero(d)));
    return;
  }
  const int bits = static_cast<int>(std::bit_width(d));
  products_ = 2;
  multiplier_ = static_cast<std::uint16_t>((std::uint32_t{1} << (15 + bits)) / d + 1);
  scale_ = static_cast<std::uint16_t>(std::uint32_t{1} << (17 - bits));
}

std::optional<SmallTerm> small_term(std::int32_t units, int bits, bool small_row) {
  constexpr int kBits = 15;
  const int shift = small_row ? 0 : std::countr_zero(static_cast<std::uint32_t>(units));
  const std::int32_t divisor = units >> shift;
  if (bits - shift > kBits || divisor >= 1 << kBits) return std::nullopt;
  return SmallTerm{nullptr, nullptr, shift, Divider15(divisor)};
}

}  // namespace tessera::solver
