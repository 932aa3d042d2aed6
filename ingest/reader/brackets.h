// SPDX-License-Identifier: Apache-2.0
// The brackets and commas of JSON text outside its strings, found without parsing.
//
// Called by cutter. Exact for JSON. For other text the result is arbitrary, and the parser refuses
// the pieces.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tessera::reader {

enum class Mark : std::uint8_t { kNone, kOpen, kClose, kComma, kQuote };

inline constexpr std::array<Mark, 256> kMarks = [] {
  std::array<Mark, 256> marks{};
  marks['{'] = marks['['] = Mark::kOpen;
  marks['}'] = marks[']'] = Mark::kClose;
  marks[','] = Mark::kComma;
  marks['"'] = Mark::kQuote;
  return marks;
}();

inline Mark mark_of(char c) { return kMarks[static_cast<unsigned char>(c)]; }

/// Where the string around `offset` ends, or the end of the text. Reads eight bytes at a time,
/// since half of a cluster's text is in strings.
inline std::size_t find_quote(std::string_view text, std::size_t offset) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u, kHigh = 0x8080808080808080u;
  // Exact for the first byte that is zero, counted from the lowest.
  const auto zero_bytes = [](std::uint64_t word) { return (word - kOnes) & ~word & kHigh; };
  while (offset < text.size()) {
    if (std::endian::native == std::endian::little && text.size() - offset >= sizeof(kOnes)) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + offset, sizeof word);
      const std::uint64_t found = zero_bytes(word ^ (kOnes * std::uint64_t{'"'})) |
                                  zero_bytes(word ^ (kOnes * std::uint64_t{'\\'}));
      if (found == 0) {
        offset += sizeof word;
        continue;
      }
      offset += static_cast<std::size_t>(std::countr_zero(found)) / 8;
    }
    if (text[offset] == '"') return offset;
    offset += text[offset] == '\\' ? 2 : 1;
  }
  return text.size();
}

/// Calls `visit(offset, mark)` for each bracket and comma from `offset` on, until `visit` returns
/// true. Returns that offset, or npos at the text's end. `offset` must be outside any string.
template <class Visit>
std::size_t find_mark(std::string_view text, std::size_t offset, Visit&& visit) {
  for (; offset < text.size(); ++offset) {
    const Mark mark = mark_of(text[offset]);
    if (mark == Mark::kNone) continue;
    if (mark != Mark::kQuote) {
      if (visit(offset, mark)) return offset;
      continue;
    }
    offset = find_quote(text, offset + 1);
  }
  return std::string_view::npos;
}

}  // namespace tessera::reader
