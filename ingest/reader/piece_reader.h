// SPDX-License-Identifier: Apache-2.0
// Reads a text into objects, on several threads if it is large. The outcome is that of text_reader
// on one thread.
//
// Called by reader.cpp and files.cpp. Threads parse pieces (cutter.h) into batches. The calling
// thread parses too, and hands the batches over in order. A piece counts only if all pieces before
// it were well-formed. At the first piece that fails, text_reader reads the whole text again, and
// what was handed over is not handed over twice. So errors, and text that is hard to cut, cost time
// but never change the outcome. Memory beyond the text: two batches a thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "ingest/reader/cutter.h"
#include "ingest/reader/limits.h"
#include "ingest/reader/sink.h"

namespace tessera::reader {

/// How a text was read: for tests and figures.
struct Reading {
  std::size_t pieces = 0;  // handed over; 0 if it was not cut
  bool in_one_go = true;   // at least the end of it
};

/// read_text(), told `forget` (called on any of its threads, never twice at once).
Reading read_whole_text(std::string_view text, std::string_view file, const Limits& limits,
                        const Cutting& cutting, Sink& sink, const Forget& forget);

}  // namespace tessera::reader
