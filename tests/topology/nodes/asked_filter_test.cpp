// SPDX-License-Identifier: Apache-2.0
// A filter says the same of a node as plain texts do, and is equal to another filter iff the texts
// are: it makes no difference whether somebody interned a text before the filter came, afterwards
// or never.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <random>
#include <string>

#include "topology/nodes/node_filter.h"

namespace tessera::topology {
namespace {

struct PlainTaint {
  std::string key, value;
  TaintEffect effect;
};
struct PlainNode {
  std::string name;
  std::map<std::string, std::string> labels;
  std::vector<PlainTaint> taints;
};

struct PlainToleration {
  std::string key, value;
  TolerationOperator op;
  std::optional<TaintEffect> effect;
  bool operator==(const PlainToleration&) const = default;
};
struct PlainRequirement {
  std::string key;
  LabelOperator op;
  std::vector<std::string> values;
  bool operator==(const PlainRequirement&) const = default;
};
struct PlainTerm {
  std::vector<PlainRequirement> expressions, fields;
  bool operator==(const PlainTerm&) const = default;
};
struct PlainFilter {
  std::vector<PlainToleration> tolerations;
  std::map<std::string, std::string> selector;
  std::optional<std::vector<PlainTerm>> required;
  std::vector<PlainTerm> preferred;  // of weight 1, 2, ...
  bool operator==(const PlainFilter&) const = default;
};

std::optional<std::int64_t> number_in(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || *end != '\0') return std::nullopt;
  return value;  // the texts below have no other forms of a number than this reads
}

bool plainly_tolerates(const PlainToleration& toleration, const PlainTaint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (toleration.key.empty()) return toleration.op == TolerationOperator::kExists;
  if (toleration.key != taint.key) return false;
  if (toleration.op == TolerationOperator::kExists) return true;
  if (toleration.op == TolerationOperator::kEqual) return toleration.value == taint.value;
  const auto have = number_in(taint.value), limit = number_in(toleration.value);
  if (!have || !limit) return false;
  return toleration.op == TolerationOperator::kGt ? *have > *limit : *have < *limit;
}

bool plainly_meets(const PlainRequirement& requirement, const std::string* value) {
  const std::vector<std::string>& values = requirement.values;
  const bool listed =
      value != nullptr && std::find(values.begin(), values.end(), *value) != values.end();
  switch (requirement.op) {
    case LabelOperator::kIn:
      return listed;
    case LabelOperator::kNotIn:
      return !listed;
    case LabelOperator::kExists:
      return value != nullptr;
    case LabelOperator::kDoesNotExist:
      return value == nullptr;
    default:
      break;
  }
  if (value == nullptr || values.size() != 1) return false;
  const auto have = number_in(*value), limit = number_in(values[0]);
  if (!have || !limit) return false;
  return requirement.op == LabelOperator::kGt ? *have > *limit : *have < *limit;
}

bool plainly_meets(const PlainTerm& term, const PlainNode& node) {
  for (const PlainRequirement& each : term.expressions) {
    const auto label = node.labels.find(each.key);
    if (!plainly_meets(each, label == node.labels.end() ? nullptr : &label->second)) return false;
  }
  for (const PlainRequirement& each : term.fields) {
    const bool in = each.op == LabelOperator::kIn, not_in = each.op == LabelOperator::kNotIn;
    if (each.key != "metadata.name" || (!in && !not_in) || each.values.size() != 1) return false;
    if ((each.values[0] == node.name) != in) return false;
  }
  return !term.expressions.empty() || !term.fields.empty();
}

FilterCause plain_cause(const PlainNode& node, const PlainFilter& filter) {
  for (const PlainTaint& taint : node.taints) {
    if (taint.effect == TaintEffect::kPreferNoSchedule) continue;
    if (std::none_of(filter.tolerations.begin(), filter.tolerations.end(),
                     [&](const auto& each) { return plainly_tolerates(each, taint); })) {
      return FilterCause::kTaint;
    }
  }
  for (const auto& [key, value] : filter.selector) {
    const auto label = node.labels.find(key);
    if (label == node.labels.end() || label->second != value) return FilterCause::kNodeSelector;
  }
  if (filter.required &&
      std::none_of(filter.required->begin(), filter.required->end(),
                   [&](const PlainTerm& term) { return plainly_meets(term, node); })) {
    return FilterCause::kAffinity;
  }
  return FilterCause::kNone;
}

std::int64_t plain_score(const PlainNode& node, const PlainFilter& filter) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < filter.preferred.size(); ++i) {
    if (plainly_meets(filter.preferred[i], node)) sum += static_cast<std::int64_t>(i) + 1;
  }
  return sum;
}

