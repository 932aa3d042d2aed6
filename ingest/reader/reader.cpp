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
constexpr std::string_view kSpace = " \t\r\n";

// Takes nothing: to try a text before anything of it is handed over.
class NullSink : public Sink {
 public:
  void object(const Object&) override {}
  void error(Error) override {}
};

bool is_marker(std::string_view text, std::size_t offset) {
  if (text.substr(offset, 3) != "---") return false;
  return offset + 3 == text.size() || kSpace.find(text[offset + 3]) != std::string_view::npos;
}

// Start of the first line behind the one of `offset` that starts with a document marker, or the end
// of the text. Exact for YAML, which forbids the marker at a line's start in any scalar, and JSON,
// whose strings have no raw line ends.
std::size_t next_marker(std::string_view text, std::size_t offset) {
  while (true) {
    const std::size_t line_end = text.find("\n---", offset);
    if (line_end == std::string_view::npos) return text.size();
    if (is_marker(text, line_end + 1)) return line_end + 1;
    offset = line_end + 1;
  }
}

std::size_t skip_space_and_comments(std::string_view text, std::size_t offset) {
  while (offset < text.size()) {
    if (text[offset] == '#') offset = text.find('\n', offset);
    offset = text.find_first_not_of(kSpace, offset);
    if (offset >= text.size() || text[offset] != '#') break;
  }
  return std::min(offset, text.size());
}

bool earlier(const Where& left, const Where& right) {
  return std::pair(left.line, left.column) < std::pair(right.line, right.column);
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
      std::size_t first = is_marker(text_, begin) ? begin + 3 : begin;
      first = skip_space_and_comments(text_, first);
      std::size_t end = next_marker(text_, begin);
      const bool has_directives = first < end && text_[first] == '%';
      if (has_directives) end = next_marker(text_, end);
      first = std::min(first, end);
      if (first == end) {
        begin = end;
        continue;
      }
      if (text_[first] == '{' || text_[first] == '[') {
        read_json(begin, first, end);
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
    if (auto error = try_yaml(begin, end, splitter_)) report(std::move(*error));
  }

  std::optional<Error> try_yaml(std::size_t begin, std::size_t end, ListSplitter& out) {
    const std::string_view section = text_.substr(begin, end - begin);
    const std::uint32_t first_line = lines_.at(begin).line;
    if (auto bad = find_bad_byte(section)) {
      const Position at = LineCounter(lines_).at(begin + bad->offset);
      out.refuse(ErrorCode::kInvalidInput, bad->problem, at);
      return out.take_error();
    }
    return parse_yaml(section, first_line, limits_, out);
  }

  void read_json(std::size_t begin, std::size_t first, std::size_t end) {
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
      const bool nothing_taken = splitter_.handed_over() == 0;
      if (offset == first && nothing_taken && read_flow_yaml(begin, end, *outcome.error)) return;
      report(std::move(*outcome.error));
      // JSON lines go on: each starts its line, which no part of an indented value does.
      const std::size_t behind = text.find("\n{", nothing_taken ? offset : outcome.end);
      offset = behind == std::string_view::npos ? end : behind + 1;
    }
  }

  // A section that opens like JSON but is none may be YAML in flow style. True if it was, and is
  // handed over. Else `error` becomes the one of the parser that came further: it understood what
  // the text is meant to be.
  bool read_flow_yaml(std::size_t begin, std::size_t end, Error& error) {
    splitter_.reset();
    if (error.code == ErrorCode::kLimit) return false;
    NullSink nobody;
    ListSplitter trial(file_, limits_, nobody);
    std::optional<Error> yaml_error = try_yaml(begin, end, trial);
    if (!yaml_error) {
      read_yaml(begin, end);
      return true;
    }
    if (earlier(error.where, yaml_error->where)) error = std::move(*yaml_error);
    return false;
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
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  TextReader(text, file, limits, sink).run();
}

}  // namespace tessera::reader
