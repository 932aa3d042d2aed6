// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/cutter.h"

#include <algorithm>
#include <utility>

#include "ingest/reader/brackets.h"
#include "ingest/reader/list_frame.h"
#include "ingest/values/source_text.h"

namespace tessera::reader {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
constexpr std::size_t kLookedThroughAtOnce = 4u << 20;  // bytes of a long YAML section
constexpr std::size_t kMaxHead = 64u << 10;             // bytes before the elements of a list
constexpr std::string_view kItems = "items:";

bool is_blank(std::string_view text, std::size_t offset) {
  return offset >= text.size() || std::string_view(" \t\r\n").find(text[offset]) != kNowhere;
}

// Where the line at `line` stands in a list in block style whose dashes are indented by `indent`.
enum class Line { kInside, kElement, kBehind };

Line line_of_list(std::string_view text, std::size_t line, std::size_t indent) {
  const std::size_t first = std::min(text.find_first_not_of(' ', line), text.size());
  if (first - line > indent) return Line::kInside;
  if (first == text.size() || text[first] == '\n' || text[first] == '\r' || text[first] == '#') {
    return Line::kInside;
  }
  const bool dash = text[first] == '-' && is_blank(text, first + 1);
  return dash && first - line == indent ? Line::kElement : Line::kBehind;
}

// The offset behind the bracket that closes the one at `begin`; kNowhere if the text ends before.
std::size_t json_value_end(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  const std::size_t last = find_mark(text, begin, [&](std::size_t, Mark mark) {
    if (mark == Mark::kOpen) ++depth;
    return mark == Mark::kClose && --depth == 0;
  });
  return last == kNowhere ? kNowhere : last + 1;
}

}  // namespace

Cutter::Cutter(std::string_view text, std::uint64_t piece_bytes, const Limits& limits,
               const Forget& forget)
    : text_(text),
      piece_bytes_(std::max<std::size_t>(piece_bytes, 1)),
      limits_(limits),
      forget_(forget) {}

std::optional<Piece> Cutter::next() {
  while (state_ != State::kEnd) {
    std::optional<Piece> piece;
    switch (state_) {
      case State::kSections:
        piece = next_sections();
        break;
      case State::kJsonValues:
        piece = next_json_values();
        break;
      case State::kJsonElements:
        piece = next_json_elements();
        break;
      case State::kYamlElements:
        piece = next_yaml_elements();
        break;
      case State::kEnd:
        break;
    }
    if (piece) return piece;
  }
  return std::nullopt;
}

void Cutter::skip_to(std::size_t offset) {
  at_ = LineCounter(text_, offset_, at_).at(offset);
  offset_ = offset;
}

Piece Cutter::take(PieceKind kind, std::size_t end) {
  Piece piece{kind, offset_, end, at_, list_};
  skip_to(end);
  return piece;
}

Piece Cutter::doubt() {
  state_ = State::kEnd;
  return {PieceKind::kDoubt, offset_, text_.size(), at_, nullptr};
}

// Opens the list whose section or value starts at offset_ and whose elements start at `elements`.
// False if the parsers find no list there that can be cut.
bool Cutter::open_list(SectionKind format, std::size_t elements, std::uint32_t depth,
                       std::string_view after) {
  before_ = text_.substr(offset_, elements - offset_);
  if (format == SectionKind::kYaml) before_.append(indent_, ' ').append("- ");
  std::optional<ListHead> head = read_list_frame(format, before_, after, limits_);
  if (!head) return false;
  head->depth = depth;
  list_ = std::make_shared<const ListHead>(*std::move(head));
  skip_to(elements);
  return true;
}

std::optional<Piece> Cutter::next_sections() {
  if (offset_ >= text_.size()) {
    state_ = State::kEnd;
    return std::nullopt;
  }
  std::size_t end = offset_;
  while (end < text_.size() && end - offset_ < piece_bytes_) {
    const std::optional<std::size_t> section_end = find_short_section(end);
    if (!section_end && end == offset_) return long_section();
    if (!section_end) break;
    end = *section_end;
  }
  return take(PieceKind::kSections, end);
}

