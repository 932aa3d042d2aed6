// SPDX-License-Identifier: Apache-2.0
// The brackets and commas of JSON text outside its strings, found without parsing.
//
// Called by cutter. Exact for JSON; of anything else it makes something, which the parser then
// refuses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

/// Calls `visit(offset, mark)` for each bracket and comma from `offset` on, until it returns true.
/// Returns where it did, or npos at the text's end. `offset` is outside any string.
template <class Visit>
std::size_t find_mark(std::string_view text, std::size_t offset, Visit&& visit) {
  for (; offset < text.size(); ++offset) {
    const Mark mark = mark_of(text[offset]);
    if (mark == Mark::kNone) continue;
    if (mark != Mark::kQuote) {
      if (visit(offset, mark)) return offset;
      continue;
    }
    for (++offset; offset < text.size() && text[offset] != '"'; ++offset) {
      if (text[offset] == '\\') ++offset;
    }
  }
  return std::string_view::npos;
}

}  // namespace tessera::reader
