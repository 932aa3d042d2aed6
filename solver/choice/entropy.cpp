// SPDX-License-Identifier: Apache-2.0
#include "solver/choice/entropy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace tessera::solver {
namespace {

constexpr int kFraction = 32;

__extension__ using Signed = __int128;
__extension__ using Wide = unsigned __int128;

/// log2 of x >= 1, in units of 2^-32. The integer part is the bit width; each squaring gives one
/// bit of the fraction.
std::int64_t log2_fixed(std::uint64_t x) {
  const int whole = 63 - std::countl_zero(x);
  std::uint64_t mantissa = x << (63 - whole);  // in [1, 2), as 1.63
  std::int64_t out = static_cast<std::int64_t>(whole) << kFraction;
  for (int bit = kFraction - 1; bit >= 0; --bit) {
    const Wide square = static_cast<Wide>(mantissa) * mantissa;  // in [1, 4), as 2.126
    const bool two = (square >> 127) != 0;
    mantissa = static_cast<std::uint64_t>(two ? square >> 64 : square >> 63);
    if (two) out |= std::int64_t{1} << bit;
  }
  return out;
}

/// log2_fixed() with a memory of 64 numbers: children are often alike, and then the same numbers
/// come again and again.
class Logarithms {
 public:
  std::int64_t of(std::uint64_t x) {
    Known& known = known_[x % known_.size()];
    if (known.x != x) known = {x, log2_fixed(x)};
    return known.log2;
  }

 private:
  struct Known {
    std::uint64_t x = 1;
    std::int64_t log2 = 0;
  };
  std::array<Known, 64> known_;
};

std::int64_t entropy_by(Logarithms& logarithms, std::span<const Candidate> children) {
  std::int64_t total = 0;
  for (const Candidate& c : children) total += c.counts.pods;
  if (total <= 0) return 0;
  // H = log2(total) - sum p log2(p) / total. Equal multisets of pods give equal sums: the order of
  // children never matters.
  Signed weighted = 0;
  for (const Candidate& c : children) {
    if (c.counts.pods > 0) {
      weighted += static_cast<Signed>(c.counts.pods) *
                  logarithms.of(static_cast<std::uint64_t>(c.counts.pods));
    }
  }
  return logarithms.of(static_cast<std::uint64_t>(total)) -
         static_cast<std::int64_t>(weighted / total);
}

}  // namespace

std::int64_t entropy(std::span<const Candidate> children) {
  Logarithms logarithms;
  return entropy_by(logarithms, children);
}

std::vector<std::size_t> entropy_order(std::span<const Candidate> members,
                                       std::span<const std::span<const Candidate>> children) {
  Logarithms logarithms;
  std::vector<std::int64_t> evenness;
  for (const auto list : children) evenness.push_back(entropy_by(logarithms, list));
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Counts &x = members[a].counts, &y = members[b].counts;
    if (x.leaders != y.leaders) return x.leaders > y.leaders;
    if (x.slices_with_leader != y.slices_with_leader)
      return x.slices_with_leader > y.slices_with_leader;
    if (evenness[a] != evenness[b]) return evenness[a] > evenness[b];
    return members[a].domain < members[b].domain;
  });
  return order;
}

}  // namespace tessera::solver
