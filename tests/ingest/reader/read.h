// SPDX-License-Identifier: Apache-2.0
// Test support: what a Sink was given, as text that a failing test prints well.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader/reader.h"

namespace tessera::reader {

inline constexpr std::string_view kHex = "0123456789abcdef";

inline void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15u];
    } else {
      out += c;
    }
  }
  out += '"';
}

/// The tree as JSON without spaces, in input order.
inline void append_json(std::string& out, Value value) {
  switch (value.type()) {
    case Type::kNull:
      out += "null";
      return;
    case Type::kBool:
    case Type::kNumber:
      out += value.text();
      return;
    case Type::kString:
      append_quoted(out, value.text());
      return;
    case Type::kMap:
    case Type::kSequence:
      break;
  }
  const bool is_map = value.is(Type::kMap);
  out += is_map ? '{' : '[';
  for (Value entry = value.first(); entry; entry = entry.next()) {
    if (out.back() != '{' && out.back() != '[') out += ',';
    if (is_map) {
      append_quoted(out, entry.key());
      out += ':';
    }
    append_json(out, entry);
  }
  out += is_map ? '}' : ']';
}

inline std::string to_json(Value value) {
  std::string out;
  append_json(out, value);
  return out;
}

/// Keeps each object as JSON, with "apiVersion/kind: " of its list before it, and each error as its
/// text.
class Collected : public Sink {
 public:
  void object(const Object& object) override {
    std::string list;
    if (!object.list_api_version.empty() || !object.list_kind.empty()) {
      list = std::string(object.list_api_version) + "/" + std::string(object.list_kind) + ": ";
    }
    objects.push_back(list + to_json(object.root));
    files.emplace_back(object.file);
  }
  void error(Error error) override {
    errors.push_back(error.text());
    codes.push_back(error.code);
  }

  std::vector<std::string> objects, files, errors;
  std::vector<ErrorCode> codes;
};

inline Collected read(std::string_view text, const Limits& limits = {}) {
  Collected collected;
  read_text(text, "f", limits, collected);
  return collected;
}

/// Name of a case of a data table as gtest allows it: "octal, old form" gives octal__old_form.
template <class Info>
std::string case_name(const Info& info) {
  std::string name = info.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

}  // namespace tessera::reader
