// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/ingest/reader/read.h"

namespace tessera::reader {
namespace {

TEST(Value, OfNothingIsAbsentAllTheWayDown) {
  const Value absent;
  EXPECT_FALSE(absent);
  EXPECT_FALSE(absent["spec"]["replicas"]);
  EXPECT_FALSE(absent.first());
  EXPECT_FALSE(absent.next());
  EXPECT_EQ(absent.size(), 0u);
  EXPECT_EQ(absent.text(), "");
  EXPECT_EQ(absent.key(), "");
  EXPECT_EQ(absent.position().line, 0u);
  EXPECT_FALSE(absent.is(Type::kNull));
}

TEST(Value, WalksEntriesInInputOrder) {
  Document document;
  document.begin(Type::kMap, {1, 1});
  document.key("b", {1, 2});
  document.begin(Type::kSequence, {1, 5});
  document.scalar(Type::kNumber, "1", {1, 6});
  document.scalar(Type::kNull, "", {1, 8});
  document.end();
  document.key("a", {2, 1});
  document.scalar(Type::kBool, "true", {2, 4});
  document.end();

  const Value root = document.root();
  EXPECT_EQ(root.size(), 2u);
  EXPECT_EQ(root.first().key(), "b");
  EXPECT_EQ(root.first().next().key(), "a");
  EXPECT_FALSE(root.first().next().next());
  EXPECT_EQ(root["b"].first().integer(), 1);
  EXPECT_TRUE(root["b"].first().next().is(Type::kNull));
  EXPECT_EQ(root["b"].first().key(), "");
  EXPECT_TRUE(root["a"].boolean());
  EXPECT_EQ(root["a"].key_position().line, 2u);
  EXPECT_FALSE(root["c"]);
  EXPECT_FALSE(root["b"]["a"]);
}

TEST(Document, IsEmptyAfterClear) {
  Document document;
  document.begin(Type::kMap, {1, 1});
  document.key("a", {1, 2});
  document.scalar(Type::kString, "x", {1, 5});
  document.clear();
  EXPECT_TRUE(document.empty());
  EXPECT_EQ(document.text_bytes(), 0u);
  document.scalar(Type::kString, "y", {1, 1});
  EXPECT_EQ(document.root().text(), "y");
  EXPECT_EQ(document.root().key(), "");
}

TEST(Document, KnowsItsKeysInMapsOfAnySize) {
  Document document;
  document.begin(Type::kMap, {1, 1});
  for (int i = 0; i < 300; ++i) {
    const std::string key = "k" + std::to_string(i);
    EXPECT_FALSE(document.has_key(key)) << key;
    document.key(key, {1, 1});
    document.begin(Type::kMap, {1, 1});
    for (int j = 0; j < i; ++j) {
      document.key("inner" + std::to_string(j), {1, 1});
      document.scalar(Type::kNull, "", {1, 1});
    }
    EXPECT_FALSE(document.has_key(key)) << key;
    EXPECT_EQ(document.has_key("inner0"), i > 0);
    document.end();
    EXPECT_TRUE(document.has_key(key)) << key;
    EXPECT_TRUE(document.has_key("k0")) << key;
    EXPECT_FALSE(document.has_key("inner0")) << key;
  }
}

struct IntegerCase {
  const char* name;
  const char* text;
  std::optional<std::int64_t> expected;
};

std::ostream& operator<<(std::ostream& out, const IntegerCase& c) { return out << c.text; }

class Integer : public ::testing::TestWithParam<IntegerCase> {};

TEST_P(Integer, OnlyOfWholeNumbersOf64Bits) {
  Document document;
  document.scalar(Type::kNumber, GetParam().text, {1, 1});
  EXPECT_EQ(document.root().integer(), GetParam().expected);
}

const IntegerCase kIntegers[] = {
    {"zero", "0", 0},
    {"minus zero", "-0", 0},
    {"largest", "9223372036854775807", std::numeric_limits<std::int64_t>::max()},
    {"smallest", "-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
    {"too large", "9223372036854775808", std::nullopt},
    {"fraction", "1.0", std::nullopt},
    {"exponent", "1e3", std::nullopt},
};
INSTANTIATE_TEST_SUITE_P(Value, Integer, ::testing::ValuesIn(kIntegers),
                         case_name<::testing::TestParamInfo<IntegerCase>>);

TEST(Integer, IsAbsentForATextOfDigits) {
  Document document;
  document.scalar(Type::kString, "12", {1, 1});
  EXPECT_EQ(document.root().integer(), std::nullopt);
}

}  // namespace
}  // namespace tessera::reader
