// SPDX-License-Identifier: Apache-2.0
// The small kernel for 64 cells at a time; the same steps as count_small_eights() in
// small_kernel.cpp, with masks for the cells that still have room.
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

struct TermLanes {
  __m512i multiplier, scale, shift;
  std::int64_t alive;  // cells that this term and those before it have room in
  const std::int32_t* wide;
  const std::int16_t* small;
  int products;
};

TESSERA_WIDE inline TermLanes lanes_of(const SmallTerm& term) {
  return {_mm512_set1_epi16(static_cast<short>(term.per_pod.multiplier())),
          _mm512_set1_epi16(static_cast<short>(term.per_pod.scale())),
          _mm512_set1_epi32(term.wide_shift),
          0,
          term.wide,
          term.small,
          term.per_pod.products()};
}

/// 32 numbers of 16 bits in the order in which packing leaves two times sixteen of 32.
TESSERA_WIDE inline __m512i in_packed_order(__m512i numbers) {
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), numbers);
}

TESSERA_WIDE inline __m512i pods_of(const TermLanes& term, std::size_t i) {
  __m512i pods;
  if (term.wide != nullptr) {
    pods =
        _mm512_packus_epi32(_mm512_srlv_epi32(_mm512_loadu_si512(term.wide + i), term.shift),
                            _mm512_srlv_epi32(_mm512_loadu_si512(term.wide + i + 16), term.shift));
  } else {
    pods = in_packed_order(_mm512_loadu_si512(term.small + i));
  }
  if (term.products > 0) pods = _mm512_mulhi_epu16(pods, term.multiplier);
  if (term.products > 1) pods = _mm512_mulhi_epu16(pods, term.scale);
  return pods;
}

struct Cells {
  __mmask32 passes, alive;
  __m512i pods, code;
};

TESSERA_WIDE inline Cells begin_cells(const std::uint16_t* verdict, std::size_t i) {
  __mmask32 passes = ~__mmask32{0};
  if (verdict != nullptr) {
    const __m512i verdicts = in_packed_order(_mm512_loadu_si512(verdict + i));
    passes = _mm512_testn_epi16_mask(verdicts, verdicts);
  }
  return {passes, passes, _mm512_set1_epi16(INT16_MAX), _mm512_set1_epi16(-1)};
}

TESSERA_WIDE inline void add_pods(Cells& cells, __m512i pods) {
  cells.pods = _mm512_min_epi16(cells.pods, pods);
  cells.alive = _mm512_mask_test_epi16_mask(cells.alive, pods, pods);
  cells.code = _mm512_mask_sub_epi16(cells.code, cells.alive, cells.code, _mm512_set1_epi16(1));
}

TESSERA_WIDE inline void store_codes(const Cells& cells, std::int32_t* codes) {
  const __m512i code = _mm512_mask_mov_epi16(cells.code, cells.alive, cells.pods);
  const __m512i lower = _mm512_maskz_mov_epi16(cells.passes, code);
  const __m512i upper =
      _mm512_mask_srai_epi16(_mm512_set1_epi16(INT16_MIN), cells.passes, code, 15);
  _mm512_storeu_si512(codes, _mm512_unpacklo_epi16(lower, upper));
  _mm512_storeu_si512(codes + 16, _mm512_unpackhi_epi16(lower, upper));
}

TESSERA_WIDE inline std::int64_t cells_in(__mmask32 a, __mmask32 b) {
  return std::popcount(std::uint64_t{a} << 32 | b);
}

}  // namespace

TESSERA_WIDE void count_small_sixteens(std::span<const SmallTerm> terms,
                                       const std::uint16_t* verdict, std::size_t n,
                                       std::int32_t* codes, std::int64_t* tally) {
  TermLanes lanes[kMostTerms];
  for (std::size_t t = 0; t < terms.size(); ++t) lanes[t] = lanes_of(terms[t]);
  std::int64_t passing = 0;
  for (std::size_t i = 0; i < n; i += 64) {
    Cells a = begin_cells(verdict, i), b = begin_cells(verdict, i + 32);
    passing += cells_in(a.passes, b.passes);
    for (std::size_t t = 0; t < terms.size(); ++t) {
      TermLanes& term = lanes[t];
      if (term.wide != nullptr) {
        fetch_ahead(term.wide + i, 256);
      } else {
        fetch_ahead(term.small + i, 128);
      }
      add_pods(a, pods_of(term, i));
      add_pods(b, pods_of(term, i + 32));
      term.alive += cells_in(a.alive, b.alive);
    }
    fetch_ahead(codes + i, 256);
    if (verdict != nullptr) fetch_ahead(verdict + i, 128);
    store_codes(a, codes + i);
    store_codes(b, codes + i + 32);
  }
  if (tally == nullptr) return;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    tally[t] += passing - lanes[t].alive;
    passing = lanes[t].alive;
  }
}

}  // namespace tessera::solver

#endif
