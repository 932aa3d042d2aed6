// SPDX-License-Identifier: Apache-2.0
// Questions about the bytes of an input before any parser sees them: on which line and column is an
// offset, and are these bytes text?
//
// Called by text_reader, cutter and the parsers. Offsets are bytes from the start of the text;
// lines end with \n; columns count characters (code points), as editors do. Does not know YAML or
// JSON, except which characters YAML forbids.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/values/value.h"

namespace tessera::reader {

/// Turns rising offsets into positions with one pass over the text. To go back, keep a copy.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  /// `offset` stands at the position `at`.
  LineCounter(std::string_view text, std::size_t offset, Position at)
      : text_(text), offset_(offset), position_(at) {}

  /// `offset` must not be below that of the previous call. An offset beyond the text means the
  /// text's end.
  Position at(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  Position position_{1, 1};
};

/// The first byte that cannot stand in YAML text, and why.
struct BadByte {
  std::size_t offset = 0;
  std::string problem;
};

/// Finds bytes that are not UTF-8, and control characters other than tab, line feed and carriage
/// return.
std::optional<BadByte> find_bad_byte(std::string_view text);

/// "UTF-16" or "UTF-32" if the first bytes show such an encoding, else nullptr. Only UTF-8 is read.
const char* wide_encoding(std::string_view text);

}  // namespace tessera::reader