std::vector<LabelRequirement> asked(const std::vector<PlainRequirement>& plain) {
  std::vector<LabelRequirement> out;
  for (const PlainRequirement& each : plain) {
    out.push_back({AskedText(each.key), each.op, {}});
    for (const std::string& value : each.values) out.back().values.emplace_back(value);
  }
  return out;
}
NodeSelectorTerm asked(const PlainTerm& plain) {
  return {asked(plain.expressions), asked(plain.fields)};
}
NodeFilter asked(const PlainFilter& plain) {
  NodeFilter out;
  for (const PlainToleration& each : plain.tolerations) {
    out.tolerations.push_back(
        {AskedText(each.key), each.op, AskedText(each.value), each.effect, std::nullopt});
  }
  for (const auto& [key, value] : plain.selector) {
    out.node_selector.emplace_back(AskedText(key), AskedText(value));
  }
  if (plain.required) {
    out.required.emplace();
    for (const PlainTerm& term : *plain.required) out.required->push_back(asked(term));
  }
  for (const PlainTerm& term : plain.preferred) {
    out.preferred.push_back({static_cast<std::int32_t>(out.preferred.size()) + 1, asked(term)});
  }
  return out;
}

NodeRecord interned(const PlainNode& plain) {
  NodeRecord out;
  out.name = Symbol(plain.name);
  for (const auto& [key, value] : plain.labels) out.labels.set(Symbol(key), Symbol(value));
  for (const PlainTaint& each : plain.taints) {
    out.taints.push_back({Symbol(each.key), Symbol(each.value), each.effect});
  }
  return out;
}

/// Draws filters and nodes out of a few texts that no other draw has, so that each is still to be
/// interned.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {
    const std::string of_seed = "of draw " + std::to_string(seed) + ": ";
    for (const char* text : {"a", "b", "c", "d"}) texts_.push_back(of_seed + text);
    const auto first = static_cast<std::int64_t>(1'000 + 3 * seed);
    for (std::int64_t n = first; n < first + 3; ++n) texts_.push_back(std::to_string(n));
    texts_.push_back(std::to_string(-first));
    texts_.emplace_back();
  }

  std::size_t below(std::size_t end) { return random_() % end; }
  const std::string& text() { return texts_[below(texts_.size())]; }
  /// Somebody interns a text of this draw.
  void intern_one() { Symbol symbol(text()); }

  PlainTaint taint() { return {text(), text(), static_cast<TaintEffect>(below(3))}; }
  PlainNode node() {
    PlainNode out{text(), {}, {}};
    for (std::size_t left = below(6); left > 0; --left) out.labels[text()] = text();
    if (below(3) == 0) out.taints.push_back(taint());
    return out;
  }

  PlainToleration toleration() {
    PlainToleration out{text(), text(), static_cast<TolerationOperator>(below(4)), {}};
    if (below(4) == 0) out.effect = static_cast<TaintEffect>(below(3));
    return out;
  }
  PlainRequirement requirement() {
    PlainRequirement out{text(), static_cast<LabelOperator>(below(6)), {}};
    for (std::size_t left = 1 + below(2); left > 0; --left) out.values.push_back(text());
    return out;
  }
  PlainTerm term() {
    PlainTerm out;
    for (std::size_t left = below(3); left > 0; --left) out.expressions.push_back(requirement());
    if (below(4) == 0) {
      out.fields.push_back(requirement());
      if (below(4) > 0) out.fields[0].key = "metadata.name";
    }
    return out;
  }
  PlainFilter filter() {
    PlainFilter out;
    for (std::size_t left = below(4); left > 0; --left) out.tolerations.push_back(toleration());
    if (below(3) == 0) out.selector[text()] = text();
    if (below(2) == 0) {
      out.required.emplace();
      for (std::size_t left = 1 + below(2); left > 0; --left) out.required->push_back(term());
    }
    for (std::size_t left = below(3); left > 0; --left) out.preferred.push_back(term());
    return out;
  }
  /// The same filter, most often with another text in it.
  PlainFilter nearly(PlainFilter filter) {
    if (!filter.tolerations.empty()) filter.tolerations[0].value = text();
    if (!filter.selector.empty() && below(2) == 0) filter.selector.begin()->second = text();
    if (filter.required && !(*filter.required)[0].expressions.empty() && below(2) == 0) {
      (*filter.required)[0].expressions[0].values[0] = text();
    }
    return filter;
  }

 private:
  std::mt19937_64 random_;
  std::vector<std::string> texts_;
};

