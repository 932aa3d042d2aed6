// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/section.h"

#include <algorithm>

namespace tessera::reader {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kSpace = " \t\r\n";

/// JSON lines of which the first few are broken: the head of a file was cut off, or a message
/// stands before it. No line of a YAML document starts with an object, unless the line before
/// leaves a value open.
bool is_broken_json_lines(std::string_view text, std::size_t offset) {
  constexpr int kMostBrokenLines = 16;
  for (int i = 0; i < kMostBrokenLines; ++i) {
    const std::size_t line = next_line(text, offset);
    if (line >= text.size()) return false;
    if (text.substr(line, 2) == "{\"") {
      const std::size_t last = text.find_last_not_of(kSpace, line - 1);
      return std::string_view(":-?,[{|>").find(text[last]) == std::string_view::npos;
    }
    offset = line;
  }
  return false;
}

std::size_t section_end(std::string_view text, std::size_t begin) {
  if (is_marker(text, begin, "...")) return next_line(text, begin);
  return std::min(find_section_end(text, begin, text.size()), text.size());
}

}  // namespace

Section section_at(std::string_view text, std::size_t begin) {
  Section section;
  section.begin = begin;
  section.first = section_content(text, begin);
  section.end = section_end(text, begin);
  const bool has_directives = section.first < section.end && text[section.first] == '%';
  if (has_directives) section.end = section_end(text, section.end);
  if (section.first < section.end && !is_marker(text, section.first, "...")) {
    section.kind = is_json(text.substr(0, section.end), section.first) ? SectionKind::kJson
                                                                       : SectionKind::kYaml;
  }
  return section;
}

std::size_t section_content(std::string_view text, std::size_t begin) {
  constexpr std::size_t kMarkerSize = 3;
  return skip_space_and_comments(text, is_marker(text, begin, "---") ? begin + kMarkerSize : begin);
}

std::size_t find_section_end(std::string_view text, std::size_t offset, std::size_t to) {
  const std::string_view seen = text.substr(0, to);
  for (std::size_t line = next_line(seen, offset); line < seen.size();
       line = next_line(seen, line)) {
    if (is_marker(text, line, "---")) return line;
    if (is_marker(text, line, "...")) return next_line(text, line);
  }
  return std::string_view::npos;
}

// Looks at the first bytes only. To try JSON and then YAML would turn JSON with a missing comma
// into a long YAML text.
bool is_json(std::string_view text, std::size_t offset) {
  if (text[offset] != '{' && text[offset] != '[') return is_broken_json_lines(text, offset);
  offset = text.find_first_not_of("{[ \t\r\n", offset);
  return offset == std::string_view::npos || text[offset] == '"' || text[offset] == '}' ||
         text[offset] == ']';
}

bool is_marker(std::string_view text, std::size_t offset, std::string_view marker) {
  if (text.substr(offset, marker.size()) != marker) return false;
  const std::size_t behind = offset + marker.size();
  return behind == text.size() || kSpace.find(text[behind]) != std::string_view::npos;
}

std::size_t next_line(std::string_view text, std::size_t offset) {
  const std::size_t line_end = text.find('\n', offset);
  return line_end == std::string_view::npos ? text.size() : line_end + 1;
}

std::size_t skip_space_and_comments(std::string_view text, std::size_t offset) {
  while (true) {
    offset = std::min(text.find_first_not_of(kSpace, offset), text.size());
    if (offset == text.size()) return offset;
    const std::size_t behind =
        text[offset] == '#' ? next_line(text, offset) : skip_byte_order_mark(text, offset);
    if (behind == offset) return offset;
    offset = behind;
  }
}

std::size_t skip_byte_order_mark(std::string_view text, std::size_t offset) {
  const bool found = text.substr(offset, kByteOrderMark.size()) == kByteOrderMark;
  return found ? offset + kByteOrderMark.size() : offset;
}

}  // namespace tessera::reader
