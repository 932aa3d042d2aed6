// SPDX-License-Identifier: Apache-2.0
// A text to objects, on several threads if it is large, with the outcome of text_reader on one.
//
// Called by reader.cpp and files.cpp. Threads parse pieces (cutter.h) into batches; the calling
// thread, which parses as well, hands them over in order. A piece counts only if all before it were
// well-formed, and brings no errors: at the first one that fails, the whole text is read again by
// text_reader, and what was handed over is not handed over twice. So errors, and all that is hard
// to cut, cost time and never change the outcome. Memory beyond the text: two batches a thread.
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
