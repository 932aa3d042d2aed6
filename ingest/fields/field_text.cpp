// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/field_text.h"

#include "topology/text/printable.h"

namespace tessera::ingest {
namespace {

constexpr std::size_t kMaxQuoted = 256;

}  // namespace

std::string quoted(std::string_view text) {
  std::string_view shown = text.substr(0, kMaxQuoted);
  // Never within a character of UTF-8.
  while (shown.size() < text.size() && (text[shown.size()] & 0xc0) == 0x80) shown.remove_suffix(1);
  std::string out = "\"";
  std::size_t from = 0;
  for (std::size_t at = 0; at <= shown.size(); ++at) {
    if (at < shown.size() && shown[at] != '"' && shown[at] != '\\') continue;
    out += printable(shown.substr(from, at - from));
    if (at < shown.size()) (out += '\\') += shown[at];
    from = at + 1;
  }
  if (shown.size() < text.size()) out += "...";
  return out + "\"";
}

std::string member(const std::string& path, std::string_view key) {
  return path + "[\"" + std::string(key) + "\"]";
}

std::string item(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

}  // namespace tessera::ingest
