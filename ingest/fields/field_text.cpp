// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/field_text.h"

namespace tessera::ingest {
namespace {

constexpr std::size_t kMaxQuoted = 256;

}  // namespace

std::string quoted(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text.substr(0, kMaxQuoted)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  if (text.size() > kMaxQuoted) out += "...";
  return out + "\"";
}

std::string member(const std::string& path, std::string_view key) {
  return path + "[\"" + std::string(key) + "\"]";
}

std::string item(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

}  // namespace tessera::ingest
