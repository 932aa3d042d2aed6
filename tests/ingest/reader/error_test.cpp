// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ingest/reader/read.h"

namespace tessera::reader {
namespace {

using ::testing::ElementsAreArray;

struct ErrorCase {
  const char* name;
  std::string text;
  std::vector<std::string> errors;
  std::vector<std::string> objects;  // what survives
};

std::ostream& operator<<(std::ostream& out, const ErrorCase& c) { return out << c.text; }

class Malformed : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(Malformed, IsNamedWithItsPlaceAndTheRestSurvives) {
  const Collected got = read(GetParam().text);
  EXPECT_THAT(got.errors, ElementsAreArray(GetParam().errors));
  EXPECT_THAT(got.objects, ElementsAreArray(GetParam().objects));
}

const ErrorCase kYaml[] = {
    {"tab as indentation",
     "a:\n\tb: 1",
     {"f:2:1: malformed YAML: a tab cannot indent YAML: use spaces"},
     {}},
    {"two values",
     "a: b: c",
     {"f:1:5: malformed YAML: mapping values are not allowed in this context"},
     {}},
    {"value deeper than its text",
     "a: b\n c: d",
     {"f:2:3: malformed YAML: mapping values are not allowed in this context"},
     {}},
    {"open list",
     "a: [1, 2\n",
     {"f:1:9: malformed YAML: did not find expected ',' or ']' while parsing a flow sequence that "
      "starts in line 1"},
     {}},
    {"open quotes",
     "a: 1\nb: \"x\n\n",
     {"f:2:6: malformed YAML: found unexpected end of stream while scanning a quoted scalar that "
      "starts in line 2"},
     {}},
    {"text behind quotes",
     "a: \"b\" c",
     {"f:1:8: malformed YAML: did not find expected key while parsing a block mapping"},
     {}},
    {"reserved character",
     "\xC3\xA9: [\xC3\xA9, @]",
     {"f:1:8: malformed YAML: found character that cannot start any token while scanning for the "
      "next token"},
     {}},
    {"dedent into nowhere",
     "a:\n    b: 1\n  c: 2",
     {"f:3:3: malformed YAML: did not find expected key while parsing a block mapping that starts "
      "in line 1"},
     {}},
    {"duplicate key",
     "a: 1\nb:\n  c: 1\n  d: 2\n  c: 3",
     {"f:5:3: duplicate key \"c\": give it once in its object"},
     {}},
    {"duplicate of a quoted key",
     "a: 1\n\"a\": 2",
     {"f:2:1: duplicate key \"a\": give it once in its object"},
     {}},
    {"list as key", "? [a]\n: 1", {"f:1:3: a key must be a text, found a list"}, {}},
    {"object as key", "{a: 1}: 2\n", {"f:1:1: a key must be a text, found an object"}, {}},
    {"null as key", "a: 1\n~: 1", {"f:2:1: a key must be a text, found null: quote it"}, {}},
    {"template", "a: {{ .Values.x }}", {"f:1:5: a key must be a text, found an object"}, {}},
    {"text at the root", "hello", {"f:1:1: expected an object, found a string"}, {}},
    {"number at the root", "--- 12", {"f:1:5: expected an object, found a number"}, {}},
    {"scalars in a list",
     "- a: 1\n- 2",
     {"f:2:3: expected an object, found a number"},
     {R"({"a":1})"}},
    {"list in a list",
     "kind: List\nitems:\n- [1]",
     {"f:3:3: expected an object, found a list"},
     {}},
    {"null in a list",
     "kind: List\nitems:\n- a: 1\n-\n",
     {"f:4:2: expected an object, found null"},
     {R"(/List: {"a":1})"}},
    {"control character",
     "a: 1\nb: x\x01",
     {"f:2:5: control character U+0001: YAML is text without them"},
     {}},
    {"delete character",
     "a: \x7F",
     {"f:1:4: control character U+007F: YAML is text without them"},
     {}},
    {"control character beyond ASCII",
     "a: \xC2\x80",
     {"f:1:4: control character U+0080: YAML is text without them"},
     {}},
    {"zero byte",
     std::string("abcdefgh: 1\0", 12),
     {"f:1:12: control character U+0000: YAML is text without them"},
     {}},
    {"latin 1",
     "a: 1\nb: Z\xFCrich",
     {"f:2:5: byte 0xFC is not UTF-8: save the file as UTF-8"},
     {}},
    {"overlong utf 8",
     "a: \xC0\xAF",
     {"f:1:4: byte 0xC0 is not UTF-8: save the file as UTF-8"},
     {}},
    {"surrogate", "a: \xED\xA0\x80", {"f:1:4: byte 0xED is not UTF-8: save the file as UTF-8"}, {}},
    {"cut utf 8", "a: \xE2\x82", {"f:1:4: byte 0xE2 is not UTF-8: save the file as UTF-8"}, {}},
    {"one document of three",
     "a: 1\n---\nb: [\n---\nc: 3",
     {"f:3:5: malformed YAML: did not find expected node content while parsing a flow node"},
     {R"({"a":1})", R"({"c":3})"}},
    {"bytes of one document of three",
     "a: 1\n---\nb: \xFF\n---\nc: 3",
     {"f:3:4: byte 0xFF is not UTF-8: save the file as UTF-8"},
     {R"({"a":1})", R"({"c":3})"}},
    {"duplicate in one document of two",
     "a: 1\na: 2\n---\nc: 3",
     {"f:2:1: duplicate key \"a\": give it once in its object"},
     {R"({"c":3})"}},
    {"items before the error",
     "kind: List\nitems:\n- a: 1\n- b: 1\n  b: 2\n- c: 3",
     {"f:5:3: duplicate key \"b\": give it once in its object"},
     {R"(/List: {"a":1})"}},
    {"items behind no list",
     "items:\n- a: 1\nkind: Foo",
     {"f:3:7: kind \"Foo\" is not a list, but its items were read as list items: put kind "
      "before items, or name a kind that ends in List"},
     {R"({"a":1})"}},
};
INSTANTIATE_TEST_SUITE_P(Yaml, Malformed, ::testing::ValuesIn(kYaml),
                         case_name<::testing::TestParamInfo<ErrorCase>>);

const ErrorCase kJson[] = {
    {"missing colon",
     "{\"a\" 1}",
     {"f:1:6: malformed JSON while parsing object separator: unexpected number literal; expected "
      "':'"},
     {}},
    {"missing comma",
     "{\"a\":1\n\"b\":2}",
     {"f:2:1: malformed JSON while parsing object: unexpected string literal; expected '}'"},
     {}},
    {"two commas",
     "{\"a\":1,,}",
     {"f:1:8: malformed JSON while parsing object key: unexpected ','; expected string literal"},
     {}},
    {"wrong bracket",
     "{\"a\":[1,\n2}",
     {"f:2:2: malformed JSON while parsing array: unexpected '}'; expected ']'"},
     {}},
    {"truncated",
     "{\"a\":1,\n \"b\":[{}\n\n",
     {"f:2:9: malformed JSON while parsing array: unexpected end of input; expected ']'"},
     {}},
    {"truncated text",
     "{\"a\":1,\n \"b\":\"xy",
     {"f:2:6: malformed JSON while parsing value: invalid string: missing closing quote"},
     {}},
    {"latin 1",
     "{\"a\":\"Z\xFC\"}",
     {"f:1:8: malformed JSON while parsing value: invalid string: ill-formed UTF-8 byte"},
     {}},
    {"line end in a text",
     "{\"a\":1}\n{\"b\":\"x\ny\"}",
     {"f:2:8: malformed JSON while parsing value: invalid string: control character U+000A (LF) "
      "must be escaped to \\u000A or \\n"},
     {R"({"a":1})"}},
    {"bad escape",
     "{\"a\":1}\n{\"b\":\"x\\q\"}",
     {"f:2:9: malformed JSON while parsing value: invalid string: forbidden character after "
      "backslash"},
     {R"({"a":1})"}},
    {"half a surrogate pair",
     "{\"a\":1}\n{\"b\":\"\\uD800\"}",
     {"f:2:13: malformed JSON while parsing value: invalid string: surrogate U+D800..U+DBFF must "
      "be followed by U+DC00..U+DFFF"},
     {R"({"a":1})"}},
    {"bad literal",
     "{\"a\":1}\n{\"b\": tru}",
     {"f:2:7: malformed JSON while parsing value: invalid literal"},
     {R"({"a":1})"}},
    {"leading zero",
     "{\"a\":1}\n{\"b\":01}",
     {"f:2:7: malformed JSON while parsing object: unexpected number literal; expected '}'"},
     {R"({"a":1})"}},
    {"number too large",
     "{\"a\":1}\n{\"b\":1e999}",
     {"f:2:6: malformed JSON number overflow parsing '1e999'"},
     {R"({"a":1})"}},
    {"zero byte", std::string("{\"a\":\0}", 7), {"f:1:6: NUL byte: the input is no text"}, {}},
    {"duplicate key",
     "{\"a\":1,\n \"a\":2}",
     {"f:2:2: duplicate key \"a\": give it once in its object"},
     {}},
    {"escaped duplicate key",
     "{\"a\":1,\n \"\\u0061\":2}",
     {"f:2:2: duplicate key \"a\": give it once in its object"},
     {}},
    {"lines go on",
     "{\"a\":1}\n{\"b\":}\n{\"c\":3}\n",
     {"f:2:6: malformed JSON while parsing value: unexpected '}'; expected '[', '{', or a literal"},
     {R"({"a":1})", R"({"c":3})"}},
    {"first line is bad",
     "{\"a\":1,\"a\":2}\n{\"b\":2}\n",
     {"f:1:8: duplicate key \"a\": give it once in its object"},
     {R"({"b":2})"}},
    {"line that never closes",
     "{\"a\":1}\n{\"b\":[1,\n{\"c\":3}\n{\"d\":4}\n",
     {"f:4:1: malformed JSON while parsing array: unexpected '{'; expected ']'"},
     {R"({"a":1})", R"({"c":3})", R"({"d":4})"}},
    {"scalar line",
     "{\"a\":1}\n12\n{\"b\":2}",
     {"f:2:1: expected an object, found a number"},
     {R"({"a":1})", R"({"b":2})"}},
    {"items before a truncation",
     "{\"kind\":\"List\",\"items\":[{\"a\":1},\n{\"b\":2},\n{\"c\":",
     {"f:3:6: malformed JSON while parsing value: unexpected end of input; expected '[', '{', or a "
      "literal"},
     {R"(/List: {"a":1})", R"(/List: {"b":2})"}},
    {"scalar in an array",
     "[{\"a\":1},\n 2]",
     {"f:2:2: expected an object, found a number"},
     {R"({"a":1})"}},
    {"items behind no list",
     "{\"items\":[{\"a\":1}],\n\"kind\":\"Foo\"}",
     {"f:2:8: kind \"Foo\" is not a list, but its items were read as list items: put kind "
      "before items, or name a kind that ends in List"},
     {R"({"a":1})"}},
    {"garbage behind an object",
     "{\"a\":1}}\n{\"b\":2}",
     {"f:1:8: malformed JSON while parsing value: unexpected '}'; expected '[', '{', or a literal"},
     {R"({"a":1})", R"({"b":2})"}},
    {"neither json nor yaml",
     "{a: {b: [1}}",
     {"f:1:11: malformed YAML: did not find expected ',' or ']' while parsing a flow sequence"},
     {}},
};
INSTANTIATE_TEST_SUITE_P(Json, Malformed, ::testing::ValuesIn(kJson),
                         case_name<::testing::TestParamInfo<ErrorCase>>);

const ErrorCase kEncodings[] = {
    {"utf 16 little endian",
     std::string("\xFF\xFE"
                 "a\0:\0",
                 6),
     {"f:1:1: the text is UTF-16: save it as UTF-8"},
     {}},
    {"utf 16 big endian",
     std::string("\xFE\xFF\0a\0:", 6),
     {"f:1:1: the text is UTF-16: save it as UTF-8"},
     {}},
    {"utf 16 without mark",
     std::string("a\0:\0 \0", 6),
     {"f:1:1: the text is UTF-16: save it as UTF-8"},
     {}},
    {"utf 16 big endian without mark",
     std::string("\0{\0}", 4),
     {"f:1:1: the text is UTF-16: save it as UTF-8"},
     {}},
    {"utf 32",
     std::string("\xFF\xFE\0\0a\0\0\0", 8),
     {"f:1:1: the text is UTF-32: save it as UTF-8"},
     {}},
};
INSTANTIATE_TEST_SUITE_P(Encodings, Malformed, ::testing::ValuesIn(kEncodings),
                         case_name<::testing::TestParamInfo<ErrorCase>>);

TEST(Errors, EndTheFileAtTheCap) {
  Limits limits;
  limits.max_errors = 3;
  std::string text;
  for (int i = 0; i < 10; ++i) text += "{\"a\":}\n";
  const Collected got = read(text + "{\"b\":1}\n", limits);
  ASSERT_EQ(got.errors.size(), 4u);
  EXPECT_EQ(got.errors[3], "f:3:6: 3 errors: the rest of the input is not read");
  EXPECT_EQ(got.codes[3], ErrorCode::kLimit);
  EXPECT_TRUE(got.objects.empty());
}

TEST(Errors, CutLongKeysBetweenCharacters) {
  std::string key = "k";
  for (int i = 0; i < 200; ++i) key += "\xC3\xA9";
  const Collected got = read(key + ": 1\n" + key + ": 2");
  ASSERT_EQ(got.errors.size(), 1u);
  EXPECT_EQ(got.errors[0],
            "f:2:1: duplicate key \"" + key.substr(0, 99) + "...\": give it once in its object");
}

}  // namespace
}  // namespace tessera::reader
