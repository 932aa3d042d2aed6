// SPDX-License-Identifier: Apache-2.0
// Any bytes as a filter and a node: neither the filter's keys nor what it says of the node depend
// on the order of its parts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "topology/nodes/node_filter.h"

namespace tessera::topology {
namespace {

/// Takes parts of a filter off the input; an input that has ended gives zeros.
class Parts {
 public:
  Parts(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::uint8_t below(int end) { return static_cast<std::uint8_t>(byte() % end); }

  /// A text out of few, so that keys and values meet, or one of the input's own bytes.
  std::string text() {
    static constexpr const char* kTexts[] = {"",   "a",  "b",   "metadata.name",      "7", "-7",
                                             "+7", "07", "+-7", "9223372036854775808"};
    const std::uint8_t choice = below(16);
    if (choice < std::size(kTexts)) return kTexts[choice];
    std::string own;
    for (std::uint8_t left = below(8); left > 0; --left) own += static_cast<char>(byte());
    return own;
  }
  Symbol symbol() { return Symbol(text()); }
  AskedText asked() { return AskedText(text()); }

  Taint taint() { return {symbol(), symbol(), static_cast<TaintEffect>(below(3))}; }

  Toleration toleration() {
    Toleration out;
    out.key = asked();
    out.op = static_cast<TolerationOperator>(below(4));
    out.value = asked();
    if (const std::uint8_t effect = below(4); effect < 3) out.effect = TaintEffect{effect};
    return out;
  }

  LabelRequirement requirement() {
    LabelRequirement out{asked(), static_cast<LabelOperator>(below(6)), {}};
    for (std::uint8_t left = below(4); left > 0; --left) out.values.push_back(asked());
    return out;
  }

  NodeSelectorTerm term() {
    NodeSelectorTerm out;
    for (std::uint8_t left = below(4); left > 0; --left) out.expressions.push_back(requirement());
    for (std::uint8_t left = below(3); left > 0; --left) out.fields.push_back(requirement());
    return out;
  }

  NodeFilter filter() {
    NodeFilter out;
    for (std::uint8_t left = below(4); left > 0; --left) out.tolerations.push_back(toleration());
    for (std::uint8_t left = below(4); left > 0; --left) {
      AskedText key = asked();
      out.node_selector.emplace_back(std::move(key), asked());
    }
    if (below(2) == 1) {
      out.required.emplace();
      for (std::uint8_t left = below(4); left > 0; --left) out.required->push_back(term());
    }
    for (std::uint8_t left = below(4); left > 0; --left) {
      const int weight = 1 + below(100);
      out.preferred.push_back({weight, term()});
    }
    return out;
  }

  NodeRecord node() {
    NodeRecord out;
    out.name = symbol();
    for (std::uint8_t left = below(6); left > 0; --left) {
      const Symbol key = symbol();
      out.labels.set(key, symbol());
    }
    for (std::uint8_t left = below(4); left > 0; --left) out.taints.push_back(taint());
    return out;
  }

 private:
  std::uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }

  const std::uint8_t* data_;
  std::size_t size_;
};

void turn(NodeSelectorTerm& term) {
  for (auto* list : {&term.expressions, &term.fields}) {
    std::reverse(list->begin(), list->end());
    for (LabelRequirement& requirement : *list) {
      std::reverse(requirement.values.begin(), requirement.values.end());
    }
  }
}

NodeFilter turned(NodeFilter filter) {
  std::reverse(filter.tolerations.begin(), filter.tolerations.end());
  std::reverse(filter.node_selector.begin(), filter.node_selector.end());
  if (filter.required) {
    std::reverse(filter.required->begin(), filter.required->end());
    for (NodeSelectorTerm& term : *filter.required) turn(term);
  }
  std::reverse(filter.preferred.begin(), filter.preferred.end());
  for (PreferredTerm& preferred : filter.preferred) turn(preferred.term);
  return filter;
}

void check(bool holds) {
  if (!holds) std::abort();
}

void test_input(Parts parts) {
  const NodeFilter filter = parts.filter(), other = turned(filter);
  const NodeFilter second = parts.filter();
  const NodeRecord node = parts.node();
  const std::vector<Toleration> flavor = {parts.toleration()};
  const FilterVerdict verdict = test_node(node, filter, flavor);

  check(filter.key() == other.key() && filter.preferred_key() == other.preferred_key());
  const FilterVerdict again = test_node(node, other, flavor);
  check(again.cause == verdict.cause && again.taint == verdict.taint);
  check(filter.score(node) == other.score(node));
  // Nor on what was interned meanwhile.
  NodeFilter adopted = filter;
  adopted.adopt_symbols();
  check(adopted == filter && adopted.hash() == filter.hash() && adopted.key() == filter.key());
  check(test_node(node, adopted, flavor).cause == verdict.cause);
  check(adopted.score(node) == filter.score(node));
  // Equal keys stand for equal answers.
  if (second.key() == filter.key()) check(test_node(node, second, flavor).cause == verdict.cause);
  if (second.preferred_key() == filter.preferred_key()) {
    check(second.score(node) == filter.score(node));
  }
}

}  // namespace
}  // namespace tessera::topology

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tessera::topology::test_input({data, size});
  return 0;
}
