// SPDX-License-Identifier: Apache-2.0
#include "topology/nodes/node_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

namespace tessera::topology {
namespace {

using enum TaintEffect;

Taint taint(const char* key, const char* value, TaintEffect effect = kNoSchedule) {
  return {Symbol(key), Symbol(value), effect};
}

Toleration toleration(const char* key, TolerationOperator op, const char* value,
                      std::optional<TaintEffect> effect = std::nullopt) {
  return {Symbol(key), op, Symbol(value), effect, std::nullopt};
}

LabelRequirement requirement(const char* key, LabelOperator op,
                             const std::vector<const char*>& values) {
  LabelRequirement out{Symbol(key), op, {}};
  for (const char* value : values) out.values.emplace_back(value);
  return out;
}

NodeRecord node(const char* name, const std::vector<std::pair<const char*, const char*>>& labels,
                std::vector<Taint> taints = {}) {
  NodeRecord out;
  out.name = Symbol(name);
  for (const auto& [key, value] : labels) out.labels.set(Symbol(key), Symbol(value));
  out.taints = std::move(taints);
  return out;
}

struct TolerationCase {
  const char* name;
  Toleration toleration;
  Taint taint;
  bool tolerates;

  friend std::ostream& operator<<(std::ostream& out, const TolerationCase& c) {
    return out << c.name;
  }
};

class Tolerations : public testing::TestWithParam<TolerationCase> {};

TEST_P(Tolerations, MatchAsInKubernetes) {
  EXPECT_EQ(GetParam().toleration.tolerates(GetParam().taint), GetParam().tolerates);
}

constexpr auto kEqual = TolerationOperator::kEqual, kExists = TolerationOperator::kExists,
               kLt = TolerationOperator::kLt, kGt = TolerationOperator::kGt;
const TolerationCase kTolerationCases[] = {
    {"equal", toleration("a", kEqual, "1"), taint("a", "1"), true},
    {"equal_another_value", toleration("a", kEqual, "2"), taint("a", "1"), false},
    {"equal_another_key", toleration("b", kEqual, "1"), taint("a", "1"), false},
    {"equal_empty_values", toleration("a", kEqual, ""), taint("a", ""), true},
    {"exists_any_value", toleration("a", kExists, ""), taint("a", "1"), true},
    {"exists_another_key", toleration("b", kExists, ""), taint("a", "1"), false},
    {"empty_key_with_exists", toleration("", kExists, ""), taint("a", "1", kNoExecute), true},
    {"empty_key_needs_exists", toleration("", kEqual, "1"), taint("a", "1"), false},
    {"empty_key_of_one_effect", toleration("", kExists, "", kNoExecute), taint("a", "1"), false},
    {"same_effect", toleration("a", kEqual, "1", kNoSchedule), taint("a", "1"), true},
    {"another_effect", toleration("a", kEqual, "1", kNoExecute), taint("a", "1"), false},
    {"gt_the_taint_is_greater", toleration("a", kGt, "900"), taint("a", "1000"), true},
    {"gt_is_strict", toleration("a", kGt, "900"), taint("a", "900"), false},
    {"lt_the_taint_is_less", toleration("a", kLt, "1000"), taint("a", "900"), true},
    {"lt_is_strict", toleration("a", kLt, "900"), taint("a", "900"), false},
    {"lt_below_zero", toleration("a", kLt, "0"), taint("a", "-9223372036854775808"), true},
    {"gt_taint_is_no_integer", toleration("a", kGt, "1"), taint("a", "high"), false},
    {"gt_taint_without_a_value", toleration("a", kGt, "-1"), taint("a", ""), false},
    {"gt_own_value_is_no_integer", toleration("a", kGt, "1.5"), taint("a", "2"), false},
    {"gt_beyond_64_bits", toleration("a", kGt, "1"), taint("a", "9223372036854775808"), false},
    {"gt_leading_zeros", toleration("a", kGt, "1"), taint("a", "0700"), false},
    {"gt_plus_sign", toleration("a", kGt, "+1"), taint("a", "700"), false},
    {"lt_minus_zero", toleration("a", kLt, "1"), taint("a", "-0"), false},
    {"lt_zero", toleration("a", kLt, "1"), taint("a", "0"), true},
};

INSTANTIATE_TEST_SUITE_P(NodeFilter, Tolerations, testing::ValuesIn(kTolerationCases),
                         [](const auto& tested) { return tested.param.name; });

TEST(FirstUntolerated, IsTheFirstInNodeOrderThatKeepsPodsAway) {  // cases.md C073
  const std::vector<Taint> taints = {taint("soft", "", kPreferNoSchedule), taint("z", "1"),
                                     taint("a", "1", kNoExecute)};
  const Toleration z = toleration("z", kExists, ""), a = toleration("a", kExists, "");
  EXPECT_EQ(first_untolerated(taints, {}, {}), &taints[1]);
  EXPECT_EQ(first_untolerated(taints, {z}, {}), &taints[2]);
  EXPECT_EQ(first_untolerated(taints, {}, {z}), &taints[2]) << "the flavor's count too";
  EXPECT_EQ(first_untolerated(taints, {a}, {z}), nullptr);
}

TEST(Taint, IsWrittenWithoutAnEmptyValue) {  // placement.md M4
  EXPECT_EQ(taint("maint", "yes").text(), "maint=yes:NoSchedule");
  EXPECT_EQ(taint("maint", "", kNoExecute).text(), "maint:NoExecute");
  EXPECT_EQ(taint("maint", "", kPreferNoSchedule).text(), "maint:PreferNoSchedule");
}

TEST(NodeFilter, NamesTheFirstFilterThatFails) {
  NodeFilter filter;
  filter.node_selector = {{Symbol("gen"), Symbol("gb200")}};
  filter.required = {{{requirement("zone", LabelOperator::kIn, {"z1"})}, {}}};
  const auto cause = [&](const NodeRecord& tested) { return test_node(tested, filter, {}).cause; };
  const Taint maint = taint("maint", "yes");
  EXPECT_EQ(cause(node("n", {}, {maint})), FilterCause::kTaint);
  EXPECT_EQ(test_node(node("n", {}, {maint}), filter, {}).taint, maint);
  EXPECT_EQ(cause(node("n", {})), FilterCause::kNodeSelector);
  EXPECT_EQ(cause(node("n", {{"gen", "gb200"}})), FilterCause::kAffinity);
  EXPECT_EQ(cause(node("n", {{"gen", "gb200"}, {"zone", "z1"}})), FilterCause::kNone);
}

TEST(NodeFilter, TakesTermsAsAlternatives) {  // cases.md C079
  NodeFilter filter;
  filter.required = {{{requirement("gen", LabelOperator::kIn, {"gb200"}),
                       requirement("zone", LabelOperator::kIn, {"z1"})},
                      {}},
                     {{requirement("gen", LabelOperator::kIn, {"h100"})}, {}}};
  std::string matching;
  for (const NodeRecord& tested :
       {node("a", {{"gen", "h100"}, {"zone", "z1"}}), node("b", {{"gen", "gb200"}, {"zone", "z2"}}),
        node("c", {{"gen", "gb200"}, {"zone", "z1"}})}) {
    if (test_node(tested, filter, {}).cause == FilterCause::kNone) matching += tested.name.str();
  }
  EXPECT_EQ(matching, "ac");
}

TEST(NodeFilter, RequiredWithoutTermsOrWithAnEmptyTermMatchesNoNode) {
  NodeFilter filter;
  EXPECT_EQ(test_node(node("n", {}), filter, {}).cause, FilterCause::kNone);
  filter.required.emplace();
  EXPECT_EQ(test_node(node("n", {}), filter, {}).cause, FilterCause::kAffinity);
  filter.required->emplace_back();
  EXPECT_EQ(test_node(node("n", {}), filter, {}).cause, FilterCause::kAffinity);
}

struct FieldCase {
  const char* name;
  LabelRequirement field;
  bool matches;  // the node n1

