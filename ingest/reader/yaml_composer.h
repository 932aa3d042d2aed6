// SPDX-License-Identifier: Apache-2.0
// What YAML has beyond a tree of texts: anchors, aliases, merge keys and scalar types, resolved to
// plain events.
//
// Called by yaml_parser with the events of one document; calls ListSplitter with the events of the
// tree they mean. Subtrees that have an anchor are kept on a tape, so that a list's items can be
// handed over while their anchors stay. A merge (`<<`) is applied when its map ends: the map's own
// keys win over merged ones, earlier merges over later ones. Repeated parts keep the position where
// they are written. Limits cap what aliases and merges add to a document: values
// (Limits::max_alias_nodes) and bytes (Limits::max_object_bytes).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader/list_splitter.h"
#include "ingest/values/scalar.h"

namespace tessera::reader {

class YamlComposer {
 public:
  YamlComposer(const Limits& limits, ListSplitter& out) : limits_(limits), out_(out) {}

  // Events. False: the document is refused, the ListSplitter has the error. `anchor` is empty for
  // none.
  bool scalar(std::string_view text, ScalarTag tag, std::string_view anchor, Position at);
  bool begin(Type type, std::string_view anchor, Position at);
  bool end(Position at);
  bool alias(std::string_view anchor, Position at);

  /// Forgets everything, before the next document.
  void reset();

  /// True if this document has an anchor, an alias or a merge: then a part of it may mean something
  /// else without the parts before it.
  bool has_repeats() const { return has_repeats_; }

 private:
  enum class Kind : std::uint8_t { kScalar, kBegin, kEnd };

  // One event as written. `span` is the number of events of its subtree, itself and its end
  // included.
  struct Event {
    Kind kind = Kind::kScalar;
    Type type = Type::kNull;  // of a kBegin
    ScalarTag tag = ScalarTag::kPlain;
    std::uint32_t span = 1;
    std::size_t text_offset = 0, text_size = 0;
    Position at;
  };
  struct Range {
    std::size_t begin = 0, end = 0;  // of tape_
  };
  // A node whose subtree is being recorded: it has an anchor, or it is the value of a merge key
  // (then no name).
  struct Recording {
    std::string anchor;
    std::size_t begin = 0;
    std::size_t depth = 0;
  };
  // An open container of the tree that is handed on.
  struct Frame {
    bool is_map = false;
    bool expects_key = false;
    bool merge_value_next = false;
    std::vector<Range> merges;
  };

  static bool is_merge_key(ScalarTag tag, std::string_view text) {
    return tag == ScalarTag::kPlain && text == "<<";
  }
  bool expects_key() const {
    return !frames_.empty() && frames_.back().is_map && frames_.back().expects_key;
  }
  std::string_view text_of(const Event& event) const {
    return std::string_view(tape_text_).substr(event.text_offset, event.text_size);
  }

  void start_node(std::string_view anchor);
  bool record(Event event, std::string_view text);
  void finish_node();

  bool emit(const Event& event, std::string_view text);
  bool emit_key(const Event& event, std::string_view text);
  bool emit_end();
  bool replay(Range range);
  bool apply_merges();
  bool merge_map(Range map, std::vector<Range>& inner);
  bool spend(const Event& event);

  const Limits& limits_;
  ListSplitter& out_;
  std::vector<Event> tape_;
  std::string tape_text_;
  std::vector<std::size_t> open_on_tape_;  // kBegin events whose end is not recorded yet
  std::vector<Recording> recordings_;
  std::map<std::string, Range, std::less<>> anchors_;
  std::vector<Frame> frames_;
  std::size_t depth_ = 0;  // containers open in the source
  bool has_repeats_ = false;
  bool capturing_merge_ = false;  // source events go to the tape only
  Position alias_at_;             // the alias that an error about too many values names
  std::uint64_t spent_nodes_ = 0, spent_bytes_ = 0;
  std::string number_;  // buffer of resolve_scalar()
};

}  // namespace tessera::reader
