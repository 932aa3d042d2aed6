// SPDX-License-Identifier: Apache-2.0
// The counting kernel for 16 cells at a time; the same steps as count_eights() in count_kernel.cpp.
#include "solver/counting/count_kernel_wide.h"

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

/// How a term divides. Known outside the loop, since a branch for each vector costs as much as the
/// division.
enum class Division : std::uint8_t { kByOne, kByShift, kByMultiplying };

/// The numbers of one term in every lane, made once for each run of cells.
struct TermLanes {
  __m512i multiplier, shift, taken, code;
  const std::int32_t* free;
  Division division;
  bool any_taken;
};

TESSERA_WIDE inline TermLanes lanes_of(const CountTerm& term, std::size_t t) {
  const bool by_shift = term.per_pod.is_shift();
  const int shift = term.per_pod.shift() - (by_shift ? 31 : 32);
  return {_mm512_set1_epi32(static_cast<std::int32_t>(term.per_pod.multiplier())),
          _mm512_set1_epi32(shift),
          _mm512_set1_epi32(term.taken),
          _mm512_set1_epi32(-static_cast<std::int32_t>(t) - 1),
          term.free,
          !by_shift    ? Division::kByMultiplying
          : shift == 0 ? Division::kByOne
                       : Division::kByShift,
          term.taken != 0};
}

/// Copies the upper lane of each pair into both lanes.
TESSERA_WIDE inline __m512i upper_lanes(__m512i x) {
  return _mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(x)));
}

/// The upper 32 bits of x * multiplier, lane by lane.
TESSERA_WIDE inline __m512i upper_product(__m512i x, __m512i multiplier) {
  const __m512i even = _mm512_mul_epu32(x, multiplier);
  const __m512i odd = _mm512_mul_epu32(upper_lanes(x), multiplier);
  return _mm512_mask_mov_epi32(odd, 0x5555, upper_lanes(even));
}

/// Codes of 64 cells.
struct Codes {
  __m512i a, b, c, d;
};

template <Division kDivision, bool kTaken>
TESSERA_WIDE inline __m512i apply(const TermLanes& term, const std::int32_t* free, __m512i code) {
  __m512i pods = _mm512_loadu_si512(free);
  if (kTaken) pods = _mm512_max_epi32(_mm512_sub_epi32(pods, term.taken), _mm512_setzero_si512());
  if (kDivision == Division::kByMultiplying) pods = upper_product(pods, term.multiplier);
  if (kDivision != Division::kByOne) pods = _mm512_srlv_epi32(pods, term.shift);
  const __mmask16 none = _mm512_testn_epi32_mask(pods, pods);
  return _mm512_mask_mov_epi32(_mm512_min_epi32(code, pods), none, term.code);
}

template <Division kDivision, bool kTaken>
TESSERA_WIDE inline void apply_four(const TermLanes& term, std::size_t i, Codes& codes) {
  const std::int32_t* const free = term.free + i;
  fetch_ahead(free, 256);
  codes.a = apply<kDivision, kTaken>(term, free, codes.a);
  codes.b = apply<kDivision, kTaken>(term, free + 16, codes.b);
  codes.c = apply<kDivision, kTaken>(term, free + 32, codes.c);
  codes.d = apply<kDivision, kTaken>(term, free + 48, codes.d);
}

/// The codes after one more term.
TESSERA_WIDE inline void apply_four(const TermLanes& term, std::size_t i, Codes& codes) {
  if (term.any_taken) {
    return term.division == Division::kByMultiplying
               ? apply_four<Division::kByMultiplying, true>(term, i, codes)
               : apply_four<Division::kByShift, true>(term, i, codes);
  }
  if (term.division == Division::kByMultiplying) {
    return apply_four<Division::kByMultiplying, false>(term, i, codes);
  }
  if (term.division == Division::kByShift) {
    return apply_four<Division::kByShift, false>(term, i, codes);
  }
  apply_four<Division::kByOne, false>(term, i, codes);
}

TESSERA_WIDE inline __m512i apply_one(const TermLanes& term, std::size_t i, __m512i code) {
  return term.division == Division::kByMultiplying
             ? apply<Division::kByMultiplying, true>(term, term.free + i, code)
             : apply<Division::kByShift, true>(term, term.free + i, code);
}

/// Finishes 16 cells: the filter, the store. Returns their codes.
TESSERA_WIDE inline __m512i finish(__m512i code, const std::uint16_t* verdict, std::size_t i,
                                   std::int32_t* codes) {
  if (verdict != nullptr) {
    const __m256i verdicts = _mm256_loadu_epi16(verdict + i);
    const __mmask16 fails = _mm256_test_epi16_mask(verdicts, verdicts);
    code = _mm512_mask_mov_epi32(code, fails, _mm512_set1_epi32(kExcludedLeaf));
  }
  _mm512_storeu_si512(codes + i, code);
  return code;
}

/// Tallies 64 cells. Bytes suffice: packing keeps codes near 0 and clips all others to -128 or 127.
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
  TermLanes lanes[kMostTerms];
  for (std::size_t t = 0; t < terms.size(); ++t) lanes[t] = lanes_of(terms[t], t);
  std::size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    Codes four{most, most, most, most};
    for (std::size_t t = terms.size(); t-- > 0;) apply_four(lanes[t], i, four);
    fetch_ahead(codes + i, 256);
    if (verdict != nullptr) fetch_ahead(verdict + i, 128);
    four.a = finish(four.a, verdict, i, codes);
    four.b = finish(four.b, verdict, i + 16, codes);
    four.c = finish(four.c, verdict, i + 32, codes);
    four.d = finish(four.d, verdict, i + 48, codes);
    if (tally != nullptr) tally_codes(four.a, four.b, four.c, four.d, terms.size(), tally);
  }
  for (; i < n; i += 16) {
    __m512i code = most;
    for (std::size_t t = terms.size(); t-- > 0;) code = apply_one(lanes[t], i, code);
    code = finish(code, verdict, i, codes);
    if (tally != nullptr) tally_codes(code, most, most, most, terms.size(), tally);
  }
}

}  // namespace tessera::solver

#endif