// The end of the section at `begin`, if it has no more than about piece_bytes_.
std::optional<std::size_t> Cutter::find_short_section(std::size_t begin) const {
  if (is_marker(text_, begin, "...")) return next_line(text_, begin);
  const std::size_t first = section_content(text_, begin);
  // Directives hold for the whole section, so it is not cut.
  if (first < text_.size() && text_[first] == '%') return section_at(text_, begin).end;
  const std::size_t to = begin + std::min(piece_bytes_ + 1, text_.size() - begin);
  const std::size_t end = find_section_end(text_, begin, to);
  if (end != kNowhere) return end;
  return to == text_.size() ? std::optional(to) : std::nullopt;
}

std::optional<Piece> Cutter::long_section() {
  const std::size_t first = section_content(text_, offset_);
  if (first == text_.size()) return take(PieceKind::kSections, first);
  if (!is_json(text_, first)) return long_yaml();
  skip_to(first);
  state_ = State::kJsonValues;
  return std::nullopt;
}

std::optional<Piece> Cutter::long_yaml() {
  const std::optional<std::size_t> end = clean_yaml_end();
  if (!end) return doubt();
  section_end_ = *end;
  const std::optional<YamlList> list = find_yaml_list();
  if (list) {
    indent_ = list->indent;
    if (open_list(SectionKind::kYaml, list->elements, list->depth, "\n")) {
      state_ = State::kYamlElements;
      return std::nullopt;
    }
  }
  return take(PieceKind::kSections, section_end_);
}

// The end of the section at offset_, if it has no byte that YAML forbids and nothing like a %TAG.
std::optional<std::size_t> Cutter::clean_yaml_end() const {
  for (std::size_t from = offset_; from < text_.size();) {
    std::size_t to = next_line(text_, from + std::min(kLookedThroughAtOnce, text_.size() - from));
    // A line starts at `from`. find_section_end() looks at lines that start behind its offset.
    const std::size_t end = find_section_end(text_, from == offset_ ? from : from - 1, to);
    if (end != kNowhere) to = end;
    const std::string_view seen = text_.substr(from, to - from);
    if (find_bad_byte(seen) || seen.find("%TAG") != kNowhere) return std::nullopt;
    forget_(seen);
    if (end != kNowhere) return end;
    from = to;
  }
  return text_.size();
}

// Elements at the root, or under an `items:` that starts a line.
std::optional<Cutter::YamlList> Cutter::find_yaml_list() const {
  const std::string_view section = text_.substr(0, section_end_);
  const std::size_t head_end = std::min(section_end_, offset_ + kMaxHead);
  const std::size_t content = section_content(section, offset_);
  std::uint32_t depth = 1;
  for (std::size_t line = offset_; line < head_end; line = next_line(section, line)) {
    const std::size_t first = section.find_first_not_of(' ', line);
    if (first == kNowhere) return std::nullopt;
    const bool may_start = depth == 2 || first == content;
    if (may_start && section[first] == '-' && section.substr(first + 1, 1) == " ") {
      return YamlList{line, first - line, depth};
    }
    // Between `items:` and its elements there is nothing but space and comments.
    if (depth == 2 && !is_blank(section, first) && section[first] != '#') return std::nullopt;
    if (section.substr(line, kItems.size()) == kItems && is_blank(section, line + kItems.size())) {
      depth = 2;
    }
  }
  return std::nullopt;
}

