// SPDX-License-Identifier: Apache-2.0
#include "solver/counting/small_kernel.h"

#include <algorithm>
#include <bit>

#include "solver/counting/kernel_table.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "solver/counting/count_kernel_wide.h"
#endif

namespace tessera::solver {
namespace {

/// Cells begin..n, one by one.
void count_from(std::size_t begin, std::span<const SmallTerm> terms, const std::uint16_t* verdict,
                std::size_t n, std::int32_t* codes, std::int64_t* tally) {
  for (std::size_t i = begin; i < n; ++i) {
    if (verdict != nullptr && verdict[i] != 0) {
      codes[i] = kExcludedLeaf;
      continue;
    }
    std::int32_t code = INT32_MAX;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const SmallTerm& term = terms[t];
      const std::int32_t free =
          term.wide != nullptr ? term.wide[i] >> term.wide_shift : std::int32_t{term.small[i]};
      const std::int32_t pods = term.per_pod.divide(free);
      if (pods == 0) {
        code = -static_cast<std::int32_t>(t) - 1;
        if (tally != nullptr) ++tally[t];
        break;
      }
      code = std::min(code, pods);
    }
    codes[i] = code;
  }
}

#if defined(__x86_64__)

#define TESSERA_EIGHT __attribute__((target("avx2")))

/// The numbers of one term in every lane, made once for each run of cells.
struct TermLanes {
  __m256i multiplier, scale, shift;
  __m256i alive;  // by lane, minus the cells that this term and those before it have room in
  const std::int32_t* wide;
  const std::int16_t* small;
  int products;
};

TESSERA_EIGHT inline TermLanes lanes_of(const SmallTerm& term) {
  return {_mm256_set1_epi16(static_cast<short>(term.per_pod.multiplier())),
          _mm256_set1_epi16(static_cast<short>(term.per_pod.scale())),
          _mm256_set1_epi32(term.wide_shift),
          _mm256_setzero_si256(),
          term.wide,
          term.small,
          term.per_pod.products()};
}

TESSERA_EIGHT inline __m256i load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

/// Sixteen numbers of 16 bits in the order in which packing leaves two times eight of 32: cells
/// 0-3, 8-11, 4-7, 12-15.
TESSERA_EIGHT inline __m256i in_packed_order(__m256i numbers) {
  return _mm256_permute4x64_epi64(numbers, 0b11'01'10'00);
}

/// What one term allows in cells i..i+15, in packed order.
template <bool kWide, int kProducts>
TESSERA_EIGHT inline __m256i pods_of(const TermLanes& term, std::size_t i) {
  __m256i pods;
  if (kWide) {
    pods = _mm256_packus_epi32(_mm256_srlv_epi32(load(term.wide + i), term.shift),
                               _mm256_srlv_epi32(load(term.wide + i + 8), term.shift));
  } else {
    pods = in_packed_order(load(term.small + i));
  }
  if (kProducts > 0) pods = _mm256_mulhi_epu16(pods, term.multiplier);
  if (kProducts > 1) pods = _mm256_mulhi_epu16(pods, term.scale);
  return pods;
}

/// Sixteen cells: the smallest quotient so far (0 from the first term without room on), and the
/// code for a cell without room: -1, minus 1 for each term with room before it; 0 for an excluded
/// leaf.
struct Cells {
  __m256i passes, pods, code, alive;
};

TESSERA_EIGHT inline Cells begin_cells(const std::uint16_t* verdict, std::size_t i) {
  __m256i passes = _mm256_set1_epi16(-1);
  if (verdict != nullptr) {
    passes = _mm256_cmpeq_epi16(in_packed_order(load(verdict + i)), _mm256_setzero_si256());
  }
  return {passes, _mm256_srli_epi16(passes, 1), passes, passes};
}

TESSERA_EIGHT inline void add_pods(Cells& cells, __m256i pods) {
  cells.pods = _mm256_min_epi16(cells.pods, pods);
  cells.alive = _mm256_cmpgt_epi16(cells.pods, _mm256_setzero_si256());
  cells.code = _mm256_add_epi16(cells.code, cells.alive);
}

template <bool kWide, int kProducts>
TESSERA_EIGHT inline void add_term(TermLanes& term, std::size_t i, Cells& a, Cells& b) {
  if (kWide) {
    fetch_ahead(term.wide + i, 128);
  } else {
    fetch_ahead(term.small + i, 64);
  }
  add_pods(a, pods_of<kWide, kProducts>(term, i));
  add_pods(b, pods_of<kWide, kProducts>(term, i + 16));
  term.alive = _mm256_add_epi16(term.alive, _mm256_add_epi16(a.alive, b.alive));
}

/// Stores the codes of sixteen cells: their lower halves, and upper ones made of signs.
TESSERA_EIGHT inline void store_codes(const Cells& cells, std::int32_t* codes) {
  const __m256i lower = _mm256_or_si256(cells.pods, _mm256_andnot_si256(cells.alive, cells.code));
  const __m256i excluded = _mm256_andnot_si256(cells.passes, _mm256_set1_epi16(INT16_MIN));
  const __m256i upper = _mm256_or_si256(_mm256_srai_epi16(lower, 15), excluded);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes), _mm256_unpacklo_epi16(lower, upper));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + 8), _mm256_unpackhi_epi16(lower, upper));
}

