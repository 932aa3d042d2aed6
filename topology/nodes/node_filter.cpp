// SPDX-License-Identifier: Apache-2.0
#include "topology/nodes/node_filter.h"

#include <algorithm>
#include <charconv>

namespace tessera::topology {
namespace {

/// An integer of 64 bits in canonical form. Unlike in label expressions, Kubernetes does not accept
/// "+5", "007" or "-0" here.
std::optional<std::int64_t> canonical_integer(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.starts_with('0') && text != "0") return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool keeps_pods_away(const Taint& taint) { return taint.effect != TaintEffect::kPreferNoSchedule; }

/// Writes the length first, so that two different lists of texts never give one key.
void append(std::string& key, std::string_view text) {
  key += std::to_string(text.size()) + ":" + std::string(text);
}

/// Appends a set of parts in byte order, so that their order in the filter does not matter.
void append_sorted(std::string& key, char mark, std::vector<std::string> parts) {
  std::sort(parts.begin(), parts.end());
  key += mark + std::to_string(parts.size()) + ';';
  for (const std::string& part : parts) append(key, part);
}

std::string requirement_key(const LabelRequirement& requirement) {
  std::string key;
  append(key, requirement.key.view());
  key += static_cast<char>('a' + static_cast<int>(requirement.op));
  std::vector<std::string> values;
  for (const AskedText& value : requirement.values) values.push_back(value.str());
  append_sorted(key, 'v', std::move(values));
  return key;
}

std::string term_key(const NodeSelectorTerm& term) {
  std::string key;
  for (const auto* list : {&term.expressions, &term.fields}) {
    std::vector<std::string> parts;
    for (const LabelRequirement& requirement : *list) parts.push_back(requirement_key(requirement));
    append_sorted(key, 't', std::move(parts));
  }
  return key;
}

std::string toleration_key(const Toleration& toleration) {
  std::string key;
  append(key, toleration.key.view());
  append(key, toleration.value.view());
  key += static_cast<char>('a' + static_cast<int>(toleration.op));
  key += static_cast<char>(toleration.effect ? 'a' + static_cast<int>(*toleration.effect) : '-');
  return key;
}

/// Takes in numbers one after the other.
class Hasher {
 public:
  void add(std::uint64_t number) {
    hash_ = (hash_ ^ number) * 0x9E3779B97F4A7C15U;
    hash_ ^= hash_ >> 29;
  }
  void add(const std::vector<LabelRequirement>& requirements) {
    add(requirements.size());
    for (const LabelRequirement& each : requirements) {
      add(each.key.hash());
      add(static_cast<std::uint64_t>(each.op));
      add(each.values.size());
      for (const AskedText& value : each.values) add(value.hash());
    }
  }
  void add(const NodeSelectorTerm& term) {
    add(term.expressions);
    add(term.fields);
  }
  std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0x243F6A8885A308D3U;
};

void adopt_symbols(NodeSelectorTerm& term) {
  for (auto* list : {&term.expressions, &term.fields}) {
    for (LabelRequirement& requirement : *list) {
      requirement.key.adopt_symbol();
      for (AskedText& value : requirement.values) value.adopt_symbol();
    }
  }
}

/// The only field is metadata.name, and it is tested with In or NotIn and one value. In Kubernetes
/// any other requirement matches no node.
bool field_matches(const LabelRequirement& field, const NodeRecord& node) {
  static const Symbol kNameField("metadata.name");
  const bool known_operator = field.op == LabelOperator::kIn || field.op == LabelOperator::kNotIn;
  if (field.key != kNameField || !known_operator || field.values.size() != 1) return false;
  return field.matches(node.name);
}

}  // namespace

bool Toleration::tolerates(const Taint& taint) const {
  if (effect && *effect != taint.effect) return false;
  if (key.empty()) return op == TolerationOperator::kExists;
  if (key != taint.key) return false;
  switch (op) {
    case TolerationOperator::kExists:
      return true;
    case TolerationOperator::kEqual:
      return value == taint.value;
    case TolerationOperator::kLt:
    case TolerationOperator::kGt:
      break;
  }
  const auto have = canonical_integer(taint.value.view());
  const auto limit = canonical_integer(value.view());
  if (!have || !limit) return false;
  return op == TolerationOperator::kGt ? *have > *limit : *have < *limit;
}

bool NodeSelectorTerm::matches(const NodeRecord& node) const {
  if (expressions.empty() && fields.empty()) return false;
  for (const LabelRequirement& e : expressions) {
    if (!e.matches(node.labels.find(e.key))) return false;
  }
  for (const LabelRequirement& f : fields) {
    if (!field_matches(f, node)) return false;
  }
  return true;
}

std::string NodeFilter::key() const {
  std::string key;
  std::vector<std::string> parts;
  for (const Toleration& toleration : tolerations) parts.push_back(toleration_key(toleration));
  append_sorted(key, 'T', std::move(parts));
  parts.clear();
  for (const auto& [label, value] : node_selector) {
    std::string part;
    append(part, label.view());
    append(part, value.view());
    parts.push_back(std::move(part));
  }
  append_sorted(key, 'S', std::move(parts));
  if (required) {
    parts.clear();
    for (const NodeSelectorTerm& term : *required) parts.push_back(term_key(term));
    append_sorted(key, 'A', std::move(parts));
  }
  return key;
}

std::string NodeFilter::preferred_key() const {
  std::string key;
  std::vector<std::string> parts;
  for (const PreferredTerm& preferred_term : preferred) {
    parts.push_back(std::to_string(preferred_term.weight) + term_key(preferred_term.term));
  }
  append_sorted(key, 'P', std::move(parts));
  return key;
}

std::uint64_t NodeFilter::hash() const {
  Hasher hasher;
  hasher.add(tolerations.size());
  for (const Toleration& each : tolerations) {
    hasher.add(each.key.hash());
    hasher.add(each.value.hash());
    hasher.add(static_cast<std::uint64_t>(each.op));
    hasher.add(each.effect ? static_cast<std::uint64_t>(*each.effect) + 1 : 0);
  }
  hasher.add(node_selector.size());
  for (const auto& [label, value] : node_selector) {
    hasher.add(label.hash());
    hasher.add(value.hash());
  }
  hasher.add(required ? required->size() + 1 : 0);
  if (required) {
    for (const NodeSelectorTerm& term : *required) hasher.add(term);
  }
  hasher.add(preferred.size());
  for (const PreferredTerm& each : preferred) {
    hasher.add(static_cast<std::uint64_t>(each.weight));
    hasher.add(each.term);
  }
  return hasher.hash();
}

void NodeFilter::adopt_symbols() {
  for (Toleration& each : tolerations) {
    each.key.adopt_symbol();
    each.value.adopt_symbol();
  }
  for (auto& [label, value] : node_selector) {
    label.adopt_symbol();
    value.adopt_symbol();
  }
  if (required) {
    for (NodeSelectorTerm& term : *required) topology::adopt_symbols(term);
  }
  for (PreferredTerm& each : preferred) topology::adopt_symbols(each.term);
}

std::int64_t NodeFilter::score(const NodeRecord& node) const {
  std::int64_t sum = 0;
  for (const PreferredTerm& preferred_term : preferred) {
    if (preferred_term.term.matches(node)) sum += preferred_term.weight;
  }
  return sum;
}

const Taint* first_untolerated(const std::vector<Taint>& taints,
                               const std::vector<Toleration>& tolerations,
                               const std::vector<Toleration>& flavor_tolerations) {
  for (const Taint& taint : taints) {
    if (!keeps_pods_away(taint)) continue;
    const auto covers = [&](const Toleration& t) { return t.tolerates(taint); };
    if (std::any_of(tolerations.begin(), tolerations.end(), covers)) continue;
    if (std::any_of(flavor_tolerations.begin(), flavor_tolerations.end(), covers)) continue;
    return &taint;
  }
  return nullptr;
}

FilterVerdict test_node(const NodeRecord& node, const NodeFilter& filter,
                        const std::vector<Toleration>& flavor_tolerations) {
  if (const Taint* taint = first_untolerated(node.taints, filter.tolerations, flavor_tolerations)) {
    return {FilterCause::kTaint, *taint};
  }
  for (const auto& [label, value] : filter.node_selector) {
    const std::optional<Symbol> have = node.labels.find(label);
    if (!have || value != *have) return {FilterCause::kNodeSelector, {}};
  }
  if (filter.required) {
    const auto matches = [&](const NodeSelectorTerm& term) { return term.matches(node); };
    if (std::none_of(filter.required->begin(), filter.required->end(), matches))
      return {FilterCause::kAffinity, {}};
  }
  return {};
}

}  // namespace tessera::topology
