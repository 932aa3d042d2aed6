// SPDX-License-Identifier: Apache-2.0
// Piece: a stretch of a text that can be parsed before the text in front of it.
//
// Made by cutter, read by piece_reader on any thread. Pieces of one text share only the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "ingest/reader/batch.h"
#include "ingest/reader/list_splitter.h"

namespace tessera::reader {

enum class PieceKind : std::uint8_t {
  kSections,      // whole sections
  kJsonValues,    // whole JSON values of a section
  kJsonElements,  // elements of a JSON list and the commas between them
  kYamlElements,  // elements of a YAML list in block style, whole lines
  kDoubt,         // the text from here on cannot be cut
};

struct Piece {
  PieceKind kind = PieceKind::kDoubt;
  std::size_t begin = 0, end = 0;
  Position at;                           // of `begin`
  std::shared_ptr<const ListHead> list;  // for pieces of elements
};

/// Parses a piece into `batch`, which is cleared first. False: the text from this piece on must be
/// read in one go.
bool read_piece(std::string_view text, const Piece& piece, std::string_view file,
                const Limits& limits, Batch& batch);

}  // namespace tessera::reader
