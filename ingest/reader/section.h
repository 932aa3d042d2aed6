// SPDX-License-Identifier: Apache-2.0
// Where the documents of a text begin and end, before any parser sees them.
//
// Called by text_reader and cutter, which must agree. A section reaches from one document marker to
// the next. Offsets are bytes from the start of the text. Does not check syntax: a section may hold
// anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tessera::reader {

enum class SectionKind : std::uint8_t { kEmpty, kJson, kYaml };

struct Section {
  std::size_t begin = 0, end = 0;
  std::size_t first = 0;  // behind the marker, white space and comments
  SectionKind kind = SectionKind::kEmpty;
};

/// The section that starts at `begin`. With %-directives it reaches over the marker that ends them.
Section section_at(std::string_view text, std::size_t begin);

/// Where the content of the section that starts at `begin` starts, if it has any.
std::size_t section_content(std::string_view text, std::size_t begin);

/// Where the section around `offset` ends: before the next `---` line, or behind the next `...`
/// line. Looks at lines that start behind `offset` and before `to`; npos if none of them ends the
/// section. Exact for YAML, which forbids both at the start of a line in any scalar, and for JSON,
/// whose strings have no raw line ends.
std::size_t find_section_end(std::string_view text, std::size_t offset, std::size_t to);

/// JSON if the first thing in the outermost brackets is a double-quoted key, or nothing; else YAML
/// in flow style. A text without a bracket is YAML, unless one of its first lines starts with a
/// JSON object: then it is JSON lines, and the lines before that are faults.
bool is_json(std::string_view text, std::size_t offset);

/// True if the line at `offset` starts with `marker` ("---" or "...") and white space or nothing
/// behind it.
bool is_marker(std::string_view text, std::size_t offset, std::string_view marker);

/// The offset behind the line that holds `offset`.
std::size_t next_line(std::string_view text, std::size_t offset);

/// Skips byte order marks too: files that were joined have them in the middle.
std::size_t skip_space_and_comments(std::string_view text, std::size_t offset);

/// The offset behind the byte order mark at `offset`, or `offset` if there is none.
std::size_t skip_byte_order_mark(std::string_view text, std::size_t offset);

}  // namespace tessera::reader
