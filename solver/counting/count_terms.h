// SPDX-License-Identifier: Apache-2.0
// Terms: what a request asks of one resource, with its division prepared, as the counting kernels
// read it; and the limits and codes that the kernels share.
//
// Made by the index once for each key, used by count_kernel.h (31-bit numbers) and small_kernel.h
// (15-bit numbers). Divides by multiplication and shift, exact for every divisor. Values; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tessera::solver {

inline constexpr std::size_t kMostTerms = 24;  // terms of one call
/// The code of a leaf that a filter excludes.
inline constexpr std::int32_t kExcludedLeaf = INT32_MIN;

/// x / d for 0 <= x < 2^31 and 1 <= d < 2^31, without a division.
class Divider31 {
 public:
  Divider31() = default;  // by 1
  explicit Divider31(std::int32_t divisor);

  std::int32_t divide(std::int32_t x) const {
    return static_cast<std::int32_t>((static_cast<std::uint64_t>(x) * multiplier_) >> shift_);
  }
  /// True if the divisor is a power of two: its exponent is shift() - 31.
  bool is_shift() const { return multiplier_ == std::uint32_t{1} << 31; }
  std::uint32_t multiplier() const { return multiplier_; }
  int shift() const { return shift_; }

 private:
  std::uint32_t multiplier_ = std::uint32_t{1} << 31;
  int shift_ = 31;
};

/// One resource of a request, on n cells.
struct CountTerm {
  const std::int32_t* free = nullptr;  // n amounts, 0 or more
  std::int32_t taken = 0;              // subtracted first (a leader's share), but not below 0
  Divider31 per_pod;
};

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

/// The term, without its row, of a request of `units` on a row whose numbers are below 2^bits.
/// Nothing if the numbers have more bits than the small kernel takes.
std::optional<SmallTerm> small_term(std::int32_t units, int bits, bool small_row);

}  // namespace tessera::solver
