// SPDX-License-Identifier: Apache-2.0
#include "topology/text/printable.h"

#include <algorithm>
#include <cstdint>

namespace tessera {
namespace {

constexpr char kHex[] = "0123456789abcdef";

/// A character of UTF-8 at the front of a text. `bytes` 0: the first byte begins no character.
struct Decoded {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 && lead < 0xf5   ? 4
                            : lead >= 0xe0 && lead < 0xf0 ? 3
                            : lead >= 0xc2 && lead < 0xe0 ? 2
                                                          : 0;
  if (bytes == 0 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff ? Decoded{} : Decoded{code, bytes};
}

/// The control characters above ASCII: C1, marks of direction, breaks of lines, the byte order
/// mark.
bool is_wide_control(std::uint32_t code) {
  return (code >= 0x80 && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHex[value >> shift & 15];
}

/// ASCII without control characters, whether a char has a sign or not.
bool is_plain(char c) { return c >= 0x20 && c < 0x7f; }

}  // namespace

std::string printable(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) {
    return std::string(text);
  }
  std::string out;
  out.reserve(text.size() + 16);
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (next.bytes == 0 || next.code < 0x20 || next.code == 0x7f) {
      out += "\\x";
      append_hex(out, static_cast<unsigned char>(text[0]), 2);
    } else if (is_wide_control(next.code)) {
      out += "\\u";
      append_hex(out, next.code, 4);
    } else {
      out += text.substr(0, next.bytes);
    }
    text.remove_prefix(std::max<std::size_t>(1, next.bytes));
  }
  return out;
}

std::string escape_json(std::string json) {
  const auto strange = [](char c) { return static_cast<unsigned char>(c) >= 0x7f; };
  if (std::none_of(json.begin(), json.end(), strange)) return json;
  std::string out;
  out.reserve(json.size() + 16);
  for (std::string_view left = json; !left.empty();) {
    const Decoded next = decode(left);
    const std::size_t bytes = std::max<std::size_t>(1, next.bytes);
    if (next.bytes > 0 && (next.code == 0x7f || is_wide_control(next.code))) {
      out += "\\u";
      append_hex(out, next.code, 4);
    } else {
      out += left.substr(0, bytes);
    }
    left.remove_prefix(bytes);
  }
  return out;
}

}  // namespace tessera
