// SPDX-License-Identifier: Apache-2.0
// Labels of an object, and the selectors that test them.
//
// Values, usable on any thread. Operators and their treatment of absent keys are those of
// Kubernetes: NotIn and DoesNotExist match an object without the key; Gt and Lt need integers on
// both sides. A selector adds no symbols (asked_text.h).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "topology/text/asked_text.h"
#include "topology/text/symbol.h"

namespace tessera::topology {

class Labels {
 public:
  std::optional<Symbol> find(Symbol key) const;
  std::optional<Symbol> find(const AskedText& key) const;
  void set(Symbol key, Symbol value);  // a later value replaces an earlier one
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }  // sorted by Symbol id, not by text
  auto end() const { return entries_.end(); }
  void shrink_to_fit() { entries_.shrink_to_fit(); }
  friend bool operator==(const Labels&, const Labels&) = default;

 private:
  std::vector<std::pair<Symbol, Symbol>> entries_;
};

enum class LabelOperator : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };

struct LabelRequirement {
  AskedText key;
  LabelOperator op = LabelOperator::kIn;
  std::vector<AskedText> values;

  bool matches(std::optional<Symbol> value) const;
  friend bool operator==(const LabelRequirement&, const LabelRequirement&) = default;
};

/// metav1.LabelSelector: matchLabels are read as `In` with one value. All requirements must match.
/// A selector without requirements matches everything.
struct LabelSelector {
  std::vector<LabelRequirement> requirements;
  bool matches(const Labels& labels) const;
};

}  // namespace tessera::topology
