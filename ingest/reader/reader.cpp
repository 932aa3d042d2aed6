// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/reader.h"

#include "ingest/reader/piece_reader.h"

namespace tessera::reader {

void read_text(std::string_view text, std::string_view file, const Limits& limits, Sink& sink,
               const Cutting& cutting) {
  read_whole_text(text, file, limits, cutting, sink, [](std::string_view) {});
}

}  // namespace tessera::reader
