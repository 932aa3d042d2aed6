// SPDX-License-Identifier: Apache-2.0
#include "topology/nodes/labels.h"

#include <algorithm>

#include "topology/nodes/integer.h"

namespace tessera::topology {
namespace {

auto position(const std::vector<std::pair<Symbol, Symbol>>& entries, Symbol key) {
  return std::lower_bound(entries.begin(), entries.end(), key,
                          [](const auto& entry, Symbol k) { return entry.first.id() < k.id(); });
}

}  // namespace

std::optional<Symbol> Labels::find(Symbol key) const {
  const auto at = position(entries_, key);
  if (at == entries_.end() || at->first != key) return std::nullopt;
  return at->second;
}

std::optional<Symbol> Labels::find(const AskedText& key) const {
  const std::optional<Symbol> symbol = key.symbol();
  return symbol ? find(*symbol) : std::nullopt;  // every key that is here is interned
}

void Labels::set(Symbol key, Symbol value) {
  const auto at = entries_.begin() + (position(entries_, key) - entries_.cbegin());
  if (at != entries_.end() && at->first == key) {
    at->second = value;
  } else {
    entries_.insert(at, {key, value});
  }
}

bool LabelRequirement::matches(std::optional<Symbol> value) const {
  const auto listed = [&] {
    return std::find(values.begin(), values.end(), *value) != values.end();
  };
  switch (op) {
    case LabelOperator::kIn:
      return value && listed();
    case LabelOperator::kNotIn:
      return !value || !listed();
    case LabelOperator::kExists:
      return value.has_value();
    case LabelOperator::kDoesNotExist:
      return !value.has_value();
    case LabelOperator::kGt:
    case LabelOperator::kLt:
      break;
  }
  if (!value || values.size() != 1) return false;
  const auto have = parse_integer(value->view()), limit = parse_integer(values[0].view());
  if (!have || !limit) return false;
  return op == LabelOperator::kGt ? *have > *limit : *have < *limit;
}

bool LabelSelector::matches(const Labels& labels) const {
  return std::all_of(requirements.begin(), requirements.end(),
                     [&](const LabelRequirement& r) { return r.matches(labels.find(r.key)); });
}

}  // namespace tessera::topology