/// The negative of the sum of sixteen numbers.
TESSERA_EIGHT inline std::int64_t minus_sum(__m256i numbers) {
  alignas(32) std::int32_t sums[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(sums),
                     _mm256_madd_epi16(numbers, _mm256_set1_epi16(1)));
  std::int64_t sum = 0;
  for (const std::int32_t each : sums) sum -= each;
  return sum;
}

/// At most so many cells between two tallies: a lane of 16 bits counts two cells of every 32.
constexpr std::size_t kTalliedAtOnce = std::size_t{1} << 18;

/// Cells begin..end, a multiple of 32.
TESSERA_EIGHT void count_part(std::span<TermLanes> terms, const std::uint16_t* verdict,
                              std::size_t begin, std::size_t end, std::int32_t* codes,
                              std::int64_t* tally) {
  __m256i passing = _mm256_setzero_si256();
  for (TermLanes& term : terms) term.alive = passing;
  for (std::size_t i = begin; i < end; i += 32) {
    Cells a = begin_cells(verdict, i), b = begin_cells(verdict, i + 16);
    passing = _mm256_add_epi16(passing, _mm256_add_epi16(a.passes, b.passes));
    for (TermLanes& term : terms) {
      // The rest of a wide row's divisor is odd: 1, or no power of two.
      if (term.wide != nullptr && term.products > 0) {
        add_term<true, 2>(term, i, a, b);
      } else if (term.wide != nullptr) {
        add_term<true, 0>(term, i, a, b);
      } else if (term.products == 0) {
        add_term<false, 0>(term, i, a, b);
      } else if (term.products == 1) {
        add_term<false, 1>(term, i, a, b);
      } else {
        add_term<false, 2>(term, i, a, b);
      }
    }
    fetch_ahead(codes + i, 128);
    if (verdict != nullptr) fetch_ahead(verdict + i, 64);
    store_codes(a, codes + i);
    store_codes(b, codes + i + 16);
  }
  if (tally == nullptr) return;
  std::int64_t before = minus_sum(passing);
  for (const TermLanes& term : terms) {
    const std::int64_t alive = minus_sum(term.alive);
    *tally++ += before - alive;
    before = alive;
  }
}

TESSERA_EIGHT void count_small_eights(std::span<const SmallTerm> terms,
                                      const std::uint16_t* verdict, std::size_t n,
                                      std::int32_t* codes, std::int64_t* tally) {
  TermLanes lanes[kMostTerms];
  for (std::size_t t = 0; t < terms.size(); ++t) lanes[t] = lanes_of(terms[t]);
  for (std::size_t begin = 0; begin < n; begin += kTalliedAtOnce) {
    count_part(std::span(lanes).first(terms.size()), verdict, begin,
               std::min(n, begin + kTalliedAtOnce), codes, tally);
  }
}

constexpr KernelTable<SmallTerm> kKernels = {
    count_from, {32, count_small_eights}, {64, count_small_sixteens}};

#else

constexpr KernelTable<SmallTerm> kKernels = {count_from};

#endif

}  // namespace

void count_small_cells_by(CountKernel kernel, std::span<const SmallTerm> terms,
                          const std::uint16_t* verdict, std::size_t n, std::int32_t* codes,
                          std::int64_t* tally) {
  kKernels.count(kernel, terms, verdict, n, codes, tally);
}

void count_small_cells(std::span<const SmallTerm> terms, const std::uint16_t* verdict,
                       std::size_t n, std::int32_t* codes, std::int64_t* tally) {
  count_small_cells_by(best_kernel(), terms, verdict, n, codes, tally);
}

}  // namespace tessera::solver
