// SPDX-License-Identifier: Apache-2.0
// Buckets: tell for each 64 consecutive domains of a row of numbers which size classes their
// numbers have. A search for the smallest sufficient number, or for the largest, skips nearly all
// of the row.
//
// One word for 64 domains, one bit for each class. The numbers 0 to 31 have a class each; above,
// every doubling has four classes. A word may name a class that is empty by now: a changed number
// only sets its new bit, and a search that finds nothing behind a bit makes the word anew. So a
// change costs one write, and a search makes a word anew at most once for each change. Kept beside
// rows of the index; the rows are the truth. One thread at a time, or disjoint words.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "topology/prefetch.h"

namespace tessera::solver {

class Buckets {
 public:
  static constexpr std::uint32_t kWidth = 64;  // domains of a word

  bool empty() const { return words_.empty(); }
  void clear() { words_.clear(); }
  void reset(std::uint32_t domains) { words_.assign((domains + kWidth - 1) / kWidth, 0); }
  void prefetch(std::uint32_t domain) const {
    if (!words_.empty()) topology::prefetch_for_write(&words_[domain / kWidth]);
  }
  void note(std::uint32_t domain, std::int64_t number) {
    words_[domain / kWidth] |= std::uint64_t{1} << class_of(number);
  }

  /// 0..63, never falling with the number.
  static int class_of(std::int64_t number) {
    if (number < 32) return static_cast<int>(std::max<std::int64_t>(0, number));
    const auto bits = static_cast<std::uint64_t>(number);
    const int octave = 63 - std::countl_zero(bits);
    const int in_octave = static_cast<int>((bits >> (octave - 2)) & 3);
    return std::min(63, 32 + (octave - 5) * 4 + in_octave);
  }

  /// Which domains of a class a search wants if they all have one number.
  enum class Equals : std::uint8_t { kAll, kFirst };

  /// Looks at the domains begin..end whose class is `from` or above, the lowest class first, until
  /// a class held a domain that visit(domain) returned true for. `number_of(domain)` is the truth.
  template <class NumberOf, class Visit>
  void rising(std::uint32_t begin, std::uint32_t end, int from, Equals equals, NumberOf number_of,
              Visit visit) {
    search<true>(begin, end, from, equals, number_of, visit);
  }
  /// The same from the highest class down to class 0.
  template <class NumberOf, class Visit>
  void falling(std::uint32_t begin, std::uint32_t end, Equals equals, NumberOf number_of,
               Visit visit) {
    search<false>(begin, end, 0, equals, number_of, visit);
  }

 private:
  static constexpr int kExactClasses = 32;

  template <bool kRising, class NumberOf, class Visit>
  void search(std::uint32_t begin, std::uint32_t end, int from, Equals equals, NumberOf number_of,
              Visit visit) {
    if (begin >= end) return;
    std::uint64_t wanted = ~std::uint64_t{0} << from;
    while (wanted != 0) {
      std::uint64_t present = 0;
      for (std::uint32_t w = begin / kWidth; w <= (end - 1) / kWidth; ++w) present |= words_[w];
      present &= wanted;
      if (present == 0) return;
      const int next = kRising ? std::countr_zero(present) : 63 - std::countl_zero(present);
      const bool first_only = equals == Equals::kFirst && next < kExactClasses;
      if (look_at(begin, end, next, first_only, number_of, visit)) return;
      wanted &= ~(std::uint64_t{1} << next);
    }
  }

  template <class NumberOf, class Visit>
  bool look_at(std::uint32_t begin, std::uint32_t end, int wanted, bool first_only,
               NumberOf number_of, Visit visit) {
    bool found = false;
    const std::uint64_t bit = std::uint64_t{1} << wanted;
    for (std::uint32_t w = begin / kWidth; w <= (end - 1) / kWidth; ++w) {
      if ((words_[w] & bit) == 0) continue;
      const std::uint32_t first = std::max(begin, w * kWidth);
      const std::uint32_t last = std::min(end, (w + 1) * kWidth);
      const bool whole = first == w * kWidth && last == (w + 1) * kWidth;
      std::uint64_t word = 0;
      for (std::uint32_t domain = first; domain < last; ++domain) {
        const int own = class_of(number_of(domain));
        word |= std::uint64_t{1} << own;
        if (own != wanted || !visit(domain)) continue;
        if (first_only) return true;
        found = true;
      }
      // A word that reaches beyond the run keeps its bits for the other domains.
      words_[w] = whole ? word : words_[w] | word;
    }
    return found;
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace tessera::solver
