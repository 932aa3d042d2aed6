// SPDX-License-Identifier: Apache-2.0
// What surrounds the elements of a list, checked without them.
//
// Called by cutter before it cuts a list, and again when it has found the list's end. One empty
// element stands for all: if the parsers take the frame with it, then they take it with the
// elements, each of which is checked by itself.
#pragma once

#include <optional>
#include <string_view>

#include "ingest/reader/list_splitter.h"
#include "ingest/reader/section.h"

namespace tessera::reader {

/// The head of the list of which `before` is all that stands before its first element and `after`
/// all that stands behind its last one. Nothing if the parsers find no such list in them, or if
/// elements may depend on the frame in other ways (YAML anchors). Of the head, `depth` is not set.
std::optional<ListHead> read_list_frame(SectionKind format, std::string_view before,
                                        std::string_view after, const Limits& limits);

}  // namespace tessera::reader
