// SPDX-License-Identifier: Apache-2.0
// The counting kernel for 16 cells at a time; the same steps as count_eights() in count_kernel.cpp.
#include "solver/count_kernel_wide.h"

#if defined(__x86_64__)

// The header of g++ 12 leaves lanes undefined on purpose and is warned about (its bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#include <bit>

#define TESSERA_WIDE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))

namespace tessera::solver {
namespace {

struct TermLanes {
  __m512i multiplier, taken, code, shift, odd_shift;
  bool by_shift, any_taken;
};

TESSERA_WIDE inline TermLanes lanes_of(const CountTerm& term, std::size_t t) {
  const bool by_shift = term.per_pod.is_shift();
  return {_mm512_set1_epi64(term.per_pod.multiplier()),
          _mm512_set1_epi32(term.taken),
          _mm512_set1_epi32(-static_cast<std::int32_t>(t) - 1),
          by_shift ? _mm512_set1_epi32(term.per_pod.shift() - 31)
                   : _mm512_set1_epi64(term.per_pod.shift()),
          _mm512_set1_epi64(term.per_pod.shift() - 32),
          by_shift,
          term.taken != 0};
}

TESSERA_WIDE inline __m512i apply(const TermLanes& term, const std::int32_t* free, __m512i code) {
  __m512i x = _mm512_loadu_si512(free);
  if (term.any_taken) {
    x = _mm512_max_epi32(_mm512_sub_epi32(x, term.taken), _mm512_setzero_si512());
  }
  __m512i pods;
  if (term.by_shift) {
    pods = _mm512_srlv_epi32(x, term.shift);
  } else {
    // Shifted by 32 less, the quotient of an odd lane lies where it belongs already.
    const __m512i even = _mm512_srlv_epi64(_mm512_mul_epu32(x, term.multiplier), term.shift);
    const __m512i odd = _mm512_srlv_epi64(
        _mm512_mul_epu32(_mm512_srli_epi64(x, 32), term.multiplier), term.odd_shift);
    pods = _mm512_mask_mov_epi32(even, 0xAAAA, odd);
  }
  const __mmask16 none = _mm512_testn_epi32_mask(pods, pods);
  return _mm512_mask_mov_epi32(_mm512_min_epi32(code, pods), none, term.code);
}

/// Finishes 16 cells: the filter, the store. Returns their codes.
TESSERA_WIDE inline __m512i finish(__m512i code, const std::uint16_t* verdict, std::size_t i,
                                   std::int32_t* codes) {
  if (verdict != nullptr) {
    const __m256i verdicts = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(verdict + i));
    const __mmask16 fails = _mm256_test_epi16_mask(verdicts, verdicts);
    code = _mm512_mask_mov_epi32(code, fails, _mm512_set1_epi32(kExcludedLeaf));
  }
  _mm512_storeu_si512(codes + i, code);
  return code;
}

/// Tallies 64 cells. Bytes suffice: packing keeps small codes and takes the others to the ends.
TESSERA_WIDE inline void tally_codes(__m512i a, __m512i b, __m512i c, __m512i d, std::size_t terms,
                                     std::int64_t* tally) {
  const __m512i bytes = _mm512_packs_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));
  for (std::size_t t = 0; t < terms; ++t) {
    const __m512i wanted = _mm512_set1_epi8(static_cast<char>(-static_cast<int>(t) - 1));
    tally[t] += std::popcount(std::uint64_t{_mm512_cmpeq_epi8_mask(bytes, wanted)});
  }
}

}  // namespace

TESSERA_WIDE void count_sixteens(std::span<const CountTerm> terms, const std::uint16_t* verdict,
                                 std::size_t n, std::int32_t* codes, std::int64_t* tally) {
  const __m512i most = _mm512_set1_epi32(INT32_MAX);
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    __m512i a = most, b = most, c = most, d = most;
    for (std::size_t t = terms.size(); t-- > 0;) {
      const TermLanes term = lanes_of(terms[t], t);
      const std::int32_t* const free = terms[t].free + i;
      a = apply(term, free, a);
      b = apply(term, free + 16, b);
      c = apply(term, free + 32, c);
      d = apply(term, free + 48, d);
    }
    a = finish(a, verdict, i, codes);
    b = finish(b, verdict, i + 16, codes);
    c = finish(c, verdict, i + 32, codes);
    d = finish(d, verdict, i + 48, codes);
    if (tally != nullptr) tally_codes(a, b, c, d, terms.size(), tally);
  }
  for (; i < n; i += 16) {
    __m512i code = most;
    for (std::size_t t = terms.size(); t-- > 0;) {
      code = apply(lanes_of(terms[t], t), terms[t].free + i, code);
    }
    code = finish(code, verdict, i, codes);
    if (tally != nullptr) tally_codes(code, most, most, most, terms.size(), tally);
  }
}

}  // namespace tessera::solver

#endif
