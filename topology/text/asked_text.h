// SPDX-License-Identifier: Apache-2.0
// AskedText: a text that a gang or pod asks for, such as a label value, the key of a taint or the
// name of a node. The cluster may not know the text, and symbols stay for ever, so it never becomes
// one: AskedText holds the symbol if there is one already, else a shared copy of the text.
//
// A value, usable on any thread. Equality and hash go by the text: it makes no difference whether
// the text was interned before, afterwards or never. A text that a node brings later is equal too.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "topology/text/symbol.h"

namespace tessera::topology {

class AskedText {
 public:
  AskedText() = default;  // the empty text
  explicit AskedText(std::string_view text);
  // NOLINTNEXTLINE(google-explicit-constructor): every text of the cluster may be asked for.
  AskedText(Symbol symbol);

  std::string_view view() const { return own_ ? std::string_view(*own_) : symbol_.view(); }
  std::string str() const { return std::string(view()); }
  bool empty() const { return !own_ && symbol_.empty(); }  // a copy is never of the empty text
  /// Depends on the text alone. Computed once, since every evaluation hashes a filter. May differ
  /// from process to process.
  std::uint32_t hash() const { return hash_; }

  /// The symbol of the text if it is interned by now.
  std::optional<Symbol> symbol() const { return own_ ? find_symbol() : symbol_; }
  /// Exchanges the copy for the symbol if the text is interned by now. Makes look-ups faster.
  void adopt_symbol();

  friend bool operator==(const AskedText& a, Symbol b) {
    return a.own_ ? *a.own_ == b.view() : a.symbol_ == b;
  }
  friend bool operator==(const AskedText& a, const AskedText& b) {
    if (a.hash_ != b.hash_) return false;
    if (a.own_ == b.own_) return a.symbol_ == b.symbol_;  // one copy, or two symbols
    return a.view() == b.view();
  }

 private:
  std::optional<Symbol> find_symbol() const;

  Symbol symbol_;  // empty beside a copy
  std::uint32_t hash_ = 0;
  std::shared_ptr<const std::string> own_;
};

}  // namespace tessera::topology
