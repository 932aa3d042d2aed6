// SPDX-License-Identifier: Apache-2.0
// TextWriter: appends values to a text as canonical JSON: sorted keys, whole numbers, no white
// space, defaults left out (record_text.h).
//
// One use, one thread: the text is complete when the writer is gone. Takes no memory but the
// text's. Texts of values are UTF-8 and go in as they are; only what JSON demands is escaped.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "actors/records/fields.h"
#include "actors/records/input_fields.h"

namespace tessera::core {

/// Which fields are written: all, or those that a cycle decided.
enum class TextPart { kWhole, kDecisions };

template <TextPart part>
class TextWriter {
 public:
  explicit TextWriter(std::string& text)
      : text_(&text), at_(text.data() + text.size()), end_(at_) {}
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;
  ~TextWriter() { text_->resize(size()); }

  /// An object; what `close` ends with.
  template <HasFields T>
  void write(const T& value) {
    put('{');
    write_fields(value);
    close('}');
  }

  template <HasFields T>
  void write_fields(const T& value) {
    for_each_field<T>([&](const auto& field) {
      using F = std::remove_cvref_t<decltype(field)>;
      if constexpr (part == TextPart::kDecisions && !F::kDecided) return;
      write_field(field.quoted_key(), value.*field.member, field.otherwise);
    });
  }

  void put(char c) {
    need(1);
    *at_++ = c;
  }
  void put(std::string_view raw) {
    need(raw.size());
    std::memcpy(at_, raw.data(), raw.size());
    at_ += raw.size();
  }
  /// Ends an object or a list: in place of the comma after its last part, if it has one.
  void close(char bracket) {
    if (at_[-1] == ',') {
      at_[-1] = bracket;
    } else {
      put(bracket);
    }
  }

 private:
  template <class M>
  void write_field(std::string_view key, const M& value, const DefaultOf<M>& otherwise) {
    if constexpr (std::is_arithmetic_v<M> || std::is_enum_v<M>) {
      if (value == otherwise) return;
    } else if constexpr (HasFields<M>) {
      write_object_field(key, value);
      return;
    } else {
      if (is_absent(value)) return;
    }
    put(key);
    write(value);
    put(',');
  }

  /// Left out if all of it is.
  template <HasFields M>
  void write_object_field(std::string_view key, const M& value) {
    const std::size_t before = size();
    put(key);
    write(value);
    if (at_[-2] == '{') {
      at_ = text_->data() + before;
    } else {
      put(',');
    }
  }

  static bool is_absent(const std::array<std::uint8_t, 32>& hash) {
    return hash == std::array<std::uint8_t, 32>{};
  }
  template <class M>
  static bool is_absent(const std::optional<M>& value) {
    return !value;
  }
  template <class M>
  static bool is_absent(const std::shared_ptr<M>& value) {
    return !value;
  }
  template <class M>
  static bool is_absent(const M& value) {
    return value.empty();
  }

  template <class M>
  requires std::is_integral_v<M>
  void write(M number) {
    if constexpr (std::is_same_v<M, bool>) {
      put(number ? std::string_view("true") : std::string_view("false"));
    } else {
      constexpr std::size_t kLongest = 20;
      need(kLongest);
      at_ = std::to_chars(at_, at_ + kLongest, number).ptr;
    }
  }
  template <class E>
  requires std::is_enum_v<E>
  void write(E value) {
    if constexpr (HasNames<E>) {
      put('"');
      put(name_of(value));
      put('"');
    } else {
      write(static_cast<std::underlying_type_t<E>>(value));
    }
  }
  void write(Symbol symbol) { write(symbol.view()); }
  void write(const std::string& value) { write(std::string_view(value)); }
  void write(std::string_view value) {
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

  /// `left`: characters of the text from here on; room for them and the quote stays.
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

  /// True if one of eight characters is below 0x20, a quote or a backslash; of others, it may be
  /// true when one is beyond ASCII.
  static bool has_escapes(std::uint64_t word) {
    constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
    const auto zero = [](std::uint64_t w) { return (w - kOnes) & ~w & kHighs; };
    const std::uint64_t low = (word - kOnes * 0x20) & ~word & kHighs;
    return (low | zero(word ^ (kOnes * '"')) | zero(word ^ (kOnes * '\\'))) != 0;
  }

  template <class M>
  void write(const std::optional<M>& value) {
    write(*value);
  }
  template <class M>
  void write(const std::shared_ptr<M>& value) {
    write(*value);
  }
  template <class M>
  void write(const std::vector<M>& list) {
    put('[');
    for (const M& each : list) {
      write(each);
      put(',');
    }
    close(']');
  }
  void write(const std::pair<Symbol, Symbol>& pair) {
    put('[');
    write(pair.first);
    put(',');
    write(pair.second);
    put(']');
  }
  template <class M>
  void write_entry(std::string_view key, const M& value) {
    write(key);
    put(':');
    write(value);
    put(',');
  }
  void write(const std::map<std::string, std::vector<std::string>>& map) {
    put('{');
    for (const auto& [key, list] : map) write_entry(key, list);
    close('}');
  }
  void write(const topology::Labels& labels) {
    std::map<std::string_view, Symbol> sorted;  // their own order is not that of the texts
    for (const auto& [key, value] : labels) sorted.emplace(key.view(), value);
    put('{');
    for (const auto& [key, value] : sorted) write_entry(key, value);
    close('}');
  }
  void write(const Amounts& amounts) {
    put('{');
    for (const topology::Amount& amount : amounts) {
      write_entry(amount.resource.view(), amount.value);
    }
    close('}');
  }
  void write(const ResourceFlavors& flavors) {
    put('{');
    for (const auto& [resource, flavor] : flavors) write_entry(resource.view(), flavor);
    close('}');
  }
  /// Each domain a list: its values, then its pods.
  void write(const DomainList& domains) {
    put('[');
    for (const DomainList::Domain domain : domains) {
      put('[');
      for (const Symbol value : domain.values) {
        write(value);
        put(',');
      }
      write(domain.pods);
      put("],");
    }
    close(']');
  }
  void write(const std::array<std::uint8_t, 32>& hash) { write(hash_text(hash)); }
  /// An object with one key, the name of what the input is.
  void write(const Input& input) {
    std::visit(
        [this]<class T>(const T& value) {
          put('{');
          write_entry(kInputName<T>, value);
          close('}');
        },
        input);
  }

  std::size_t size() const { return static_cast<std::size_t>(at_ - text_->data()); }
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
