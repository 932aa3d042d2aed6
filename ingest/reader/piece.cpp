// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/piece.h"

#include <algorithm>

#include "ingest/reader/json_parser.h"
#include "ingest/reader/text_reader.h"
#include "ingest/reader/yaml_parser.h"
#include "ingest/values/source_text.h"

namespace tessera::reader {
namespace {

std::size_t skip_space(std::string_view text, std::size_t offset) {
  return std::min(text.find_first_not_of(" \t\r\n", offset), text.size());
}

bool read_json_elements(std::string_view text, const Piece& piece, ListSplitter& out) {
  LineCounter lines(text, piece.begin, piece.at);
  for (std::size_t offset = piece.begin;; ++offset) {
    offset = skip_space(text, offset);
    if (offset == text.size() || text[offset] != '{') return false;
    const JsonOutcome outcome = parse_json(text, offset, lines, out);
    if (outcome.error) return false;
    offset = skip_space(text, outcome.end);
    if (offset == text.size()) return true;
    if (text[offset] != ',') return false;
  }
}

bool read_yaml_elements(std::string_view text, const Piece& piece, const Limits& limits,
                        ListSplitter& out) {
  return parse_yaml_elements(text.substr(piece.begin), piece.at.line, limits, out);
}

}  // namespace

bool read_piece(std::string_view text, const Piece& piece, std::string_view file,
                const Limits& limits, Batch& batch) {
  batch.clear();
  const std::string_view up_to_end = text.substr(0, piece.end);
  switch (piece.kind) {
    case PieceKind::kSections:
      TextReader(up_to_end, piece.begin, piece.at, file, limits, batch).read_sections();
      return !batch.spoilt();
    case PieceKind::kJsonValues:
      TextReader(up_to_end, piece.begin, piece.at, file, limits, batch).read_json_values();
      return !batch.spoilt();
    case PieceKind::kJsonElements:
    case PieceKind::kYamlElements: {
      ListSplitter splitter(file, limits, batch);
      splitter.open_list(*piece.list);
      const bool is_json = piece.kind == PieceKind::kJsonElements;
      return is_json ? read_json_elements(up_to_end, piece, splitter)
                     : read_yaml_elements(up_to_end, piece, limits, splitter);
    }
    case PieceKind::kDoubt:
      break;
  }
  return false;
}

}  // namespace tessera::reader
