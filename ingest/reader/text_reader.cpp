// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/text_reader.h"

#include <optional>
#include <string>
#include <utility>

#include "ingest/reader/json_parser.h"
#include "ingest/reader/yaml_parser.h"

namespace tessera::reader {
namespace {

constexpr int kMaxTagDirectives = 64;  // in a section

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

}  // namespace

void TextReader::read_sections() {
  for (std::size_t begin = begin_; begin < text_.size() && !gave_up_;) {
    const Section section = section_at(text_, begin);
    if (section.kind == SectionKind::kJson) read_json(section.first, section.end);
    if (section.kind == SectionKind::kYaml) read_yaml(section);
    begin = section.end;
  }
}

void TextReader::report(Error error) {
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

void TextReader::read_yaml(const Section& section) {
  const std::string_view text = text_.substr(section.begin, section.end - section.begin);
  const std::uint32_t first_line = lines_.at(section.begin).line;
  if (auto bad = find_bad_byte(text)) {
    splitter_.refuse(ErrorCode::kInvalidInput, bad->problem,
                     lines_.at(section.begin + bad->offset));
  } else if (has_too_many_directives(text)) {
    splitter_.refuse(ErrorCode::kLimit, "too many %TAG directives: write tags out",
                     {first_line, 1});
  }
  std::optional<Error> error = splitter_.take_error();
  if (!error) error = parse_yaml(text, first_line, limits_, splitter_);
  if (error) report(std::move(*error));
}

void TextReader::read_json(std::size_t first, std::size_t end) {
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
    // JSON lines go on at the next line that starts with '{': inside an indented value no line
    // does. If elements of a list were handed over already, only lines behind the error count.
    const bool nothing_taken = splitter_.handed_over() == 0;
    const std::size_t behind = text.find("\n{", nothing_taken ? offset : outcome.end);
    report(std::move(*outcome.error));
    offset = behind == std::string_view::npos ? end : behind + 1;
    lines_.at(offset);
  }
}

}  // namespace tessera::reader
