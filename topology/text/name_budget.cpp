// SPDX-License-Identifier: Apache-2.0
#include "topology/text/name_budget.h"

namespace tessera::topology {

std::optional<Symbol> NameBudget::take(std::string_view name) {
  const Symbol known = Symbol::find(name);
  if (!known.empty() || name.empty()) return known;
  std::size_t left = left_.load(std::memory_order_relaxed);
  do {
    if (left == 0) return std::nullopt;
  } while (!left_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed));
  return Symbol(name);
}

NameBudget& asked_names() {
  static NameBudget budget;
  return budget;
}

}  // namespace tessera::topology
