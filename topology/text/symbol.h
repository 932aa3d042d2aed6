// SPDX-License-Identifier: Apache-2.0
// Symbol: an interned text in four bytes. Two symbols are equal exactly if their texts are equal.
// Used for label keys and values and for names of resources and nodes, which repeat by the hundred
// thousand. Thread-safe; reading a text or finding a known one takes no lock. The numeric order of
// symbols means nothing: to sort, compare texts (ByText).
//
// Texts stay for ever, so only texts of the cluster may become symbols: of nodes, namespaces,
// definitions and of what a scheduler admitted. Gangs and pods bring texts without end: names, uids
// and labels stay strings, and what they ask for is an AskedText (asked_text.h). Their names of
// resources and levels must be symbols; a NameBudget bounds how many are new (name_budget.h).
#pragma once

#include <cstddef>
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
  /// How many texts are interned in this process.
  static std::size_t count();

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
