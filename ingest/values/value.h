// SPDX-License-Identifier: Apache-2.0
// Value: one object of the input as a read-only tree, the same for YAML and JSON, with the position
// of every part.
//
// A Document owns the storage of one tree (nodes in one array, texts in one arena) and is reused
// from object to object, so that a list of 100,000 nodes is read with the memory of its largest
// item. A Value is a cursor into a Document: two words, valid until the Document is cleared. One
// thread at a time. Does not know Kubernetes: the other rooms of ingest/ know kinds and versions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "topology/text/result.h"

namespace tessera::reader {

enum class Type : std::uint8_t { kNull, kBool, kNumber, kString, kMap, kSequence };

/// Lines and columns count from 1.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class Document;

class Value {
 public:
  Value() = default;  // an absent value: false in a condition, kNull, and every look-up in it is
                      // absent too
  explicit operator bool() const { return document_ != nullptr; }

  Type type() const;
  bool is(Type type) const { return document_ != nullptr && this->type() == type; }
  Position position() const;

  /// The scalar as written (JSON strings unescaped). YAML integers in octal, hex or with a sign are
  /// given as plain decimal; true/false for every spelling of a boolean that kubectl accepts. Every
  /// number is a valid JSON number. Empty for maps, sequences and null.
  std::string_view text() const;
  bool boolean() const;  // only for kBool
  std::optional<std::int64_t> integer()
      const;  // a kNumber without fraction that fits 64 bits ("1e3" does not count)

  /// Map: the value under `key`, absent if there is none or this is no map. O(members).
  Value operator[](std::string_view key) const;

  /// Map or sequence: number of entries; 0 otherwise.
  std::uint32_t size() const;

  /// Iteration over entries in input order: `for (Value v = x.first(); v; v = v.next())`.
  Value first() const;
  Value next() const;
  /// The key under which this value stands in its map; empty in a sequence. key_position() is where
  /// the key starts.
  std::string_view key() const;
  Position key_position() const;

 private:
  friend class Document;
  Value(const Document* document, std::uint32_t index) : document_(document), index_(index) {}
  const Document* document_ = nullptr;
  std::uint32_t index_ = 0;
};

/// Builds a tree from events in document order. Used by the parsers; tests may use it too. Stays
/// where it is: Values point to it. Holds at most 4 GiB of text (Limits keeps it far below).
class Document {
 public:
  void clear();
  bool empty() const { return nodes_.empty(); }
  Value root() const { return nodes_.empty() ? Value() : Value(this, 0); }
  std::size_t node_count() const { return nodes_.size(); }

  /// Replaces what it holds by a copy of a tree of another Document. The root has no key.
  void copy(Value tree);

  // Events. A key precedes each value of a map. The caller keeps begin/end balanced.
  void key(std::string_view text, Position at);
  void scalar(Type type, std::string_view text, Position at);
  void begin(Type type, Position at);  // kMap or kSequence
  void end();

  /// True if the open map already has `key` (duplicates are refused by the parsers). O(log
  /// members).
  bool has_key(std::string_view text) const;

  /// Bytes of all keys and scalars held, for Limits::max_object_bytes.
  std::size_t text_bytes() const { return texts_.size(); }

 private:
  friend class Value;
  struct Node {
    std::uint32_t key_offset = 0, key_size = 0;
    std::uint32_t text_offset = 0, text_size = 0;  // containers: text_size = number of entries
    std::uint32_t next = 0;                        // index of the next sibling, 0 = none
    Position at, key_at;
    Type type = Type::kNull;

    bool is_container() const { return type == Type::kMap || type == Type::kSequence; }
  };
  // The keys of an open map that is too large for a linear search. A tree, not a hash table, so
  // that hostile keys cannot make it slow.
  struct LargeMap {
    std::uint32_t map = 0;
    std::set<std::string, std::less<>> keys;
  };

  std::uint32_t end_of(std::uint32_t index) const;
  std::uint32_t add(Type type, std::string_view text, Position at);
  std::string_view key_of(const Node& node) const;
  void remember_key(std::uint32_t map, std::uint32_t child);

  std::vector<Node> nodes_;
  std::string texts_;
  std::vector<std::uint32_t> open_;        // containers being built
  std::vector<std::uint32_t> last_child_;  // parallel to open_, 0 = none yet
  std::vector<LargeMap> large_;            // innermost last
  std::uint32_t key_offset_ = 0, key_size_ = 0;
  Position key_at_;
};

}  // namespace tessera::reader
