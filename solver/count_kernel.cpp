// SPDX-License-Identifier: Apache-2.0
#include "solver/count_kernel.h"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
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

__attribute__((target("avx2"))) inline __m256i divide(__m256i x, const Divider31& by) {
  const __m256i multiplier = _mm256_set1_epi64x(by.multiplier());
  const __m128i shift = _mm_cvtsi32_si128(by.shift());
  const __m256i even = _mm256_srl_epi64(_mm256_mul_epu32(x, multiplier), shift);
  const __m256i odd =
      _mm256_srl_epi64(_mm256_mul_epu32(_mm256_srli_epi64(x, 32), multiplier), shift);
  return _mm256_or_si256(even, _mm256_slli_epi64(odd, 32));
}

/// Cells 0..n of which n is a multiple of 8. From the last term to the first, so that the first one
/// without room has the last word.
__attribute__((target("avx2"))) void count_eights(std::span<const CountTerm> terms,
                                                  const std::uint16_t* verdict, std::size_t n,
                                                  std::int32_t* codes, std::int64_t* tally) {
  const __m256i zero = _mm256_setzero_si256();
  for (std::size_t i = 0; i < n; i += 8) {
    __m256i code = _mm256_set1_epi32(INT32_MAX);
    for (std::size_t t = terms.size(); t-- > 0;) {
      const CountTerm& term = terms[t];
      __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(term.free + i));
      if (term.taken != 0) {
        x = _mm256_max_epi32(_mm256_sub_epi32(x, _mm256_set1_epi32(term.taken)), zero);
      }
      const __m256i pods = divide(x, term.per_pod);
      const __m256i none = _mm256_cmpeq_epi32(pods, zero);
      code = _mm256_blendv_epi8(_mm256_min_epi32(code, pods),
                                _mm256_set1_epi32(-static_cast<std::int32_t>(t) - 1), none);
    }
    if (verdict != nullptr) {
      const __m128i verdicts = _mm_loadu_si128(reinterpret_cast<const __m128i*>(verdict + i));
      const __m256i passes = _mm256_cmpeq_epi32(_mm256_cvtepu16_epi32(verdicts), zero);
      code = _mm256_blendv_epi8(_mm256_set1_epi32(kExcludedLeaf), code, passes);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + i), code);
  }
  for (std::size_t t = 0; t < terms.size() && tally != nullptr; ++t) {
    const __m256i wanted = _mm256_set1_epi32(-static_cast<std::int32_t>(t) - 1);
    __m256i found = zero;
    for (std::size_t i = 0; i < n; i += 8) {
      const __m256i code = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + i));
      found = _mm256_sub_epi32(found, _mm256_cmpeq_epi32(code, wanted));
    }
    alignas(32) std::int32_t lanes[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), found);
    for (const std::int32_t lane : lanes) tally[t] += lane;
  }
}

#endif

}  // namespace

// With l = ceil(log2 d) and m = floor(2^(31+l) / d) + 1 the error of m is e = m d - 2^(31+l), 0 < e
// <= d <= 2^l, so that x m / 2^(31+l) = x / d + x e / (d 2^(31+l)) lies above x / d by less than 1
// / d for x < 2^31: the floors agree. m is at most 2^32, and 2^32 only for d = 1 with l = 0, which
// is taken apart; for d = 2^l the exact m = 2^31 serves.
Divider31::Divider31(std::int32_t divisor) {
  const auto d = static_cast<std::uint32_t>(divisor);
  if (std::has_single_bit(d)) {
    shift_ = 31 + std::countr_zero(d);
    return;
  }
  shift_ = 31 + static_cast<int>(std::bit_width(d));
  multiplier_ = static_cast<std::uint32_t>((std::uint64_t{1} << shift_) / d + 1);
}

void count_cells_plain(std::span<const CountTerm> terms, const std::uint16_t* verdict,
                       std::size_t n, std::int32_t* codes, std::int64_t* tally) {
  count_from(0, terms, verdict, n, codes, tally);
}

#if defined(__x86_64__)

bool has_vector_kernel() {
  static const bool kHas = __builtin_cpu_supports("avx2") != 0;
  return kHas;
}

void count_cells_vector(std::span<const CountTerm> terms, const std::uint16_t* verdict,
                        std::size_t n, std::int32_t* codes, std::int64_t* tally) {
  const std::size_t eights = n / 8 * 8;
  count_eights(terms, verdict, eights, codes, tally);
  count_from(eights, terms, verdict, n, codes, tally);
}

#else

bool has_vector_kernel() { return false; }

void count_cells_vector(std::span<const CountTerm> terms, const std::uint16_t* verdict,
                        std::size_t n, std::int32_t* codes, std::int64_t* tally) {
  count_from(0, terms, verdict, n, codes, tally);
}

#endif

void count_cells(std::span<const CountTerm> terms, const std::uint16_t* verdict, std::size_t n,
                 std::int32_t* codes, std::int64_t* tally) {
  if (has_vector_kernel()) {
    count_cells_vector(terms, verdict, n, codes, tally);
  } else {
    count_cells_plain(terms, verdict, n, codes, tally);
  }
}

}  // namespace tessera::solver
