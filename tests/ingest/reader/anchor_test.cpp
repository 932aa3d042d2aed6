// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ingest/reader/read.h"

namespace tessera::reader {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

struct AnchorCase {
  const char* name;
  const char* text;
  std::vector<std::string> objects;
  std::vector<std::string> errors;
};

std::ostream& operator<<(std::ostream& out, const AnchorCase& c) { return out << c.text; }

class Anchors : public ::testing::TestWithParam<AnchorCase> {};

TEST_P(Anchors, StandForWhatTheyName) {
  const Collected got = read(GetParam().text);
  EXPECT_THAT(got.errors, ElementsAreArray(GetParam().errors));
  EXPECT_THAT(got.objects, ElementsAreArray(GetParam().objects));
}

const AnchorCase kAliases[] = {
    {"scalar", "a: &x 0x10\nb: *x", {R"({"a":16,"b":16})"}, {}},
    {"map",
     "a: &x {p: [1, {q: 2}]}\nb: *x\nc: [*x]",
     {R"({"a":{"p":[1,{"q":2}]},"b":{"p":[1,{"q":2}]},"c":[{"p":[1,{"q":2}]}]})"},
     {}},
    {"key", "a: &x name\n*x : 1", {R"({"a":"name","name":1})"}, {}},
    {"anchored key", "&x name: 1\nb: *x", {R"({"name":1,"b":"name"})"}, {}},
    {"nothing", "a: &x\nb: *x", {R"({"a":null,"b":null})"}, {}},
    {"anchor in an anchor",
     "a: &x {b: &y [1]}\nc: *y\nd: *x",
     {R"({"a":{"b":[1]},"c":[1],"d":{"b":[1]}})"},
     {}},
    {"alias in an anchor",
     "a: &x [1]\nb: &y {c: *x}\nd: *y",
     {R"({"a":[1],"b":{"c":[1]},"d":{"c":[1]}})"},
     {}},
    {"name used again", "a: &x 1\nb: *x\nc: &x 2\nd: *x", {R"({"a":1,"b":1,"c":2,"d":2})"}, {}},
    {"anchor of an earlier item",
     "kind: List\nitems:\n- a: &x {p: 1}\n- b: *x\n- *x",
     {R"(/List: {"a":{"p":1}})", R"(/List: {"b":{"p":1}})", R"(/List: {"p":1})"},
     {}},
    {"anchored items", "kind: List\nitems: &x\n- a: 1\nmore: *x", {R"(/List: {"a":1})"}, {}},
    {"quoted merge sign", "a: {\"<<\": 1}", {R"({"a":{"<<":1}})"}, {}},
    {"unknown", "a: 1\nb: *x", {}, {"f:2:4: alias *x has no anchor &x before it in this document"}},
    {"of another document",
     "a: &x 1\n---\nb: *x",
     {R"({"a":1})"},
     {"f:3:4: alias *x has no anchor &x before it in this document"}},
    {"inside itself", "a: &x\n  b: [*x]", {}, {"f:2:7: alias *x stands inside its own anchor"}},
    {"map as key", "a: &x {}\n*x : 1", {}, {"f:1:4: a key must be a text, found an object"}},
};
INSTANTIATE_TEST_SUITE_P(Aliases, Anchors, ::testing::ValuesIn(kAliases),
                         case_name<::testing::TestParamInfo<AnchorCase>>);

const AnchorCase kMerges[] = {
    {"own keys win",
     "x: &b {p: 1, q: 2}\ny: {<<: *b, q: 3, r: 4}\nz:\n  q: 5\n  <<: *b",
     {R"({"x":{"p":1,"q":2},"y":{"q":3,"r":4,"p":1},"z":{"q":5,"p":1}})"},
     {}},
    {"earlier of a list wins",
     "x: &a {p: 1}\ny: &b {p: 2, q: 2}\nz: {<<: [*a, *b]}",
     {R"({"x":{"p":1},"y":{"p":2,"q":2},"z":{"p":1,"q":2}})"},
     {}},
    {"written out", "z: {<<: {p: 1}, q: 2}", {R"({"z":{"q":2,"p":1}})"}, {}},
    {"empty list", "z: {<<: [], q: 2}", {R"({"z":{"q":2}})"}, {}},
    {"merge in the merged",
     "x: &a {p: 1, q: 1}\ny: &b {<<: *a, p: 2}\nz: {<<: *b, r: 3}",
     {R"({"x":{"p":1,"q":1},"y":{"p":2,"q":1},"z":{"r":3,"p":2,"q":1}})"},
     {}},
    {"merge inside a merged value",
     "x: &a {p: 1}\nz: {<<: {m: {<<: *a, q: 2}}}",
     {R"({"x":{"p":1},"z":{"m":{"q":2,"p":1}}})"},
     {}},
    {"merge inside an alias",
     "x: &a {p: 1}\ny: &b {m: {<<: *a}}\nz: *b",
     {R"({"x":{"p":1},"y":{"m":{"p":1}},"z":{"m":{"p":1}}})"},
     {}},
    {"anchored merge value", "y: {<<: &a {p: 1}}\nz: *a", {R"({"y":{"p":1},"z":{"p":1}})"}, {}},
    {"at the root", "<<: &a {kind: Node}\na: 1", {R"({"a":1,"kind":"Node"})"}, {}},
    {"in an item",
     "kind: List\nitems:\n- &a {p: 1}\n- {<<: *a, q: 2}",
     {R"(/List: {"p":1})", R"(/List: {"q":2,"p":1})"},
     {}},
    {"value named like a merge", "a: <<", {R"({"a":"<<"})"}, {}},
    {"of a scalar",
     "z:\n  <<: 3",
     {},
     {"f:2:7: the value of << must be an object or a list of objects"}},
    {"of a list with a scalar",
     "z:\n  <<: [{a: 1}, x]",
     {},
     {"f:2:16: the value of << must be an object or a list of objects"}},
    {"duplicate in the merged",
     "z:\n  <<: {m: {a: 1, a: 2}}",
     {},
     {"f:2:18: duplicate key \"a\": give it once in its object"}},
};
INSTANTIATE_TEST_SUITE_P(Merges, Anchors, ::testing::ValuesIn(kMerges),
                         case_name<::testing::TestParamInfo<AnchorCase>>);

// a0 holds ten values, each further level ten times the one before.
std::string billion_laughs(int levels) {
  std::string text = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n";
  for (int i = 1; i < levels; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    const std::string level = "a" + std::to_string(i);
    text += level + ": &" + level + " [";
    for (int k = 0; k < 10; ++k) text += (k == 0 ? "" : ",") + below;
    text += "]\n";
  }
  return text;
}

TEST(AnchorLimits, StopABillionLaughsWithItsLine) {
  const Collected got = read(billion_laughs(12) + "---\nb: 1\n");
  ASSERT_EQ(got.errors.size(), 1u);
  EXPECT_EQ(got.errors[0].substr(0, 52), "f:5:18: aliases of this document expand to more than");
  EXPECT_EQ(got.codes[0], ErrorCode::kLimit);
  EXPECT_EQ(got.objects, std::vector<std::string>{R"({"b":1})"});
}

TEST(AnchorLimits, StopABillionMerges) {
  std::string text = "a0: &a0 {k: 1}\n";
  for (int i = 1; i < 40; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {<<: [" + below + ", " +
            below + "]}\n";
  }
  const Collected got = read(text);
  ASSERT_EQ(got.errors.size(), 1u);
  EXPECT_EQ(got.codes[0], ErrorCode::kLimit);
}

TEST(AnchorLimits, CountBytesOfLongTexts) {
  Limits limits;
  limits.max_object_bytes = 10'000;
  std::string text = "kind: List\nitems:\n- a: &x " + std::string(4'000, 'x') + "\n";
  for (int i = 0; i < 5; ++i) text += "- a: *x\n";
  const Collected got = read(text, limits);
  EXPECT_EQ(got.objects.size(), 3u);
  ASSERT_EQ(got.errors.size(), 1u);
  EXPECT_EQ(got.errors[0],
            "f:6:6: aliases of this document expand to more than 100000 values or 10000 bytes");
}

TEST(AnchorLimits, LeaveOrdinaryUseAlone) {
  std::string text = "kind: List\nitems:\n- &x {a: 1, b: [1, 2]}\n";
  for (int i = 0; i < 10'000; ++i) text += "- *x\n";
  const Collected got = read(text);
  EXPECT_THAT(got.errors, IsEmpty());
  EXPECT_EQ(got.objects.size(), 10'001u);
}

}  // namespace
}  // namespace tessera::reader
