// SPDX-License-Identifier: Apache-2.0
// FlatMap: a map of a few entries, side by side in the order of their keys.
//
// The evaluation of one workload makes several such maps. Each takes one allocation; a std::map
// takes one for each entry. A look-up walks over the entries. One owner at a time. A pointer to an
// entry is valid until another entry is added.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace tessera::core {

template <class Key, class Value, class Before = std::less<Key>>
class FlatMap {
 public:
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  auto find(const Key& key) const {
    return std::find_if(begin(), end(), [&key](const auto& entry) { return entry.first == key; });
  }
  std::size_t count(const Key& key) const { return find(key) == end() ? 0 : 1; }
  void clear() { entries_.clear(); }
  /// Changes nothing if the key has a value.
  void emplace(const Key& key, const Value& value) {
    if (count(key) == 0) add(key, value);
  }
  /// Adds Value() if the key has no value.
  Value& operator[](const Key& key) {
    const auto at = find(key);
    return at == end() ? add(key, Value())
                       : entries_[static_cast<std::size_t>(at - begin())].second;
  }

 private:
  static constexpr std::size_t kFew = 4;

  Value& add(const Key& key, const Value& value) {
    if (entries_.empty()) entries_.reserve(kFew);
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [&key](const auto& entry) { return Before()(key, entry.first); });
    return entries_.insert(at, {key, value})->second;
  }

  std::vector<std::pair<Key, Value>> entries_;
};

}  // namespace tessera::core