  friend std::ostream& operator<<(std::ostream& out, const FieldCase& c) { return out << c.name; }
};

class Fields : public testing::TestWithParam<FieldCase> {};

TEST_P(Fields, KnowTheNameOnly) {
  const NodeRecord tested = node("n1", {{"metadata.name", "n2"}});
  EXPECT_EQ((NodeSelectorTerm{{}, {GetParam().field}}.matches(tested)), GetParam().matches);
}

const FieldCase kFieldCases[] = {
    {"in", requirement("metadata.name", LabelOperator::kIn, {"n1"}), true},
    {"in_another", requirement("metadata.name", LabelOperator::kIn, {"n2"}), false},
    {"not_in", requirement("metadata.name", LabelOperator::kNotIn, {"n1"}), false},
    {"not_in_another", requirement("metadata.name", LabelOperator::kNotIn, {"n2"}), true},
    {"two_names", requirement("metadata.name", LabelOperator::kIn, {"n1", "n2"}), false},
    {"exists", requirement("metadata.name", LabelOperator::kExists, {}), false},
    {"another_field", requirement("metadata.uid", LabelOperator::kNotIn, {"n1"}), false},
};

INSTANTIATE_TEST_SUITE_P(NodeFilter, Fields, testing::ValuesIn(kFieldCases),
                         [](const auto& tested) { return tested.param.name; });

TEST(NodeFilter, AddsTheWeightsOfMatchingTerms) {  // placement.md 4.8
  NodeFilter filter;
  filter.preferred = {{40, {{requirement("zone", LabelOperator::kIn, {"z1"})}, {}}},
                      {7, {{requirement("gen", LabelOperator::kExists, {})}, {}}},
                      {100, {{requirement("zone", LabelOperator::kIn, {"z2"})}, {}}},
                      {90, {}}};
  EXPECT_EQ(filter.score(node("n", {{"zone", "z1"}, {"gen", "x"}})), 47);
  EXPECT_EQ(filter.score(node("n", {})), 0);
}

NodeFilter full_filter() {
  NodeFilter filter;
  filter.tolerations = {toleration("a", kEqual, "1"), toleration("b", kExists, "", kNoExecute)};
  filter.node_selector = {{Symbol("gen"), Symbol("gb200")}, {Symbol("zone"), Symbol("z1")}};
  filter.required = {{{requirement("x", LabelOperator::kIn, {"1", "2"}),
                       requirement("y", LabelOperator::kExists, {})},
                      {}},
                     {{}, {requirement("metadata.name", LabelOperator::kNotIn, {"n1"})}}};
  filter.preferred = {{1, {{requirement("p", LabelOperator::kExists, {})}, {}}},
                      {2, {{requirement("q", LabelOperator::kExists, {})}, {}}}};
  return filter;
}

TEST(NodeFilterKey, IsTheSameInAnyOrderOfTheParts) {
  NodeFilter turned = full_filter();
  std::reverse(turned.tolerations.begin(), turned.tolerations.end());
  std::reverse(turned.node_selector.begin(), turned.node_selector.end());
  std::reverse(turned.required->begin(), turned.required->end());
  std::reverse(turned.preferred.begin(), turned.preferred.end());
  std::vector<LabelRequirement>& expressions = turned.required->back().expressions;
  std::reverse(expressions.begin(), expressions.end());
  std::reverse(expressions.back().values.begin(), expressions.back().values.end());
  turned.tolerations[0].seconds = 300;  // how long a pod may stay, not where it may go
  EXPECT_EQ(turned.key(), full_filter().key());
  EXPECT_EQ(turned.preferred_key(), full_filter().preferred_key());
}

TEST(NodeFilterKey, TellsFiltersApart) {
  using Change = void (*)(NodeFilter&);
  const Change changes[] = {
      [](NodeFilter&) {},
      [](NodeFilter& f) { f.required.reset(); },
      [](NodeFilter& f) { f.required->clear(); },
      [](NodeFilter& f) { f.required = {NodeSelectorTerm{}}; },
      [](NodeFilter& f) { f.tolerations[0].op = kGt; },
      [](NodeFilter& f) { f.tolerations[0].effect = kNoSchedule; },
      [](NodeFilter& f) { f.tolerations[0].effect = kNoExecute; },
      [](NodeFilter& f) { f.tolerations.pop_back(); },
      [](NodeFilter& f) { f.node_selector.pop_back(); },
      [](NodeFilter& f) {
        f.node_selector[0] = {Symbol("geng"), Symbol("b200")};
      },
      [](NodeFilter& f) { f.required->at(0).expressions[0].values.pop_back(); },
      [](NodeFilter& f) { f.required->at(0).expressions[0].values = {Symbol("12")}; },
      [](NodeFilter& f) { f.required->at(0).expressions[0].op = LabelOperator::kNotIn; },
      [](NodeFilter& f) { std::swap(f.required->at(1).expressions, f.required->at(1).fields); },
  };
  std::vector<std::string> keys;
  for (Change change : changes) {
    NodeFilter filter = full_filter();
    change(filter);
    EXPECT_EQ(filter.preferred_key(), full_filter().preferred_key());
    keys.push_back(filter.key());
  }
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::unique(keys.begin(), keys.end()), keys.end());
}

// One value of 123 bytes that reads like 11 values: "1" then "123:..." against "11" then "23:...".
TEST(NodeFilterKey, CannotBeImitatedByAValue) {
  const std::string first(23, 'a');
  std::string rest;
  std::vector<AskedText> eleven = {AskedText(first)};
  for (int i = 0; i < 10; ++i) {
    const std::string value(i == 9 ? 16 : 7, static_cast<char>('b' + i));
    eleven.emplace_back(value);
    rest += std::to_string(value.size()) + ":" + value;
  }
  const std::string one = first + rest;
  ASSERT_EQ(one.size(), 123u);
  NodeFilter a, b;
  a.required = {{{{Symbol("k"), LabelOperator::kIn, {Symbol(one)}}}, {}}};
  b.required = {{{{Symbol("k"), LabelOperator::kIn, eleven}}, {}}};
  EXPECT_NE(a.key(), b.key());
}

TEST(NodeFilterKey, PreferredTellsWeightsApart) {
  NodeFilter filter = full_filter();
  filter.preferred[0].weight = 12;
  EXPECT_NE(filter.preferred_key(), full_filter().preferred_key());
  EXPECT_EQ(filter.key(), full_filter().key());
}

}  // namespace
}  // namespace tessera::topology
