// SPDX-License-Identifier: Apache-2.0
#include "topology/text/asked_text.h"

#include <functional>

namespace tessera::topology {
namespace {

/// 0 for the empty text, as in a default AskedText.
std::uint32_t hash_of(std::string_view text) {
  return text.empty() ? 0 : static_cast<std::uint32_t>(std::hash<std::string_view>{}(text));
}

}  // namespace

AskedText::AskedText(std::string_view text) : symbol_(Symbol::find(text)), hash_(hash_of(text)) {
  if (symbol_.empty() && !text.empty()) own_ = std::make_shared<const std::string>(text);
}

AskedText::AskedText(Symbol symbol) : symbol_(symbol), hash_(hash_of(symbol.view())) {}

std::optional<Symbol> AskedText::find_symbol() const {
  const Symbol found = Symbol::find(*own_);
  return found.empty() ? std::nullopt : std::optional(found);
}

void AskedText::adopt_symbol() {
  if (!own_) return;
  symbol_ = Symbol::find(*own_);
  if (!symbol_.empty()) own_.reset();
}

}  // namespace tessera::topology
