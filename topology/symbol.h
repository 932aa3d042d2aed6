// SPDX-License-Identifier: Apache-2.0
// Symbol: an interned text, four bytes, equal iff the texts are equal. Used for label keys and
// values, resource and node names, which repeat by the hundred thousand.
//
// Thread-safe; reading a text or finding a known one takes no lock. Texts stay for ever: names,
// uids and labels of workloads are no symbols, so gangs add none but what they ask of nodes. The
// numeric order of symbols means nothing: to sort, compare texts (ByText).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tessera::topology {

class Symbol {
 public:
  Symbol() = default;  // the empty text
  explicit Symbol(std::string_view text);

  std::string_view view() const;
  std::string str() const { return std::string(view()); }
  bool empty() const { return id_ == 0; }
  std::uint32_t id() const { return id_; }

  /// The symbol of a text that is interned already; an empty one otherwise. Never adds.
  static Symbol find(std::string_view text);

  friend bool operator==(Symbol, Symbol) = default;

 private:
  std::uint32_t id_ = 0;
};

/// Byte order of the texts.
struct ByText {
  bool operator()(Symbol a, Symbol b) const { return a.view() < b.view(); }
};

}  // namespace tessera::topology

template <>
struct std::hash<tessera::topology::Symbol> {
  std::size_t operator()(tessera::topology::Symbol s) const noexcept { return s.id(); }
};
