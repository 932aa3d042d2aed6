// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ingest/reader/read.h"

namespace tessera::reader {
namespace {

using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string repeat(std::string_view part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

struct DepthCase {
  const char* name;
  std::string_view before, part;
  const char* expected;  // how the one error starts
};

std::ostream& operator<<(std::ostream& out, const DepthCase& c) {
  return out << c.before << c.part;
}

class Depth : public ::testing::TestWithParam<DepthCase> {};

// A million levels overflow any stack and take minutes where the work per level grows with the
// depth.
TEST_P(Depth, OfAMillionLevelsIsOneError) {
  for (const int levels : {20'000, 1'000'000}) {
    const Collected got = read(std::string(GetParam().before) + repeat(GetParam().part, levels));
    EXPECT_THAT(got.objects, IsEmpty());
    ASSERT_EQ(got.errors.size(), 1u);
    EXPECT_THAT(got.errors[0], StartsWith(GetParam().expected));
  }
}

const DepthCase kDepths[] = {
    {"json arrays", "{\"a\":", "[", "f:1:133: nested deeper than 128 levels"},
    {"json objects", "", "{\"a\":", "f:1:641: nested deeper than 128 levels"},
    {"json array at the root", "", "[", "f:1:2: expected an object, found a list"},
    {"yaml flow lists", "a: ", "[", "f:1:131: nested deeper than 128 levels"},
    {"yaml flow maps", "a: ", "{", "f:1:5: a key must be a text, found an object"},
    {"yaml flow maps with colons", "a: ", "{:", "f:1:5: malformed YAML"},
    {"yaml flow maps in a text of json", "", "{{{:", "f:1:2: "},
    {"yaml flow maps by key", "", "{a: ", "f:1:513: nested deeper than 128 levels"},
    {"yaml block lists", "a:\n", "- ", "f:2:255: nested deeper than 128 levels"},
    {"yaml questions", "", "? ", "f:1:3: a key must be a text, found an object"},
    {"yaml in a merge", "<<: ", "[", "f:1:132: nested deeper than 128 levels"},
};
INSTANTIATE_TEST_SUITE_P(Limits, Depth, ::testing::ValuesIn(kDepths),
                         case_name<::testing::TestParamInfo<DepthCase>>);

TEST(Depth, UpToTheLimitIsRead) {
  EXPECT_THAT(read("{\"a\":" + repeat("[", 127) + repeat("]", 127) + "}").errors, IsEmpty());
  EXPECT_THAT(read("a: " + repeat("[", 127) + repeat("]", 127)).errors, IsEmpty());
  EXPECT_EQ(read("a: " + repeat("[", 128) + repeat("]", 128)).codes,
            std::vector{ErrorCode::kLimit});
}

TEST(Depth, CountsWhatAliasesAdd) {
  std::string text = "a0: &a0 []\n";
  for (int i = 1; i < 200; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
            "]\n";
  }
  const Collected got = read(text);
  ASSERT_EQ(got.errors.size(), 1u);
  EXPECT_THAT(got.errors[0], ::testing::HasSubstr("nested deeper than 128 levels"));
}

TEST(ObjectLimits, HoldForTheTextOfOneObject) {
  Limits limits;
  limits.max_object_bytes = 1000;
  const std::string item = "{\"a\":\"" + std::string(900, 'x') + "\"}";
  EXPECT_EQ(read("[" + item + "," + item + "," + item + "]", limits).objects.size(), 3u);
  const Collected got =
      read("{\"a\":1}\n{\"b\":\"" + std::string(1001, 'x') + "\"}\n{\"c\":1}", limits);
  EXPECT_EQ(got.objects.size(), 2u);
  ASSERT_EQ(got.errors.size(), 1u);
  EXPECT_EQ(got.errors[0], "f:2:6: object holds more than 1000 bytes of text");
}

TEST(ObjectLimits, HoldForTheValuesOfOneObject) {
  Limits limits;
  limits.max_nodes = 10;
  EXPECT_THAT(read("a: [1,2,3,4,5,6,7,8]", limits).errors, IsEmpty());
  const Collected got = read("a: [1,2,3,4,5,6,7,8,9]", limits);
  ASSERT_EQ(got.errors.size(), 1u);
  EXPECT_EQ(got.errors[0], "f:1:21: object holds more than 10 values");
  EXPECT_EQ(got.codes[0], ErrorCode::kLimit);
}

TEST(DirectiveLimits, StopWhatTakesMinutesToCompare) {
  std::string tags;
  for (int i = 0; i < 300'000; ++i) tags += "%TAG !t" + std::to_string(i) + "! tag:x,2026:\n";
  const std::vector<std::string> expected{"f:1:1: too many %TAG directives: write tags out"};
  EXPECT_EQ(read(tags + "---\na: 1\n").errors, expected);
  EXPECT_EQ(read("a: 1\n" + tags).errors, expected);
}

TEST(ObjectLimits, RefuseDuplicatesInLargeMaps) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "k" + std::to_string(i) + ": 1\n";
  EXPECT_THAT(read(text).errors, IsEmpty());
  const Collected got = read(text + "k77777: 2\n");
  ASSERT_EQ(got.errors.size(), 1u);
  EXPECT_EQ(got.errors[0], "f:100001:1: duplicate key \"k77777\": give it once in its object");
}

}  // namespace
}  // namespace tessera::reader
