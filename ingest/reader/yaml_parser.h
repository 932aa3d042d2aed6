// SPDX-License-Identifier: Apache-2.0
// Turns a stretch of YAML text, usually one document, into events for YamlComposer, which passes
// them on to ListSplitter.
//
// Called by text_reader and piece_reader with text that is UTF-8 without control characters
// (source_text.h). The grammar is libyaml's event parser, which is asked for one event at a time.
// So depth costs no recursion, and no memory beyond Limits::max_depth.
#pragma once

#include <optional>
#include <string_view>

#include "ingest/reader/list_splitter.h"

namespace tessera::reader {

/// Hands over every document of `text`, whose first line is `first_line` of the input. Stops at the
/// first error.
std::optional<Error> parse_yaml(std::string_view text, std::uint32_t first_line,
                                const Limits& limits, ListSplitter& out);

// Parts of a document that is cut. False: the part is refused, or the other parts may mean
// something else without it, because it has anchors, aliases or merges, or because its lines are
// not counted by \n alone (to YAML, other characters break a line as well).

/// Parses one document that stands for a larger one. If it has no errors, it is handed over as
/// parse_yaml() does.
bool parse_yaml_frame(std::string_view text, const Limits& limits, ListSplitter& out);

/// Elements of a list in block style: whole lines, the first of which starts an element. `out` has
/// the list open.
bool parse_yaml_elements(std::string_view text, std::uint32_t first_line, const Limits& limits,
                         ListSplitter& out);

}  // namespace tessera::reader
