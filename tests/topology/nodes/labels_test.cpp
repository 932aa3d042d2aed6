// SPDX-License-Identifier: Apache-2.0
#include "topology/nodes/labels.h"

#include <gtest/gtest.h>

#include <ostream>

namespace tessera::topology {
namespace {

TEST(Labels, KeepTheLastValueOfAKeyInAnyOrder) {
  const Symbol zone("zone"), rack("rack"), host("host");
  Labels one, other;
  for (Symbol key : {zone, rack, host}) one.set(key, Symbol("old"));
  for (Symbol key : {zone, rack, host}) one.set(key, Symbol(key.str() + "-1"));
  for (Symbol key : {host, zone, rack}) other.set(key, Symbol(key.str() + "-1"));
  EXPECT_EQ(one.size(), 3u);
  EXPECT_EQ(one, other);
  EXPECT_EQ(one.find(rack)->view(), "rack-1");
  EXPECT_FALSE(one.find(Symbol("row")));
}

TEST(Labels, AnEmptyValueIsNotAnAbsentOne) {
  Labels labels;
  labels.set(Symbol("gpu"), Symbol());
  ASSERT_TRUE(labels.find(Symbol("gpu")));
  EXPECT_TRUE(labels.find(Symbol("gpu"))->empty());
}

struct RequirementCase {
  const char* name;
  const char* value;  // of the object's label; nullptr: it has none
  LabelOperator op;
  std::vector<const char*> values;
  bool matches;

  friend std::ostream& operator<<(std::ostream& out, const RequirementCase& c) {
    return out << c.name;
  }
};

class Requirement : public testing::TestWithParam<RequirementCase> {};

TEST_P(Requirement, MatchesAsInKubernetes) {
  const RequirementCase& c = GetParam();
  LabelRequirement requirement{Symbol("key"), c.op, {}};
  for (const char* value : c.values) requirement.values.emplace_back(value);
  Labels labels;
  labels.set(Symbol("another"), Symbol("10"));
  if (c.value != nullptr) labels.set(Symbol("key"), Symbol(c.value));
  EXPECT_EQ(requirement.matches(labels.find(Symbol("key"))), c.matches);
  EXPECT_EQ(LabelSelector{{requirement}}.matches(labels), c.matches);
}

using enum LabelOperator;
const RequirementCase kRequirementCases[] = {
    {"in_lists_the_value", "b", kIn, {"a", "b"}, true},
    {"in_does_not_list_the_value", "c", kIn, {"a", "b"}, false},
    {"in_needs_the_key", nullptr, kIn, {"a"}, false},
    {"in_an_empty_value_is_listed", "", kIn, {""}, true},
    {"in_an_absent_key_is_no_empty_value", nullptr, kIn, {""}, false},
    {"not_in_lists_the_value", "a", kNotIn, {"a"}, false},
    {"not_in_does_not_list_the_value", "c", kNotIn, {"a", "b"}, true},
    {"not_in_matches_without_the_key", nullptr, kNotIn, {"a"}, true},
    {"exists", "", kExists, {}, true},
    {"exists_needs_the_key", nullptr, kExists, {}, false},
    {"does_not_exist", nullptr, kDoesNotExist, {}, true},
    {"does_not_exist_with_an_empty_value", "", kDoesNotExist, {}, false},
    {"gt_compares_numbers_not_texts", "10", kGt, {"9"}, true},
    {"gt_is_strict", "9", kGt, {"9"}, false},
    {"lt_compares_numbers_not_texts", "9", kLt, {"10"}, true},
    {"lt_is_strict", "9", kLt, {"9"}, false},
    {"lt_below_zero", "-3", kLt, {"-2"}, true},
    {"gt_reads_a_plus_and_leading_zeros", "+010", kGt, {"9"}, true},
    {"gt_without_the_key", nullptr, kGt, {"-5"}, false},
    {"gt_of_two_signs", "+-10", kLt, {"9"}, false},
    {"gt_of_a_fraction", "10.5", kGt, {"9"}, false},
    {"gt_of_a_text_with_a_tail", "10x", kGt, {"9"}, false},
    {"gt_of_an_empty_value", "", kGt, {"-1"}, false},
    {"gt_limit_is_no_integer", "10", kGt, {"x"}, false},
    {"gt_beyond_64_bits", "9223372036854775808", kGt, {"1"}, false},
    {"gt_at_the_end_of_64_bits", "9223372036854775807", kGt, {"9223372036854775806"}, true},
    {"gt_with_two_values", "10", kGt, {"1", "2"}, false},
    {"gt_without_values", "10", kGt, {}, false},
};

INSTANTIATE_TEST_SUITE_P(Labels, Requirement, testing::ValuesIn(kRequirementCases),
                         [](const auto& tested) { return tested.param.name; });

TEST(LabelSelector, NeedsEveryRequirementAndMatchesEverythingWithNone) {
  Labels labels;
  labels.set(Symbol("a"), Symbol("1"));
  const LabelRequirement met{Symbol("a"), kIn, {Symbol("1")}};
  const LabelRequirement missed{Symbol("b"), kExists, {}};
  EXPECT_TRUE(LabelSelector{}.matches(labels));
  EXPECT_TRUE(LabelSelector{{met}}.matches(labels));
  EXPECT_FALSE((LabelSelector{{met, missed}}.matches(labels)));
}

}  // namespace
}  // namespace tessera::topology