TEST(AskedFilter, SaysOfANodeWhatPlainTextsSay) {
  std::map<FilterCause, int> seen;
  int scored = 0;
  for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
    Draw draw(seed);
    for (std::size_t left = draw.below(6); left > 0; --left) draw.intern_one();
    const PlainFilter plain = draw.filter();
    const std::size_t before = Symbol::count();
    const NodeFilter filter = asked(plain);
    ASSERT_EQ(Symbol::count(), before) << "seed " << seed;
    NodeFilter adopted = filter;
    for (int i = 0; i < 4; ++i) {  // each node interns its texts
      const PlainNode plain_node = draw.node();
      const NodeRecord node = interned(plain_node);
      const FilterCause right = plain_cause(plain_node, plain);
      ASSERT_EQ(test_node(node, filter, {}).cause, right) << "seed " << seed;
      ASSERT_EQ(filter.score(node), plain_score(plain_node, plain)) << "seed " << seed;
      adopted.adopt_symbols();
      ASSERT_EQ(test_node(node, adopted, {}).cause, right) << "seed " << seed;
      ASSERT_EQ(adopted.score(node), filter.score(node)) << "seed " << seed;
      ++seen[right];
      scored += filter.score(node) > 0 ? 1 : 0;
    }
  }
  EXPECT_EQ(seen.size(), 4U);
  for (const auto& [cause, times] : seen) EXPECT_GT(times, 500) << static_cast<int>(cause);
  EXPECT_GT(scored, 500);
}

TEST(AskedFilter, IsEqualToAnotherIffTheTextsAre) {
  int equal = 0, different = 0;
  for (std::uint64_t seed = 10'000; seed < 14'000; ++seed) {
    Draw draw(seed);
    const PlainFilter plain = draw.filter(), plain_other = draw.nearly(plain);
    const NodeFilter before = asked(plain);
    for (std::size_t left = draw.below(8); left > 0; --left) draw.intern_one();
    const NodeFilter after = asked(plain), other = asked(plain_other);
    NodeFilter adopted = before;
    adopted.adopt_symbols();
    for (const NodeFilter* same : {&after, &std::as_const(adopted)}) {
      ASSERT_EQ(*same, before) << "seed " << seed;
      ASSERT_EQ(same->hash(), before.hash()) << "seed " << seed;
      ASSERT_EQ(same->key(), before.key()) << "seed " << seed;
      ASSERT_EQ(same->preferred_key(), before.preferred_key()) << "seed " << seed;
    }
    ASSERT_EQ(other == before, plain_other == plain) << "seed " << seed;
    if (plain_other == plain) {
      ++equal;
      continue;
    }
    ++different;
    ASSERT_NE(other.hash(), before.hash()) << "seed " << seed;
  }
  EXPECT_GT(equal, 500);
  EXPECT_GT(different, 500);
}

}  // namespace
}  // namespace tessera::topology
