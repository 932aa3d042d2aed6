// SPDX-License-Identifier: Apache-2.0
#include "solver/counting/count_kernel.h"

#include <algorithm>
#include <bit>

#include "solver/counting/kernel_table.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "solver/counting/count_kernel_wide.h"
#endif

namespace tessera::solver {
namespace {

std::int32_t clipped(std::int32_t free, std::int32_t taken) {
  return free > taken ? free - taken : 0;
}

/// Cells begin..n, one by one.
void count_from(std::size_t begin, std::span<const CountTerm> terms, const std::uint16_t* verdict,
                std::size_t n, std::int32_t* codes, std::int64_t* tally) {
  for (std::size_t i = begin; i < n; ++i) {
    if (verdict != nullptr && verdict[i] != 0) {
      codes[i] = kExcludedLeaf;
      continue;
    }
    std::int32_t code = INT32_MAX;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const CountTerm& term = terms[t];
      const std::int32_t pods = term.per_pod.divide(clipped(term.free[i], term.taken));
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

/// The numbers of one term in every lane, made once for each run of cells.
struct TermLanes {
  __m256i multiplier, shift, taken, code;
  const std::int32_t* free;
  bool by_one, by_shift, any_taken;
};

/// While terms are counted, a cell without room holds INT32_MIN plus the number of the term that
/// has none. So the first such term gives the smallest code, and one minimum serves both kinds.
__attribute__((target("avx2"))) inline TermLanes lanes_of(const CountTerm& term, std::size_t t) {
  const bool by_shift = term.per_pod.is_shift();
  const int shift = term.per_pod.shift() - (by_shift ? 31 : 32);
  return {_mm256_set1_epi32(static_cast<std::int32_t>(term.per_pod.multiplier())),
          _mm256_set1_epi32(shift),
          _mm256_set1_epi32(term.taken),
          _mm256_set1_epi32(INT32_MIN + static_cast<std::int32_t>(t)),
          term.free,
          by_shift && shift == 0,
          by_shift,
          term.taken != 0};
}

/// Copies the upper lane of each pair into both lanes.
__attribute__((target("avx2"))) inline __m256i upper_lanes(__m256i x) {
  return _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(x)));
}

/// The codes of eight cells after one more term.
__attribute__((target("avx2"))) inline __m256i apply(const TermLanes& term,
                                                     const std::int32_t* free, __m256i code) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i pods = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(free));
  if (term.any_taken) pods = _mm256_max_epi32(_mm256_sub_epi32(pods, term.taken), zero);
  if (!term.by_shift) {
    const __m256i even = _mm256_mul_epu32(pods, term.multiplier);
    const __m256i odd = _mm256_mul_epu32(upper_lanes(pods), term.multiplier);
    pods = _mm256_blend_epi32(upper_lanes(even), odd, 0xAA);
  }
  if (!term.by_one) pods = _mm256_srlv_epi32(pods, term.shift);
  const __m256i none = _mm256_cmpeq_epi32(pods, zero);
  return _mm256_min_epi32(code, _mm256_or_si256(pods, _mm256_and_si256(none, term.code)));
}

/// Finishes eight cells: the filter, the store. Returns their codes.
__attribute__((target("avx2"))) inline __m256i finish(__m256i code, const std::uint16_t* verdict,
                                                      std::size_t i, std::int32_t* codes) {
  // INT32_MIN + t becomes -(t + 1).
  code = _mm256_xor_si256(code, _mm256_srli_epi32(_mm256_srai_epi32(code, 31), 1));
  if (verdict != nullptr) {
    const __m256i verdicts =
        _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(verdict + i)));
    const __m256i fails = _mm256_cmpgt_epi32(verdicts, _mm256_setzero_si256());
    code = _mm256_or_si256(_mm256_andnot_si256(fails, code), _mm256_slli_epi32(fails, 31));
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + i), code);
  return code;
}

/// Tallies 32 cells. Bytes suffice: packing keeps codes near 0 and clips all others to -128 or 127.
__attribute__((target("avx2,popcnt"))) inline void tally_codes(__m256i a, __m256i b, __m256i c,
                                                               __m256i d, std::size_t terms,
                                                               std::int64_t* tally) {
  const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
  for (std::size_t t = 0; t < terms; ++t) {
    const __m256i wanted = _mm256_set1_epi8(static_cast<char>(-static_cast<int>(t) - 1));
    const int same = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, wanted));
    tally[t] += std::popcount(static_cast<unsigned>(same));
  }
}

