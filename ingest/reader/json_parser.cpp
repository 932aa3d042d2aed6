// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/json_parser.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace tessera::reader {
namespace {

using Json = nlohmann::json;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// nlohmann's message without its position and without the input that it quotes, which may be long
// or not UTF-8.
std::string plain_message(std::string text) {
  const std::size_t last_read = text.find("; last read: ");
  if (last_read != std::string::npos) text.resize(last_read);
  for (const std::string_view intro : {"] ", "parse error at ", ": ", "syntax error "}) {
    const std::size_t at = text.find(intro);
    if (at == std::string::npos) break;
    text.erase(0, at + intro.size());
  }
  const std::size_t dash = text.find(" - ");
  if (dash != std::string::npos) text.replace(dash, 3, ": ");
  return "malformed JSON " + text;
}

// Follows the tokens in the text. Only white space, ',' and ':' can stand between the end of one
// event's token and the start of the next.
class Events {
 public:
  Events(std::string_view text, std::size_t offset, LineCounter& lines, ListSplitter& out)
      : text_(text), start_(offset), cursor_(offset), lines_(lines), out_(out) {}

  std::size_t cursor() const { return cursor_; }

  bool null() { return literal(Type::kNull, "", 4); }
  bool boolean(bool value) {
    return value ? literal(Type::kBool, "true", 4) : literal(Type::kBool, "false", 5);
  }
  bool number_integer(Json::number_integer_t) { return number(); }
  bool number_unsigned(Json::number_unsigned_t) { return number(); }
  bool number_float(Json::number_float_t, const std::string&) { return number(); }
  bool string(std::string& value) {
    const Position at = start_of_token();
    skip_string();
    return out_.scalar(Type::kString, value, at);
  }
  bool key(std::string& name) {
    const Position at = start_of_token();
    skip_string();
    return out_.key(name, at);
  }
  bool start_object(std::size_t) { return begin(Type::kMap); }
  bool start_array(std::size_t) { return begin(Type::kSequence); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool binary(Json::binary_t&) { return false; }  // never sent for JSON text

  // `read` counts the bytes taken from start_. The last of them showed the error. At the end of
  // input `read` is one larger.
  bool parse_error(std::size_t read, const std::string&, const Json::exception& problem) {
    const std::string what = problem.what();
    std::size_t place = std::min(start_ + (read > 0 ? read - 1 : 0), text_.size());
    if (place < text_.size() && text_[place] == '\0') {  // to nlohmann a NUL is the end of input
      return out_.refuse(ErrorCode::kInvalidInput, "NUL byte: the input is no text",
                         lines_.at(place));
    }
    if (place == text_.size() && what.find("unexpected end of input") != std::string::npos) {
      while (place > cursor_ && is_space(text_[place - 1])) --place;
      cursor_ = place;
    } else if (inside_string(what)) {
      cursor_ = place;
    } else {
      cursor_ = std::min(cursor_, place);  // number() takes "01" for one token
      while (cursor_ < place && is_separator(text_[cursor_])) ++cursor_;
    }
    return out_.refuse(ErrorCode::kInvalidInput, plain_message(what), lines_.at(cursor_));
  }

 private:
  static bool is_separator(char c) { return is_space(c) || c == ',' || c == ':'; }

  // An error inside a string is reported at the wrong byte, not where the string opens, unless the
  // string never closes.
  static bool inside_string(const std::string& what) {
    return what.find("invalid string") != std::string::npos &&
           what.find("missing closing quote") == std::string::npos;
  }

  Position start_of_token() {
    while (cursor_ < text_.size() && is_separator(text_[cursor_])) ++cursor_;
    return lines_.at(cursor_);
  }

  void skip_string() {
    ++cursor_;
    while (text_[cursor_] != '"') cursor_ += text_[cursor_] == '\\' ? 2 : 1;
    ++cursor_;
  }

  bool literal(Type type, std::string_view meaning, std::size_t size) {
    const Position at = start_of_token();
    cursor_ += size;
    return out_.scalar(type, meaning, at);
  }

  // Keeps the number as written: a converted value would lose digits.
  bool number() {
    const Position at = start_of_token();
    const std::size_t begin = cursor_;
    cursor_ = std::min(text_.find_first_not_of("0123456789+-.eE", begin), text_.size());
    return out_.scalar(Type::kNumber, text_.substr(begin, cursor_ - begin), at);
  }

  bool begin(Type type) {
    const Position at = start_of_token();
    ++cursor_;
    return out_.begin(type, at);
  }

  bool end() {
    start_of_token();
    ++cursor_;
    return out_.end();
  }

  const std::string_view text_;
  const std::size_t start_;
  std::size_t cursor_;  // behind the last token
  LineCounter& lines_;
  ListSplitter& out_;
};

}  // namespace

JsonOutcome parse_json(std::string_view text, std::size_t offset, LineCounter& lines,
                       ListSplitter& out) {
  Events events(text, offset, lines, out);
  const bool complete = Json::sax_parse(text.data() + offset, text.data() + text.size(), &events,
                                        Json::input_format_t::json, /*strict=*/false);
  JsonOutcome outcome{events.cursor(), std::nullopt};
  if (!complete) outcome.error = out.take_error();
  return outcome;
}

}  // namespace tessera::reader
