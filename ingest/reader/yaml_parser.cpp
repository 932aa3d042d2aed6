// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/yaml_parser.h"

#include <yaml.h>

#include <algorithm>
#include <string>

#include "ingest/reader/yaml_composer.h"
#include "ingest/values/source_text.h"

namespace tessera::reader {
namespace {

constexpr std::string_view kYamlTag = "tag:yaml.org,2002:";

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

// Owns one event: libyaml allocates its texts.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event_); }
  yaml_event_t* get() { return &event_; }
  const yaml_event_t* operator->() const { return &event_; }

 private:
  yaml_event_t event_{};
};

// What the text holds: whole documents, or elements of a list that is open already.
enum class Content { kDocuments, kElements };

class Parser {
 public:
  Parser(std::string_view text, std::uint32_t first_line, Content content, const Limits& limits,
         ListSplitter& out)
      : text_(text), first_line_(first_line), content_(content), out_(out), composer_(limits, out) {
    ready_ = yaml_parser_initialize(&parser_) != 0;
    if (!ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() {
    if (ready_) yaml_parser_delete(&parser_);
  }

  std::optional<Error> run() {
    while (ready_) {
      Event event;
      if (yaml_parser_parse(&parser_, event.get()) == 0) {
        refuse_syntax();
        break;
      }
      if (event->type == YAML_STREAM_END_EVENT) {
        at_end_ = true;
        break;
      }
      if (!(content_ == Content::kElements ? take_in_list(event) : take(event))) break;
    }
    if (!ready_) out_.refuse(ErrorCode::kLimit, "out of memory", {first_line_, 1});
    return out_.take_error();
  }

  bool run_part() {
    if (run() || !at_end_ || has_repeats_) return false;
    const auto breaks = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'));
    return text_.back() != '\n' || parser_.mark.line == breaks;
  }

 private:
  Position position(const yaml_mark_t& mark) const {
    return {first_line_ + static_cast<std::uint32_t>(mark.line),
            static_cast<std::uint32_t>(mark.column) + 1};
  }

  bool take(const Event& event) {
    const Position at = position(event->start_mark);
    switch (event->type) {
      case YAML_DOCUMENT_START_EVENT:
        composer_.reset();
        return true;
      case YAML_DOCUMENT_END_EVENT:
        has_repeats_ = has_repeats_ || composer_.has_repeats();
        if (content_ == Content::kDocuments) out_.finish();
        return true;
      case YAML_SCALAR_EVENT:
        return take_scalar(event, at);
      case YAML_MAPPING_START_EVENT:
        return fits_tag(event->data.mapping_start.tag, "tag:yaml.org,2002:map", at) &&
               composer_.begin(Type::kMap, view(event->data.mapping_start.anchor), at);
      case YAML_SEQUENCE_START_EVENT:
        return fits_tag(event->data.sequence_start.tag, "tag:yaml.org,2002:seq", at) &&
               composer_.begin(Type::kSequence, view(event->data.sequence_start.anchor), at);
      case YAML_MAPPING_END_EVENT:
      case YAML_SEQUENCE_END_EVENT:
        return composer_.end(at);
      case YAML_ALIAS_EVENT:
        return composer_.alias(view(event->data.alias.anchor), at);
      case YAML_NO_EVENT:
      case YAML_STREAM_START_EVENT:
      case YAML_STREAM_END_EVENT:
        break;
    }
    return true;
  }

  // The outermost list is the one that `out_` has open already.
  bool take_in_list(const Event& event) {
    switch (event->type) {
      case YAML_SEQUENCE_START_EVENT:
        return depth_++ == 0 ? event->data.sequence_start.style == YAML_BLOCK_SEQUENCE_STYLE
                             : take(event);
      case YAML_MAPPING_START_EVENT:
        return depth_++ != 0 && take(event);
      case YAML_MAPPING_END_EVENT:
      case YAML_SEQUENCE_END_EVENT:
        return --depth_ == 0 || take(event);
      case YAML_SCALAR_EVENT:
      case YAML_ALIAS_EVENT:
        return depth_ != 0 && take(event);
      default:
        return take(event);
    }
  }

  bool take_scalar(const Event& event, Position at) {
    const auto& scalar = event->data.scalar;
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const auto tag = scalar_tag(view(scalar.tag), scalar.style == YAML_PLAIN_SCALAR_STYLE);
    if (!tag) return refuse_tag(view(scalar.tag), at);
    return composer_.scalar(text, *tag, view(scalar.anchor), at);
  }

  static std::optional<ScalarTag> scalar_tag(std::string_view tag, bool plain) {
    if (tag.empty()) return plain ? ScalarTag::kPlain : ScalarTag::kString;
    if (tag == "!") return ScalarTag::kString;
    if (tag.substr(0, kYamlTag.size()) != kYamlTag) return std::nullopt;
    tag.remove_prefix(kYamlTag.size());
    if (tag == "str" || tag == "timestamp") return ScalarTag::kString;
    if (tag == "null") return ScalarTag::kNull;
    if (tag == "bool") return ScalarTag::kBool;
    if (tag == "int") return ScalarTag::kInt;
    if (tag == "float") return ScalarTag::kFloat;
    if (tag == "merge" && plain) return ScalarTag::kPlain;
    return std::nullopt;
  }

  bool fits_tag(const yaml_char_t* tag, std::string_view expected, Position at) {
    return tag == nullptr || view(tag) == expected || view(tag) == "!" || refuse_tag(view(tag), at);
  }

  bool refuse_tag(std::string_view tag, Position at) {
    const std::string shown = tag.substr(0, kYamlTag.size()) == kYamlTag
                                  ? "!!" + std::string(tag.substr(kYamlTag.size()))
                                  : std::string(tag);
    return out_.refuse(ErrorCode::kInvalidInput,
                       "tag " + shown +
                           " is not known here: leave it out, or use !!str, !!int, !!float, "
                           "!!bool, !!null, !!map or !!seq",
                       at);
  }

  void refuse_syntax() {
    if (parser_.error == YAML_MEMORY_ERROR) {
      out_.refuse(ErrorCode::kLimit, "out of memory", position(parser_.mark));
      return;
    }
    const std::string_view problem = parser_.problem == nullptr ? "unreadable" : parser_.problem;
    const std::size_t place = offset(parser_.problem_mark);
    std::string message = "malformed YAML: ";
    if (problem == "found character that cannot start any token" && place < text_.size() &&
        text_[place] == '\t') {
      message += "a tab cannot indent YAML: use spaces";
    } else {
      message += problem;
      if (parser_.context != nullptr) message += " " + std::string(parser_.context);
      if (parser_.context != nullptr && parser_.context_mark.line != parser_.problem_mark.line) {
        message += " that starts in line " + std::to_string(position(parser_.context_mark).line);
      }
    }
    out_.refuse(ErrorCode::kInvalidInput, message,
                place < text_.size() ? position(parser_.problem_mark) : end_position());
  }

  // libyaml's marks count characters, not bytes.
  std::size_t offset(const yaml_mark_t& mark) const {
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if ((static_cast<unsigned char>(text_[i]) & 0xC0u) == 0x80u) continue;
      if (characters++ == mark.index) return i;
    }
    return text_.size();
  }

  // The position behind the last character that is not white space. At the end of the text libyaml
  // counts a line that does not exist.
  Position end_position() const {
    Position at = LineCounter(text_).at(text_.find_last_not_of(" \t\r\n") + 1);
    at.line += first_line_ - 1;
    return at;
  }

  const std::string_view text_;
  const std::uint32_t first_line_;
  const Content content_;
  ListSplitter& out_;
  YamlComposer composer_;
  yaml_parser_t parser_{};
  bool ready_ = false, at_end_ = false;
  bool has_repeats_ = false;
  std::size_t depth_ = 0;  // containers open; counted for Content::kElements only
};

}  // namespace

std::optional<Error> parse_yaml(std::string_view text, std::uint32_t first_line,
                                const Limits& limits, ListSplitter& out) {
  return Parser(text, first_line, Content::kDocuments, limits, out).run();
}

bool parse_yaml_frame(std::string_view text, const Limits& limits, ListSplitter& out) {
  return Parser(text, 1, Content::kDocuments, limits, out).run_part();
}

bool parse_yaml_elements(std::string_view text, std::uint32_t first_line, const Limits& limits,
                         ListSplitter& out) {
  return Parser(text, first_line, Content::kElements, limits, out).run_part();
}

}  // namespace tessera::reader
