// SPDX-License-Identifier: Apache-2.0
// Counting kernel: how many pods of one request fit into each of a run of cells (placement.md 2.3),
// a chunk at a time.
//
// Called by the index for a cold key (whole chunks) and for touched cells (short runs), on any
// thread; pure. Divides 31-bit numbers by multiply and shift, exact for every divisor. The vector
// variant is chosen at run time; the plain one is its oracle and serves machines without it. Does
// not know capacity, trees or filters' meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "topology/domain_tree.h"

namespace tessera::solver {

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
  std::int32_t taken = 0;              // goes off first (a leader's share); what is below 0 is 0
  Divider31 per_pod;
};

inline constexpr std::size_t kMostTerms = 24;  // terms of one call
/// The code of a leaf that a filter excludes.
inline constexpr std::int32_t kExcludedLeaf = INT32_MIN;

/// codes[i] = pods that fit in cell i (> 0); or -(t + 1), where t is the first term that has no
/// room for one; or kExcludedLeaf where verdict[i] != 0 (`verdict` null: nothing is excluded).
/// tally[t], t < terms.size(), grows by the number of cells with code -(t + 1); null: not counted.
/// 1 to kMostTerms terms.
void count_cells(std::span<const CountTerm> terms, const std::uint16_t* verdict, std::size_t n,
                 std::int32_t* codes, std::int64_t* tally);

/// Sum of the codes above 0.
std::int64_t sum_pods(const std::int32_t* codes, std::size_t n);
/// The same of short runs of codes, each behind the one before: run i is codes[runs[i].begin -
/// first] .. codes[runs[i].end - first - 1].
void sum_pods(const std::int32_t* codes, std::uint32_t first,
              std::span<const topology::DomainRange> runs, std::int64_t* sums);

/// The kernels behind count_cells(), which takes the widest that the machine has; for tests and
/// benchmarks.
enum class CountKernel : std::uint8_t { kPlain, kEightLanes, kSixteenLanes };
bool has_kernel(CountKernel kernel);
CountKernel best_kernel();
void count_cells_by(CountKernel kernel, std::span<const CountTerm> terms,
                    const std::uint16_t* verdict, std::size_t n, std::int32_t* codes,
                    std::int64_t* tally);

}  // namespace tessera::solver
