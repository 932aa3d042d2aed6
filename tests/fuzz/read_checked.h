// SPDX-License-Identifier: Apache-2.0
// What must hold for any input of the reader, for the fuzz targets: it ends, every error has a
// place in the input, limits hold, and each object it hands over, printed as JSON, reads back as
// the same object.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/ingest/reader/read.h"

namespace tessera::reader {

// Small enough for the fuzzer to reach every cap with short inputs.
inline Limits fuzz_limits() {
  Limits limits;
  limits.max_depth = 16;
  limits.max_alias_nodes = 1000;
  limits.max_object_bytes = 4096;
  limits.max_nodes = 500;
  limits.max_errors = 10;
  return limits;
}

inline void demand(bool holds) {
  if (!holds) std::abort();
}

class Checked : public Sink {
 public:
  explicit Checked(std::string_view text)
      : lines_(static_cast<std::uint32_t>(1 + std::count(text.begin(), text.end(), '\n'))) {}

  void object(const Object& object) override {
    demand(object.root.is(Type::kMap));
    const Collected again = read("{\"kind\":\"List\",\"items\":[" + to_json(object.root) + "]}");
    demand(again.errors.empty() && again.objects.size() == 1);
    demand(again.objects[0] == "/List: " + to_json(object.root));
  }

  void error(Error error) override {
    demand(error.where.line >= 1 && error.where.column >= 1);
    demand(breaks_lines_otherwise_ || error.where.line <= static_cast<int>(lines_));
    demand(++errors_ <= fuzz_limits().max_errors + 1);
  }

  /// YAML also ends lines at a lone carriage return and at three Unicode characters.
  void allow_more_lines() { breaks_lines_otherwise_ = true; }

 private:
  std::uint32_t lines_;
  std::uint32_t errors_ = 0;
  bool breaks_lines_otherwise_ = false;
};

inline void read_checked(std::string_view text) {
  Checked sink(text);
  for (const std::string_view line_end : {"\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    if (text.find(line_end) != std::string_view::npos) sink.allow_more_lines();
  }
  read_text(text, "input", fuzz_limits(), sink);
}

}  // namespace tessera::reader
