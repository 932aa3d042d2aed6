// SPDX-License-Identifier: Apache-2.0
// FieldTree: the fields that an object of a kind can have. FieldCheck: warnings about others, with
// the nearest right name, since the API server drops such a field without a word; and faults of
// labels, annotations and selectors that the API server refuses.
//
// The tables are in ingest/kinds/field_tables.cpp. The loader checks every object that it reads, so
// the check looks at keys alone and writes a path only for a finding. A sub-tree that no table
// describes is not judged: a warning about a valid object is worse than a missed one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/fields/field_reader.h"

namespace tessera::ingest {

class FieldTree {
 public:
  /// What the free keys of a map are.
  enum class Keys : std::uint8_t { kFree, kLabels, kAnnotations };

  struct Field {
    std::string_view name;
    std::unique_ptr<const FieldTree> below;  // null: not judged
    bool list = false;                       // `below` describes the items of a list
    Keys keys = Keys::kFree;                 // without `below`
  };

  /// Groups of fields that several tables share, by name.
  using Groups = std::map<std::string_view, std::string_view>;

  /// Reads a table: field names in any order, each with what is below it: `a` (not judged), `a{b
  /// c}` (a map), `a[b c]` (a list of maps), `a=labels` or `a=annotations` (a map with free keys).
  /// `@x` stands for the fields of group x. The texts
  /// outlive the tree. Tests check that the tables are well formed.
  static FieldTree parse(std::string_view text, const Groups& groups);

  const std::vector<Field>& fields() const { return fields_; }  // by name
  std::vector<std::string> names() const;

 private:
  class Parser;

  std::vector<Field> fields_;
};

class FieldCheck {
 public:
  explicit FieldCheck(FieldReader& context) : context_(context) {}

  /// Warns of fields of the object that are not in the tree, and adds to the name faults what is
  /// wrong with labels and annotations. In an object that an API server gave out (it has a
  /// resourceVersion) a field counts only if a known name is near, since the server knows newer
  /// fields than the tree; names and status are not looked at, since the server has made them.
  /// Without a tree nothing is judged.
  void check(const FieldTree* tree, const ObjectHeader& header, reader::Value root);

  /// Counts what was not told: of each field only the first objects are named.
  void finish();

 private:
  struct Step;  // a key or an index of the path to a field
  struct Object {
    const ObjectHeader& header;
    bool from_server = false;
  };

  void check_map(const Object& object, const FieldTree& tree, reader::Value map, const Step* path);
  void check_below(const Object& object, const FieldTree::Field& field, reader::Value value,
                   const Step* path);
  void check_keys(const Object& object, const FieldTree::Field& field, reader::Value map,
                  const Step* path);
  void tell_names(const Object& object, reader::Value at, const Step* path,
                  const std::vector<std::string>& faults, std::string_view name);
  void tell(const Object& object, const FieldTree& tree, reader::Value at, const Step* path);

  FieldReader& context_;
  // By kind and field, without the indexes of lists.
  std::map<std::string, std::int64_t> told_, refused_;
  // Keys that were found right, of annotations and of labels, by their place in the last object:
  // nodes of one cluster have the same keys in the same order.
  std::array<std::vector<std::string>, 2> known_keys_;
};

}  // namespace tessera::ingest