Piece Cutter::next_yaml_elements() {
  const std::string_view section = text_.substr(0, section_end_);
  std::size_t line = next_line(section, offset_);
  for (; line < section_end_; line = next_line(section, line)) {
    const Line kind = line_of_list(section, line, indent_);
    if (kind == Line::kBehind) break;
    if (kind == Line::kElement && line - offset_ >= piece_bytes_) {
      return take(PieceKind::kYamlElements, line);
    }
  }
  std::string after = "\n";
  after.append(section.substr(line));
  if (!read_list_frame(SectionKind::kYaml, before_, after, limits_)) return doubt();
  Piece piece = take(PieceKind::kYamlElements, line);
  skip_to(section_end_);
  state_ = State::kSections;
  return piece;
}

std::optional<Piece> Cutter::next_json_values() {
  std::size_t end = offset_;
  while (end < text_.size() && end - offset_ < piece_bytes_) {
    if (text_[end] != '{' && text_[end] != '[') break;
    const std::size_t to = end + std::min(piece_bytes_, text_.size() - end);
    const std::size_t value_end = json_value_end(text_.substr(0, to), end);
    if (value_end == kNowhere && end == offset_) return long_json_value();
    if (value_end == kNowhere) break;
    end = skip_space_and_comments(text_, value_end);
  }
  if (end > offset_) return take(PieceKind::kJsonValues, end);
  const bool section_ends =
      end == text_.size() || (is_marker(text_, end, "---") && text_[end - 1] == '\n');
  if (!section_ends) return doubt();
  state_ = State::kSections;
  return std::nullopt;
}

std::optional<Piece> Cutter::long_json_value() {
  const std::size_t list = find_json_list();
  if (list != kNowhere) {
    const std::size_t first = text_.find_first_not_of(" \t\r\n", list + 1);
    const bool at_root = list == offset_;
    if (first != kNowhere && text_[first] == '{' &&
        open_list(SectionKind::kJson, list + 1, at_root ? 1 : 2, at_root ? "]" : "]}")) {
      state_ = State::kJsonElements;
      return std::nullopt;
    }
  }
  const std::size_t end = json_value_end(text_, offset_);
  if (end == kNowhere) return doubt();
  return take(PieceKind::kJsonValues, skip_space_and_comments(text_, end));
}

// Where a list opens: the value at offset_ itself, or else its first member that is a list. In a
// Kubernetes list that is `items`.
std::size_t Cutter::find_json_list() const {
  if (text_[offset_] == '[') return offset_;
  const std::size_t to = offset_ + std::min(kMaxHead, text_.size() - offset_);
  std::size_t depth = 0;
  const std::size_t found = find_mark(text_.substr(0, to), offset_, [&](std::size_t at, Mark mark) {
    if (mark == Mark::kOpen) return ++depth == 2 && text_[at] == '[';
    return mark == Mark::kClose && --depth == 0;
  });
  return found != kNowhere && text_[found] == '[' ? found : kNowhere;
}

Piece Cutter::next_json_elements() {
  std::size_t depth = 0;
  const std::size_t stop = find_mark(text_, offset_, [&](std::size_t at, Mark mark) {
    if (mark == Mark::kComma) return depth == 0 && at - offset_ >= piece_bytes_;
    if (mark == Mark::kClose) return depth-- == 0;
    ++depth;
    return false;
  });
  if (stop == kNowhere) return doubt();
  if (text_[stop] != ',') return last_json_elements(stop);
  Piece piece = take(PieceKind::kJsonElements, stop);
  skip_to(stop + 1);
  return piece;
}

// `end`: the bracket that closes the list.
Piece Cutter::last_json_elements(std::size_t end) {
  std::size_t depth = list_->depth;
  const std::size_t last = find_mark(text_, end, [&](std::size_t, Mark mark) {
    if (mark == Mark::kOpen) ++depth;
    return mark == Mark::kClose && --depth == 0;
  });
  if (last == kNowhere ||
      !read_list_frame(SectionKind::kJson, before_, text_.substr(end, last + 1 - end), limits_)) {
    return doubt();
  }
  Piece piece = take(PieceKind::kJsonElements, end);
  skip_to(skip_space_and_comments(text_, last + 1));
  state_ = State::kJsonValues;
  return piece;
}

}  // namespace tessera::reader
