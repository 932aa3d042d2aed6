// SPDX-License-Identifier: Apache-2.0
// A stretch of YAML text, usually one document, to events for ListSplitter by way of YamlComposer.
//
// Called by reader.cpp with text that is UTF-8 without control characters (source_text.h). The
// grammar is libyaml's event parser, read one event at a time: depth costs no recursion and no
// memory beyond Limits::max_depth.
#pragma once

#include <optional>
#include <string_view>

#include "ingest/reader/list_splitter.h"

namespace tessera::reader {

/// Hands over every document of `text`, whose first line is `first_line` of the input. Stops at the
/// first error.
std::optional<Error> parse_yaml(std::string_view text, std::uint32_t first_line,
                                const Limits& limits, ListSplitter& out);

}  // namespace tessera::reader
