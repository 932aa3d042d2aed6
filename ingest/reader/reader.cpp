// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ingest/reader/json_parser.h"
#include "ingest/reader/list_splitter.h"
#include "ingest/reader/source_text.h"
#include "ingest/reader/yaml_parser.h"

namespace tessera::reader {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr int kMaxTagDirectives = 64;  // in a section
constexpr std::string_view kSpace = " \t\r\n";

bool is_marker(std::string_view text, std::size_t offset, std::string_view marker) {
  if (text.substr(offset, marker.size()) != marker) return false;
  const std::size_t behind = offset + marker.size();
  return behind == text.size() || kSpace.find(text[behind]) != std::string_view::npos;
}

std::size_t next_line(std::string_view text, std::size_t offset) {
  const std::size_t line_end = text.find('\n', offset);
  return line_end == std::string_view::npos ? text.size() : line_end + 1;
}

// Where the section that starts at `begin` ends: before the next `---` line or behind the next
// `...` line. Exact for YAML, which forbids both at a line's start in any scalar, and for JSON,
// whose strings have no raw line ends.
std::size_t section_end(std::string_view text, std::size_t begin) {
  for (std::size_t line = begin; line < text.size(); line = next_line(text, line)) {
    if (line != begin && is_marker(text, line, "---")) return line;
    if (is_marker(text, line, "...")) return next_line(text, line);
  }
  return text.size();
}

bool starts_with_mark(std::string_view text, std::size_t offset) {
  return text.substr(offset, kByteOrderMark.size()) == kByteOrderMark;
}

// Byte order marks as well: files that were joined have them in the middle.
std::size_t skip_space_and_comments(std::string_view text, std::size_t offset) {
  while (true) {
    offset = std::min(text.find_first_not_of(kSpace, offset), text.size());
    if (offset == text.size()) return offset;
    if (text[offset] == '#') {
      offset = next_line(text, offset);
    } else if (starts_with_mark(text, offset)) {
      offset += kByteOrderMark.size();
    } else {
      return offset;
    }
  }
}

// JSON if the first thing in the outermost brackets is a double-quoted key, or nothing; else YAML
// in flow style. Trying one after the other would take JSON without a comma for a long YAML text.
bool is_json(std::string_view text, std::size_t offset) {
  if (text[offset] != '{' && text[offset] != '[') return false;
  offset = text.find_first_not_of("{[ \t\r\n", offset);
  return offset == std::string_view::npos || text[offset] == '"' || text[offset] == '}' ||
         text[offset] == ']';
}

// libyaml compares each %TAG directive with all before it. No manifest has more than a few.
bool has_too_many_directives(std::string_view section) {
  int count = 0;
  for (std::size_t at = section.find("%TAG");
       at != std::string_view::npos && count <= kMaxTagDirectives;
       at = section.find("%TAG", at + 1)) {
    if (at == 0 || section[at - 1] == '\n' || section[at - 1] == '\r') ++count;
  }
  return count > kMaxTagDirectives;
}

// Reads a text section by section. A section reaches from one document marker to the next, and an
// error ends no more than its section.
class TextReader {
 public:
  TextReader(std::string_view text, std::string_view file, const Limits& limits, Sink& sink)
      : text_(text),
        file_(file),
        limits_(limits),
        sink_(sink),
        lines_(text),
        splitter_(file, limits, sink) {}

  void run() {
    for (std::size_t begin = 0; begin < text_.size() && !gave_up_;) {
      std::size_t first = is_marker(text_, begin, "---") ? begin + 3 : begin;
      first = skip_space_and_comments(text_, first);
      std::size_t end = section_end(text_, begin);
      const bool has_directives = first < end && text_[first] == '%';
      if (has_directives) end = section_end(text_, end);
      if (first >= end || is_marker(text_, first, "...")) {
        begin = end;
        continue;
      }
      if (is_json(text_.substr(0, end), first)) {
        read_json(first, end);
      } else {
        read_yaml(begin, end);
      }
      begin = end;
    }
  }

 private:
  void report(Error error) {
    splitter_.reset();
    if (gave_up_) return;
    const bool last = ++errors_ >= limits_.max_errors;
    Where where = error.where;
    sink_.error(std::move(error));
    if (!last) return;
    gave_up_ = true;
    sink_.error(Error{ErrorCode::kLimit,
                      std::to_string(errors_) + " errors: the rest of the input is not read",
                      std::move(where)});
  }

  void read_yaml(std::size_t begin, std::size_t end) {
    const std::string_view section = text_.substr(begin, end - begin);
    const std::uint32_t first_line = lines_.at(begin).line;
    if (auto bad = find_bad_byte(section)) {
      splitter_.refuse(ErrorCode::kInvalidInput, bad->problem, lines_.at(begin + bad->offset));
    } else if (has_too_many_directives(section)) {
      splitter_.refuse(ErrorCode::kLimit, "too many %TAG directives: write tags out",
                       {first_line, 1});
    }
    std::optional<Error> error = splitter_.take_error();
    if (!error) error = parse_yaml(section, first_line, limits_, splitter_);
    if (error) report(std::move(*error));
  }

  void read_json(std::size_t first, std::size_t end) {
    const std::string_view text = text_.substr(0, end);
    for (std::size_t offset = first; offset < end && !gave_up_;) {
      LineCounter lines = lines_;
      JsonOutcome outcome = parse_json(text, offset, lines, splitter_);
      if (!outcome.error) {
        splitter_.finish();
        lines_ = lines;
        offset = skip_space_and_comments(text, outcome.end);
        continue;
      }
      // JSON lines go on: each starts its line, which no part of an indented value does. Not before
      // the error if elements of a list were handed over already.
      const bool nothing_taken = splitter_.handed_over() == 0;
      const std::size_t behind = text.find("\n{", nothing_taken ? offset : outcome.end);
      report(std::move(*outcome.error));
      offset = behind == std::string_view::npos ? end : behind + 1;
      lines_.at(offset);
    }
  }

  const std::string_view text_;
  const std::string_view file_;
  const Limits& limits_;
  Sink& sink_;
  LineCounter lines_;  // at the start of the section or value being read
  ListSplitter splitter_;
  std::uint32_t errors_ = 0;
  bool gave_up_ = false;
};

}  // namespace

void read_text(std::string_view text, std::string_view file, const Limits& limits, Sink& sink) {
  if (const char* encoding = wide_encoding(text)) {
    sink.error(Error{ErrorCode::kInvalidInput,
                     std::string("the text is ") + encoding + ": save it as UTF-8",
                     Where{std::string(file), 1, 1, {}, {}}});
    return;
  }
  if (starts_with_mark(text, 0)) text.remove_prefix(kByteOrderMark.size());
  TextReader(text, file, limits, sink).run();
}

}  // namespace tessera::reader
