// SPDX-License-Identifier: Apache-2.0
// TextReader: reads a text, or a stretch of whole documents in it, into objects, in order and on
// one thread. piece_reader must hand over the same objects and errors.
//
// Called by reader.cpp for the whole text, by piece_reader for pieces. An error ends no more than
// its section (JSON lines: its line); Limits::max_errors ends the reading. Positions count from the
// start of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ingest/reader/limits.h"
#include "ingest/reader/list_splitter.h"
#include "ingest/reader/section.h"
#include "ingest/reader/sink.h"
#include "ingest/values/source_text.h"

namespace tessera::reader {

class TextReader {
 public:
  /// Reads from `begin`, which stands at the position `at`, to the text's end.
  TextReader(std::string_view text, std::size_t begin, Position at, std::string_view file,
             const Limits& limits, Sink& sink)
      : text_(text),
        begin_(begin),
        limits_(limits),
        sink_(sink),
        lines_(text, begin, at),
        splitter_(file, limits, sink) {}

  /// `begin` starts a section.
  void read_sections();

  /// `begin` starts a JSON value; no section ends before the text does.
  void read_json_values() { read_json(begin_, text_.size()); }

 private:
  void read_yaml(const Section& section);
  void read_json(std::size_t first, std::size_t end);
  void report(Error error);

  const std::string_view text_;
  const std::size_t begin_;
  const Limits& limits_;
  Sink& sink_;
  LineCounter lines_;  // at the start of the section or value being read
  ListSplitter splitter_;
  std::uint32_t errors_ = 0;
  bool gave_up_ = false;
};

}  // namespace tessera::reader
