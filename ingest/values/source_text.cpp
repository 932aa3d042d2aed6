// SPDX-License-Identifier: Apache-2.0
#include "ingest/values/source_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace tessera::reader {
namespace {

// The smallest code point of each length in bytes. UTF-8 forbids to write a smaller one in as many
// bytes.
constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};

// A bit, and the highest bit, of each of eight bytes.
constexpr std::uint64_t kOnes = 0x0101010101010101u;
constexpr std::uint64_t kHigh = 0x8080808080808080u;

unsigned byte_at(std::string_view text, std::size_t offset) {
  return static_cast<unsigned char>(text[offset]);
}

bool is_continuation(unsigned byte) { return (byte & 0xC0u) == 0x80u; }

// Length of the well-formed UTF-8 character at `offset` and its code point; length 0 if no such
// character is there.
struct Character {
  std::size_t size = 0;
  std::uint32_t code = 0;
};

Character decode(std::string_view text, std::size_t offset) {
  const unsigned lead = byte_at(text, offset);
  if (lead < 0x80u) return {1, lead};
  const std::size_t size = lead >= 0xF0u ? 4 : lead >= 0xE0u ? 3 : 2;
  if (lead < 0xC2u || lead > 0xF4u || text.size() - offset < size) return {};
  std::uint32_t code = lead & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const unsigned byte = byte_at(text, offset + i);
    if (!is_continuation(byte)) return {};
    code = (code << 6) | (byte & 0x3Fu);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[size] || code > 0x10FFFF || surrogate) return {};
  return {size, code};
}

// YAML 1.1, 5.1: c-printable, which leaves out most control characters and two non-characters.
bool is_printable(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  if (code < 0x7F) return true;
  if (code < 0xA0) return code == 0x85;
  return code != 0xFFFE && code != 0xFFFF;
}

std::uint64_t load(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// Marks at least the first byte of `word` that is zero, and none if none is.
std::uint64_t zero_bytes(std::uint64_t word) { return (word - kOnes) & ~word & kHigh; }

// True if none of eight bytes is a control character, DEL or beyond ASCII. \n and \t count as
// control characters here: they take the slow path.
bool plain_ascii(const char* bytes) {
  const std::uint64_t word = load(bytes);
  const std::uint64_t below_space = (word - kOnes * 0x20u) & ~word;
  const std::uint64_t del = zero_bytes(word ^ (kOnes * 0x7Fu));
  return ((word | below_space | del) & kHigh) == 0;
}

}  // namespace

Position LineCounter::at(std::size_t offset) {
  const std::size_t end = std::min(offset, text_.size());
  while (offset_ < end) {
    if (end - offset_ >= 8) {
      const std::uint64_t word = load(text_.data() + offset_);
      if (((word & kHigh) | zero_bytes(word ^ (kOnes * std::uint64_t{'\n'}))) == 0) {
        offset_ += 8;
        position_.column += 8;
        continue;
      }
    }
    const char c = text_[offset_++];
    if (c == '\n') {
      ++position_.line;
      position_.column = 1;
    } else if (!is_continuation(static_cast<unsigned char>(c))) {
      ++position_.column;
    }
  }
  return position_;
}

std::optional<BadByte> find_bad_byte(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    if (text.size() - offset >= 8 && plain_ascii(text.data() + offset)) {
      offset += 8;
      continue;
    }
    const Character character = decode(text, offset);
    char shown[64];
    if (character.size == 0) {
      std::snprintf(shown, sizeof shown, "byte 0x%02X is not UTF-8: save the file as UTF-8",
                    byte_at(text, offset));
      return BadByte{offset, shown};
    }
    if (!is_printable(character.code)) {
      std::snprintf(shown, sizeof shown, "control character U+%04X: YAML is text without them",
                    static_cast<unsigned>(character.code));
      return BadByte{offset, shown};
    }
    offset += character.size;
  }
  return std::nullopt;
}

const char* wide_encoding(std::string_view text) {
  if (text.size() < 2) return nullptr;
  const unsigned first = byte_at(text, 0), second = byte_at(text, 1);
  const bool third_is_zero = text.size() >= 3 && text[2] == '\0';
  if (first == 0xFF && second == 0xFE) return third_is_zero ? "UTF-32" : "UTF-16";
  if (first == 0xFE && second == 0xFF) return "UTF-16";
  // Without a byte order mark, ASCII text in UTF-16 has a zero in every other byte, in UTF-32 in
  // three of four.
  if (first == 0 && second == 0) return text.size() >= 4 && text[3] != '\0' ? "UTF-32" : nullptr;
  if (first == 0 && second < 0x80) return text.size() % 2 == 0 ? "UTF-16" : nullptr;
  if (second == 0 && first != 0 && first < 0x80 && text.size() >= 4) {
    return third_is_zero ? "UTF-32" : text[3] == '\0' ? "UTF-16" : nullptr;
  }
  return nullptr;
}

}  // namespace tessera::reader
