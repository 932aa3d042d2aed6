// SPDX-License-Identifier: Apache-2.0
// ListSplitter: turns the events of a document, from either parser, into objects for the caller's
// Sink.
//
// Called by json_parser and yaml_parser with every event in document order. Holds one object at a
// time: elements of a list leave as soon as they are complete. Applies the Limits and refuses
// duplicate keys, in both formats alike. When the document is refused, events return false and the
// parser stops; take_error() gives the reason. Does not know text or syntax.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ingest/reader/limits.h"
#include "ingest/reader/sink.h"

namespace tessera::reader {

/// What the elements of a list depend on, besides their own text.
struct ListHead {
  std::string api_version, kind;  // as far as they stand before the elements
  std::uint32_t depth = 1;        // of the list: 1 at the root, 2 under `items`
};

class ListSplitter {
 public:
  ListSplitter(std::string_view file, const Limits& limits, Sink& sink)
      : file_(file), limits_(limits), sink_(sink) {}

  bool key(std::string_view text, Position at);
  bool scalar(Type type, std::string_view text, Position at);
  bool begin(Type type, Position at);
  bool end();

  /// Hands over the complete document, unless its elements were handed over already.
  void finish();
  /// Drops an incomplete document, before the next one starts.
  void reset();
  /// Replaces the events before a list's first element: the next events are its elements.
  void open_list(const ListHead& head);

  /// True if the open map has `key`: what a YAML merge must not replace.
  bool has_key(std::string_view key) const { return target().has_key(key); }

  /// Refuses the document. Returns false, so that events can end with it.
  bool refuse(ErrorCode code, std::string message, Position at);
  std::optional<Error> take_error();

  /// Objects handed over since the last finish() or reset().
  std::size_t handed_over() const { return handed_over_; }

 private:
  enum class TopKey { kOther, kApiVersion, kKind, kItems };

  bool in_list() const { return element_depth_ != 0 && depth_ >= element_depth_; }
  bool at_element() const { return element_depth_ != 0 && depth_ == element_depth_; }
  Document& target() { return in_list() ? item_ : head_; }
  const Document& target() const { return in_list() ? item_ : head_; }
  bool within_limits(const Document& document, Position at);
  bool take_kind(Type type, std::string_view text, Position at);
  void hand_over(Value root, std::string_view list_api_version, std::string_view list_kind);

  const std::string_view file_;
  const Limits& limits_;
  Sink& sink_;
  std::optional<Error> error_;

  Document head_;  // the document itself; of a list, all but its elements
  Document item_;  // the element being read
  std::uint32_t depth_ = 0;
  std::uint32_t element_depth_ =
      0;                  // depth at which the open list's elements stand, 0 = no list open
  bool is_list_ = false;  // the document is a list: its elements are objects
  bool has_kind_ = false;
  TopKey top_key_ = TopKey::kOther;
  std::string api_version_, kind_;
  std::size_t handed_over_ = 0;
};

/// "an object", "a list", "a string": for messages.
const char* type_name(Type type);

}  // namespace tessera::reader
