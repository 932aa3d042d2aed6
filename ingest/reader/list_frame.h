// SPDX-License-Identifier: Apache-2.0
// Checks what surrounds the elements of a list, without the elements.
//
// Called by cutter before it cuts a list, and again when it has found the end of the list. One
// empty element stands for all: if the parsers accept the frame around it, they also accept the
// frame around the real elements, each of which is checked by itself.
#pragma once

#include <optional>
#include <string_view>

#include "ingest/reader/list_splitter.h"
#include "ingest/reader/section.h"

namespace tessera::reader {

/// The head of the list. `before` is all text before its first element, `after` all text behind its
/// last element. Nothing if the parsers find no such list there, or if elements may depend on the
/// frame in other ways (YAML anchors). `depth` of the head is not set.
std::optional<ListHead> read_list_frame(SectionKind format, std::string_view before,
                                        std::string_view after, const Limits& limits);

}  // namespace tessera::reader
