// SPDX-License-Identifier: Apache-2.0
#include "ingest/values/scalar.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>

namespace tessera::reader {
namespace {

// YAML 1.1 knows each word in lower case, capitalised and in upper case, no other mix.
struct Word {
  std::string_view spellings[3];
  Scalar meaning;
};

constexpr Word kWords[] = {
    {{"y", "Y", "y"}, {Type::kBool, "true"}},
    {{"n", "N", "n"}, {Type::kBool, "false"}},
    {{"yes", "Yes", "YES"}, {Type::kBool, "true"}},
    {{"no", "No", "NO"}, {Type::kBool, "false"}},
    {{"true", "True", "TRUE"}, {Type::kBool, "true"}},
    {{"false", "False", "FALSE"}, {Type::kBool, "false"}},
    {{"on", "On", "ON"}, {Type::kBool, "true"}},
    {{"off", "Off", "OFF"}, {Type::kBool, "false"}},
    {{"null", "Null", "NULL"}, {Type::kNull, ""}},
    {{"~", "", "~"}, {Type::kNull, ""}},
};

constexpr std::size_t kLongestWord = 5;
constexpr auto kMostNegative = std::uint64_t{1} << 63;
// A text that starts with any other character is a string.
constexpr std::string_view kFirstOfOther = "+-.0123456789yYnNtTfFoO~";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<Scalar> find_word(std::string_view text) {
  if (text.size() > kLongestWord) return std::nullopt;
  for (const Word& word : kWords) {
    for (const std::string_view spelling : word.spellings) {
      if (text == spelling) return word.meaning;
    }
  }
  return std::nullopt;
}

bool is_not_finite(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    const std::string_view rest = text.substr(1);
    return rest == ".inf" || rest == ".Inf" || rest == ".INF";
  }
  return text == ".inf" || text == ".Inf" || text == ".INF" || text == ".nan" || text == ".NaN" ||
         text == ".NAN";
}

// Reads an integer with its base prefix, from which underscores are removed. Decimal digits are not
// converted, so they may be of any length.
std::optional<Scalar> read_integer(std::string_view sign, std::string_view digits,
                                   std::string& buffer) {
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const char mark = digits[1];
    base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
    digits.remove_prefix(is_digit(mark) ? 1 : 2);
    if (base == 8 && !is_digit(mark) && mark != 'o' && mark != 'O') return std::nullopt;
  }
  if (digits.empty() || digits[0] == '-' || digits[0] == '+') return std::nullopt;
  const bool negative = sign == "-";
  if (base == 10) {
    if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
    buffer.assign(negative && digits != "0" ? "-" : "").append(digits);
    return Scalar{Type::kNumber, buffer};
  }
  std::uint64_t number = 0;
  const auto [end, status] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (status != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (negative && number > kMostNegative) return std::nullopt;
  buffer.assign(negative && number != 0 ? "-" : "").append(std::to_string(number));
  return Scalar{Type::kNumber, buffer};
}

// Turns [digits][.digits][e[sign]digits] into a JSON number: no leading zeros, digits at both sides
// of the point.
std::optional<Scalar> read_decimal(std::string_view sign, std::string_view text,
                                   std::string& buffer) {
  const auto take_digits = [&text] {
    const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
    const auto size = static_cast<std::size_t>(end - text.begin());
    const std::string_view taken = text.substr(0, size);
    text.remove_prefix(size);
    return taken;
  };
  std::string_view whole = take_digits();
  std::string_view fraction;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    fraction = take_digits();
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  std::string_view exponent = text;
  if (!text.empty()) {
    if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
    text.remove_prefix(1);
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
    if (take_digits().empty() || !text.empty()) return std::nullopt;
  }
  while (whole.size() > 1 && whole[0] == '0') whole.remove_prefix(1);

  buffer.assign(sign == "-" ? "-" : "").append(whole.empty() ? "0" : whole);
  if (!fraction.empty()) buffer.append(".").append(fraction);
  buffer.append(exponent);
  // Beyond a double's range the text is no number to kubectl, and no JSON number to its server.
  const double value = std::strtod(buffer.c_str(), nullptr);
  if (value > std::numeric_limits<double>::max() || value < std::numeric_limits<double>::lowest()) {
    return std::nullopt;
  }
  return Scalar{Type::kNumber, buffer};
}

std::optional<Scalar> read_number(std::string_view text, std::string& buffer) {
  if (text.empty()) return std::nullopt;
  std::string_view sign;
  if (text[0] == '+' || text[0] == '-') {
    sign = text.substr(0, 1);
    text.remove_prefix(1);
  }
  if (text.empty() || !(is_digit(text[0]) || text[0] == '.' || (text[0] == '_' && !sign.empty()))) {
    return std::nullopt;
  }
  std::string plain;
  if (text.find('_') != std::string_view::npos) {
    if (sign.empty() && text[0] == '.') return std::nullopt;
    std::copy_if(text.begin(), text.end(), std::back_inserter(plain),
                 [](char c) { return c != '_'; });
    text = plain;
  }
  if (auto integer = read_integer(sign, text, buffer)) return integer;
  return read_decimal(sign, text, buffer);
}

Scalar resolve_plain(std::string_view text, std::string& buffer) {
  if (!text.empty() && kFirstOfOther.find(text[0]) == std::string_view::npos) {
    return {Type::kString, text};
  }
  if (auto word = find_word(text)) return *word;
  if (auto number = read_number(text, buffer)) return *number;
  return {Type::kString, text};
}

const char* tag_name(ScalarTag tag) {
  switch (tag) {
    case ScalarTag::kNull:
      return "!!null";
    case ScalarTag::kBool:
      return "!!bool";
    case ScalarTag::kInt:
      return "!!int";
    case ScalarTag::kFloat:
      return "!!float";
    case ScalarTag::kPlain:
    case ScalarTag::kString:
      break;
  }
  return "!!str";
}

bool satisfies(const Scalar& scalar, ScalarTag tag) {
  switch (tag) {
    case ScalarTag::kNull:
      return scalar.type == Type::kNull;
    case ScalarTag::kBool:
      return scalar.type == Type::kBool;
    case ScalarTag::kInt:
      return scalar.type == Type::kNumber &&
             scalar.text.find_first_of(".eE") == std::string_view::npos;
    case ScalarTag::kFloat:
      return scalar.type == Type::kNumber;
    case ScalarTag::kPlain:
    case ScalarTag::kString:
      break;
  }
  return true;
}

}  // namespace

tl::expected<Scalar, std::string> resolve_scalar(std::string_view text, ScalarTag tag,
                                                 std::string& buffer) {
  if (tag == ScalarTag::kString) return Scalar{Type::kString, text};
  if (is_not_finite(text)) {
    return tl::unexpected<std::string>(std::string(text) +
                                       " is no number in JSON: quote it if a text is meant");
  }
  const Scalar scalar = resolve_plain(text, buffer);
  if (satisfies(scalar, tag)) return scalar;
  return tl::unexpected<std::string>("the value does not fit its tag " +
                                     std::string(tag_name(tag)));
}

bool is_null_text(std::string_view text) {
  const auto word = find_word(text);
  return word && word->type == Type::kNull;
}

}  // namespace tessera::reader
