// SPDX-License-Identifier: Apache-2.0
// Buckets: tell for each 64 consecutive domains of a row of numbers which size classes their
// numbers have. A search for the smallest sufficient number, or for the largest, skips nearly all
// of the row.
//
// One word for 64 domains, one bit for each class. The numbers 0 to 31 have a class each; above,
// every doubling has four classes. A word may name a class that is empty by now: a changed number
// only sets its new bit, and a search that finds nothing behind a bit clears it. So a change costs
// one write, and a search looks in vain at most once for each change. Kept beside rows of the
// index; the rows are the truth. One thread at a time, or disjoint words.
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
  /// A word begins at the domain `aligned`, so that a run from there on shares no word with the
  /// domains before it.
  void reset(std::uint32_t domains, std::uint32_t aligned) {
    domains_ = domains;
    shift_ = (kWidth - aligned % kWidth) % kWidth;
    words_.assign((domains + shift_ + kWidth - 1) / kWidth, 0);
  }
  void prefetch(std::uint32_t domain) const {
    if (!words_.empty()) topology::prefetch_for_write(&words_[word_of(domain)]);
  }
  void note(std::uint32_t domain, std::int64_t number) {
    words_[word_of(domain)] |= std::uint64_t{1} << class_of(number);
  }
  /// Two domains have one word if they, each with the shift added, have one multiple of kWidth.
  std::uint32_t shift() const { return shift_; }

  /// 0..63, never falling with the number.
  static int class_of(std::int64_t number) {
    if (number < 32) return static_cast<int>(std::max<std::int64_t>(0, number));
    const auto bits = static_cast<std::uint64_t>(number);
    const int octave = 63 - std::countl_zero(bits);
    const int in_octave = static_cast<int>((bits >> (octave - 2)) & 3);
    return std::min(63, 32 + (octave - 5) * 4 + in_octave);
  }

  /// The numbers of a class, both ends included. Class 0 also has all numbers below 0.
  struct Range {
    std::int64_t least, most;
    bool has(std::int64_t number) const {  // one comparison: the sums wrap around
      const auto from = static_cast<std::uint64_t>(least);
      return static_cast<std::uint64_t>(number) - from <= static_cast<std::uint64_t>(most) - from;
    }
  };
  static Range range_of(int size_class) {
    if (size_class < kExactClasses) return {size_class == 0 ? INT64_MIN : size_class, size_class};
    const int octave = 5 + (size_class - kExactClasses) / 4;
    const std::int64_t quarter = std::int64_t{1} << (octave - 2);
    const std::int64_t least = (4 + size_class % 4) * quarter;
    return {least, size_class == kClasses - 1 ? INT64_MAX : least + quarter - 1};
  }

  /// Which domains a search wants of those that have the same number.
  enum class Equals : std::uint8_t { kAll, kFirst };

  /// Visits the domains begin..end whose class is `from` or above, the lowest class first, until a
  /// class held a domain for which visit(domain) returned true. Behind such a domain, only domains
  /// with smaller numbers are visited; with kAll, also those with the same number.
  /// `numbers_from(domain)` points to its number; those of the other domains of its word lie behind
  /// it.
  template <class NumbersFrom, class Visit>
  void rising(std::uint32_t begin, std::uint32_t end, int from, Equals equals,
              NumbersFrom numbers_from, Visit visit) {
    search<true>(begin, end, from, equals, numbers_from, visit);
  }
  /// The same from the highest class down to class 0, and for larger numbers.
  template <class NumbersFrom, class Visit>
  void falling(std::uint32_t begin, std::uint32_t end, Equals equals, NumbersFrom numbers_from,
               Visit visit) {
    search<false>(begin, end, 0, equals, numbers_from, visit);
  }

 private:
  static constexpr int kExactClasses = 32, kClasses = 64;
  static constexpr std::uint32_t kAtOnce = 8;  // numbers compared before the first is visited

  std::uint32_t word_of(std::uint32_t domain) const { return (domain + shift_) / kWidth; }

  template <bool kRising, class NumbersFrom, class Visit>
  void search(std::uint32_t begin, std::uint32_t end, int from, Equals equals,
              NumbersFrom numbers_from, Visit visit) {
    if (begin >= end) return;
    std::uint64_t wanted = ~std::uint64_t{0} << from;
    while (wanted != 0) {
      std::uint64_t present = 0;
      for (std::uint32_t w = word_of(begin); w <= word_of(end - 1); ++w) present |= words_[w];
      present &= wanted;
      if (present == 0) return;
      const int next = kRising ? std::countr_zero(present) : 63 - std::countl_zero(present);
      if (look_at<kRising>(begin, end, next, equals, numbers_from, visit)) return;
      wanted &= ~(std::uint64_t{1} << next);
    }
  }

  template <bool kRising, class NumbersFrom, class Visit>
  bool look_at(std::uint32_t begin, std::uint32_t end, int wanted, Equals equals,
               NumbersFrom numbers_from, Visit visit) {
    bool found = false;
    const std::uint64_t bit = std::uint64_t{1} << wanted;
    const Range range = range_of(wanted);
    Range better = range;  // the numbers that may still be chosen
    const std::int64_t step = equals == Equals::kFirst ? 1 : 0;
    for (std::uint32_t w = word_of(begin), last = word_of(end - 1); w <= last; ++w) {
      if ((words_[w] & bit) == 0) continue;
      const std::uint32_t word_begin = std::max(w * kWidth, shift_) - shift_;
      const std::uint32_t word_end = std::min(domains_, (w + 1) * kWidth - shift_);
      const auto* const numbers = numbers_from(word_begin);
      bool empty = true;
      for (std::uint32_t at = word_begin; at < word_end; at += kAtOnce) {
        std::uint32_t members =
            members_of(range, numbers + (at - word_begin), std::min(kAtOnce, word_end - at));
        for (; members != 0; members &= members - 1) {
          empty = false;
          const std::uint32_t member = at + static_cast<std::uint32_t>(std::countr_zero(members));
          const std::int64_t number = numbers[member - word_begin];
          if (!better.has(number) || member < begin || member >= end || !visit(member)) continue;
          found = true;
          (kRising ? better.most : better.least) = kRising ? number - step : number + step;
          if (better.least > better.most) return true;
        }
      }
      if (empty) words_[w] &= ~bit;
    }
    return found;
  }

  /// A bit for each of the numbers that lies in the range.
  template <class Number>
  static std::uint32_t members_of(Range range, const Number* numbers, std::uint32_t count) {
    std::uint32_t out = 0;
    if (count == kAtOnce) {
      for (std::uint32_t i = 0; i < kAtOnce; ++i) {
        out |= static_cast<std::uint32_t>(range.has(numbers[i])) << i;
      }
      return out;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      out |= static_cast<std::uint32_t>(range.has(numbers[i])) << i;
    }
    return out;
  }

  std::uint32_t domains_ = 0, shift_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace tessera::solver
