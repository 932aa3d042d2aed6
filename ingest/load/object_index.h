// SPDX-License-Identifier: Apache-2.0
// ObjectIndex: knows which objects were read and which record each of them gave. So a later version
// of an object replaces the earlier one.
//
// Used by the loader only. An object is identified by group, kind, namespace and name, never by its
// version. Replaced records stay in their lists until sweep(), since positions must not move while
// objects are read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/kinds/registry.h"

namespace tessera::ingest {

class ObjectIndex {
 public:
  /// Notes that the object of `header` was read. `record` is its position in the list of its kind;
  /// nothing if the object gave no record. Returns where the earlier object of the same identity
  /// stood.
  std::optional<Where> put(const KindReader& kind, const ObjectHeader& header,
                           std::optional<std::size_t> record);

  /// Notes that the object is gone (a watch event).
  void remove(const KindReader& kind, const ObjectHeader& header);

  /// True if some object of a kind of that role is there, readable or not.
  bool has(KindRole role) const;

  /// The objects that are there without a record, by kind, namespace and name.
  std::vector<core::RefusedObject> refused() const;

  /// Removes the records of replaced and removed objects. Positions are void afterwards.
  void sweep(ReadContext& context);

 private:
  struct Entry {
    const KindReader* kind = nullptr;
    std::optional<std::size_t> record;
    std::uint32_t file = 0;  // in files_
    int line = 0;
  };

  void drop(const Entry& entry);
  std::uint32_t file_number(const std::string& file);

  std::unordered_map<std::string, Entry> entries_;
  // By list: several kinds may share one.
  std::map<decltype(Shelf::remove), std::vector<bool>> gone_;
  std::vector<std::string> files_;
};

}  // namespace tessera::ingest
