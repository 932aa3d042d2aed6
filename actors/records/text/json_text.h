// SPDX-License-Identifier: Apache-2.0
// JsonText: appends the parts of a JSON text to a string: brackets, numbers, texts with what JSON
// demands escaped.
//
// For one text, in one thread. The string is complete when the JsonText is destroyed; nobody else
// may touch the string before. Allocates nothing but the string. Texts are UTF-8 and go in as they
// are. Does not check that the parts make a JSON text: TextWriter does.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tessera::core {

class JsonText {
 public:
  explicit JsonText(std::string& text) : text_(&text), at_(text.data() + text.size()), end_(at_) {}
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;
  ~JsonText() { text_->resize(size()); }

  void put(char c) {
    need(1);
    *at_++ = c;
  }
  void put(std::string_view raw) {
    need(raw.size());
    std::memcpy(at_, raw.data(), raw.size());
    at_ += raw.size();
  }
  /// Ends an object or a list. The bracket replaces the comma after the last part, if there is one.
  void close(char bracket) {
    if (at_[-1] == ',') {
      at_[-1] = bracket;
    } else {
      put(bracket);
    }
  }
  template <class Number>
  void number(Number number) {
    constexpr std::size_t kLongest = 20;
    need(kLongest);
    at_ = std::to_chars(at_, at_ + kLongest, number).ptr;
  }
  void text(std::string_view value) {
    constexpr std::size_t kWord = 8;
    need(value.size() + 2);
    *at_++ = '"';
    const char* from = value.data();
    const char* const to = from + value.size();
    for (; to - from >= static_cast<std::ptrdiff_t>(kWord); from += kWord) {
      std::uint64_t word = 0;
      std::memcpy(&word, from, kWord);
      if (has_escapes(word)) break;
      std::memcpy(at_, from, kWord);
      at_ += kWord;
    }
    for (; from != to; ++from) write_char(*from, static_cast<std::size_t>(to - from));
    *at_++ = '"';
  }

  std::size_t size() const { return static_cast<std::size_t>(at_ - text_->data()); }
  bool ends_in(std::string_view two) const { return at_[-2] == two[0] && at_[-1] == two[1]; }
  /// Cuts the text back to a size that it had before.
  void cut(std::size_t size) { at_ = text_->data() + size; }

 private:
  /// `left`: characters of the text from here on. Afterwards there is still room for the rest and
  /// the closing quote.
  void write_char(char c, std::size_t left) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && c != '"' && c != '\\') [[likely]] {
      *at_++ = c;
      return;
    }
    constexpr std::size_t kLongest = 6;
    need(kLongest + left);
    *at_++ = '\\';
    if (byte >= 0x20) {
      *at_++ = c;
      return;
    }
    put("u00");
    *at_++ = kDigits[byte >> 4];
    *at_++ = kDigits[byte & 15];
  }

  /// True if one of eight characters is below 0x20, a quote or a backslash. It may also be true if
  /// one is beyond ASCII.
  static bool has_escapes(std::uint64_t word) {
    constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
    const auto zero = [](std::uint64_t w) { return (w - kOnes) & ~w & kHighs; };
    const std::uint64_t low = (word - kOnes * 0x20) & ~word & kHighs;
    return (low | zero(word ^ (kOnes * '"')) | zero(word ^ (kOnes * '\\'))) != 0;
  }

  void need(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]]
      grow(bytes);
  }
  void grow(std::size_t bytes) {
    constexpr std::size_t kLeast = 4096;
    const std::size_t used = size();
    text_->resize(2 * used + bytes + kLeast);
    at_ = text_->data() + used;
    end_ = text_->data() + text_->size();
  }

  std::string* text_;
  char* at_;   // behind what is written
  char* end_;  // behind the room for more
};

}  // namespace tessera::core