/// Cells 0..n, n a multiple of 8; 32 cells a term at a time, so that four chains of steps overlap.
__attribute__((target("avx2,popcnt"))) void count_eights(std::span<const CountTerm> terms,
                                                         const std::uint16_t* verdict,
                                                         std::size_t n, std::int32_t* codes,
                                                         std::int64_t* tally) {
  const __m256i most = _mm256_set1_epi32(INT32_MAX);
  TermLanes lanes[kMostTerms];
  for (std::size_t t = 0; t < terms.size(); ++t) lanes[t] = lanes_of(terms[t], t);
  std::size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    __m256i a = most, b = most, c = most, d = most;
    for (std::size_t t = terms.size(); t-- > 0;) {
      const TermLanes& term = lanes[t];
      const std::int32_t* const free = term.free + i;
      fetch_ahead(free, 128);
      a = apply(term, free, a);
      b = apply(term, free + 8, b);
      c = apply(term, free + 16, c);
      d = apply(term, free + 24, d);
    }
    fetch_ahead(codes + i, 128);
    if (verdict != nullptr) fetch_ahead(verdict + i, 64);
    a = finish(a, verdict, i, codes);
    b = finish(b, verdict, i + 8, codes);
    c = finish(c, verdict, i + 16, codes);
    d = finish(d, verdict, i + 24, codes);
    if (tally != nullptr) tally_codes(a, b, c, d, terms.size(), tally);
  }
  for (; i < n; i += 8) {
    __m256i code = most;
    for (std::size_t t = terms.size(); t-- > 0;) {
      code = apply(lanes[t], lanes[t].free + i, code);
    }
    code = finish(code, verdict, i, codes);
    if (tally != nullptr) tally_codes(code, most, most, most, terms.size(), tally);
  }
}

/// `sum` (4 x 64 bits) and the codes above 0 of eight.
__attribute__((target("avx2"))) inline __m256i add_pods(__m256i sum, __m256i codes) {
  const __m256i zero = _mm256_setzero_si256(), pods = _mm256_max_epi32(codes, zero);
  sum = _mm256_add_epi64(sum, _mm256_srli_epi64(pods, 32));
  return _mm256_add_epi64(sum, _mm256_blend_epi32(pods, zero, 0xAA));
}

__attribute__((target("avx2"))) inline std::int64_t sum_lanes(__m256i sums) {
  const __m128i two =
      _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  return _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}

__attribute__((target("avx2"))) std::int64_t sum_eights(const std::int32_t* codes, std::size_t n) {
  __m256i sum = _mm256_setzero_si256();
  for (std::size_t i = 0; i < n; i += 8) {
    sum = add_pods(sum, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + i)));
  }
  return sum_lanes(sum);
}

__attribute__((target("avx2"))) void sum_runs(const std::int32_t* codes, std::uint32_t first,
                                              std::span<const topology::DomainRange> runs,
                                              std::int64_t* sums) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (const topology::DomainRange run : runs) {
    const std::int32_t* at = codes + (run.begin - first);
    std::uint32_t left = run.size();
    __m256i sum = _mm256_setzero_si256();
    for (; left >= 8; left -= 8, at += 8) {
      sum = add_pods(sum, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
    }
    const __m256i rest = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(left)), lane);
    *sums++ = sum_lanes(add_pods(sum, _mm256_maskload_epi32(at, rest)));
  }
}

constexpr KernelTable<CountTerm> kKernels = {count_from, {8, count_eights}, {16, count_sixteens}};

#else

constexpr KernelTable<CountTerm> kKernels = {count_from};

#endif

}  // namespace

void count_cells_by(CountKernel kernel, std::span<const CountTerm> terms,
                    const std::uint16_t* verdict, std::size_t n, std::int32_t* codes,
                    std::int64_t* tally) {
  kKernels.count(kernel, terms, verdict, n, codes, tally);
}

void count_cells(std::span<const CountTerm> terms, const std::uint16_t* verdict, std::size_t n,
                 std::int32_t* codes, std::int64_t* tally) {
  count_cells_by(best_kernel(), terms, verdict, n, codes, tally);
}

std::int64_t sum_pods(const std::int32_t* codes, std::size_t n) {
  std::int64_t sum = 0;
  std::size_t i = 0;
#if defined(__x86_64__)
  if (has_kernel(CountKernel::kEightLanes)) {
    i = n / 8 * 8;
    sum = sum_eights(codes, i);
  }
#endif
  for (; i < n; ++i) sum += std::max(codes[i], 0);
  return sum;
}

void sum_pods(const std::int32_t* codes, std::uint32_t first,
              std::span<const topology::DomainRange> runs, std::int64_t* sums) {
#if defined(__x86_64__)
  if (has_kernel(CountKernel::kEightLanes)) return sum_runs(codes, first, runs, sums);
#endif
  for (const topology::DomainRange run : runs) {
    std::int64_t sum = 0;
    for (std::uint32_t i = run.begin; i < run.end; ++i) sum += std::max(codes[i - first], 0);
    *sums++ = sum;
  }
}

}  // namespace tessera::solver
