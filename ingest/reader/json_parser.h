// SPDX-License-Identifier: Apache-2.0
// Turns one JSON value of a text into events for ListSplitter, with the position of every part.
//
// Called by reader.cpp for each of the concatenated values of a text. The grammar is nlohmann's SAX
// parser, which keeps its own stack: depth costs no recursion. Positions are found in the text
// itself, as SAX events carry none.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "ingest/reader/list_splitter.h"
#include "ingest/values/source_text.h"

namespace tessera::reader {

struct JsonOutcome {
  std::size_t end = 0;         // just behind the value, or where it is wrong
  std::optional<Error> error;  // the splitter then holds an incomplete document
};

/// Parses the value that starts at `offset`, with no white space before it. `lines` must stand at
/// or before `offset`; it is moved to the value's end.
JsonOutcome parse_json(std::string_view text, std::size_t offset, LineCounter& lines,
                       ListSplitter& out);

}  // namespace tessera::reader
