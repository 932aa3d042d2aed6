// SPDX-License-Identifier: Apache-2.0
// Reads a text into objects, on several threads if it is large. The outcome is the same as that of
// text_reader on one thread.
//
// Called by reader.cpp and files.cpp. Threads parse pieces (cutter.h) into batches. The calling
// thread parses too, and hands the batches over in order. A piece counts only if all pieces before
// it were well-formed. At the first piece that fails, text_reader reads the whole text again,
// without handing over any object twice. So errors, and text that is hard to cut, cost time but
// never change the outcome. Memory beyond the text: two batches a thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "ingest/reader/cutter.h"
#include "ingest/reader/limits.h"
#include "ingest/reader/sink.h"

namespace tessera::reader {

/// How a text was read: for tests and figures.
struct Reading {
  std::size_t pieces = 0;  // pieces handed over; 0 if the text was not cut
  bool in_one_go = true;   // at least the end of the text was read in one go
};

/// read_text() with a function `forget`, which is called on any of the threads, never by two at
/// once.
Reading read_whole_text(std::string_view text, std::string_view file, const Limits& limits,
                        const Cutting& cutting, Sink& sink, const Forget& forget);

}  // namespace tessera::reader
