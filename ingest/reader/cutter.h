// SPDX-License-Identifier: Apache-2.0
// Cutter: cuts a text into pieces that can be parsed on their own, without parsing the text.
//
// Called by piece_reader, one thread at a time. Pieces come in order and end only between objects:
// between sections, JSON values, or elements of the one list of a section. A cut is right if all
// pieces before it turn out to be well-formed. Where that is not enough (YAML directives, flow
// style, a broken end), a long section stays whole, or the answer is kDoubt. Never reads far ahead
// of what it cuts. Exception: it looks through a long YAML section once, since one bad byte refuses
// all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "ingest/reader/piece.h"
#include "ingest/reader/section.h"

namespace tessera::reader {

/// Called with bytes of the text that are not needed soon, so that a mapped file need not stay in
/// memory.
using Forget = std::function<void(std::string_view)>;

class Cutter {
 public:
  Cutter(std::string_view text, std::uint64_t piece_bytes, const Limits& limits,
         const Forget& forget);

  /// The next piece; nothing behind the last one or behind a kDoubt.
  std::optional<Piece> next();

 private:
  // What stands at offset_.
  enum class State : std::uint8_t { kSections, kJsonValues, kJsonElements, kYamlElements, kEnd };

  // Where the first line of a list's elements starts, and how far their dashes are indented.
  struct YamlList {
    std::size_t elements, indent;
    std::uint32_t depth;
  };

  std::optional<Piece> next_sections();
  std::optional<std::size_t> find_short_section(std::size_t begin) const;
  std::optional<Piece> long_section();
  std::optional<Piece> long_yaml();
  std::optional<std::size_t> clean_yaml_end() const;
  std::optional<YamlList> find_yaml_list() const;
  Piece next_yaml_elements();

  std::optional<Piece> next_json_values();
  std::optional<Piece> long_json_value();
  std::size_t find_json_list() const;
  Piece next_json_elements();
  Piece last_json_elements(std::size_t end);

  Piece take(PieceKind kind, std::size_t end);
  Piece doubt();
  void skip_to(std::size_t offset);
  bool open_list(SectionKind format, std::size_t elements, std::uint32_t depth,
                 std::string_view after);

  const std::string_view text_;
  const std::size_t piece_bytes_;
  const Limits& limits_;
  const Forget& forget_;

  State state_ = State::kSections;
  std::size_t offset_ = 0;
  Position at_{1, 1};
  // Of the open list.
  std::string before_;
  std::shared_ptr<const ListHead> list_;
  std::size_t section_end_ = 0;  // YAML
  std::size_t indent_ = 0;       // YAML: of the elements' dashes
};

}  // namespace tessera::reader
