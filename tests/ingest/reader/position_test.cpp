// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ingest/reader/read.h"

namespace tessera::reader {
namespace {

// "key 2:3 value 2:6" for every value below the roots, in input order; "value" alone in lists.
class Positions : public Sink {
 public:
  void object(const Object& object) override {
    text += "root " + show(object.root.position()) + "\n";
    add(object.root, "");
  }
  void error(Error error) override { text += "error " + error.text() + "\n"; }

  std::string text;

 private:
  static std::string show(Position at) {
    return std::to_string(at.line) + ":" + std::to_string(at.column);
  }
  void add(Value parent, const std::string& path) {
    std::uint32_t index = 0;
    for (Value entry = parent.first(); entry; entry = entry.next(), ++index) {
      const bool in_map = parent.is(Type::kMap);
      const std::string name = path + (in_map ? std::string(entry.key()) : std::to_string(index));
      text += name + (in_map ? " key " + show(entry.key_position()) : "") + " value " +
              show(entry.position()) + "\n";
      add(entry, name + ".");
    }
  }
};

struct PositionCase {
  const char* name;
  const char* text;
  const char* expected;
};

std::ostream& operator<<(std::ostream& out, const PositionCase& c) { return out << c.text; }

class PositionOf : public ::testing::TestWithParam<PositionCase> {};

TEST_P(PositionOf, EveryKeyAndValueIsWhereItStands) {
  Positions got;
  read_text(GetParam().text, "f", {}, got);
  EXPECT_EQ(got.text, GetParam().expected);
}

const PositionCase kYaml[] = {
    {"block maps and lists", "a: 1\nb:\n  c: x\n  d:\n  - p\n  -   q\n",
     "root 1:1\na key 1:1 value 1:4\nb key 2:1 value 3:3\nb.c key 3:3 value 3:6\n"
     "b.d key 4:3 value 5:3\nb.d.0 value 5:5\nb.d.1 value 6:7\n"},
    {"flow", "a: {b: 1,\n  c: [x, 'y']}",
     "root 1:1\na key 1:1 value 1:4\na.b key 1:5 value 1:8\na.c key 2:3 value 2:6\n"
     "a.c.0 value 2:7\na.c.1 value 2:10\n"},
    {"quoted and block texts", "\"a\":   'x'\nb: |\n  one\n  two\nc: >\n  x\nd: 1",
     "root 1:1\na key 1:1 value 1:8\nb key 2:1 value 2:4\nc key 5:1 value 5:4\n"
     "d key 7:1 value 7:4\n"},
    {"crlf", "a: 1\r\nb:\r\n  c: x\r\n",
     "root 1:1\na key 1:1 value 1:4\nb key 2:1 value 3:3\nb.c key 3:3 value 3:6\n"},
    {"byte order mark",
     "\xEF\xBB\xBF"
     "a: 1\nb: 2",
     "root 1:1\na key 1:1 value 1:4\nb key 2:1 value 2:4\n"},
    {"columns are characters", "'\xC3\xA9': \xE2\x82\xAC\n",
     "root 1:1\n\xC3\xA9 key 1:1 value 1:6\n"},
    {"second document", "a: 1\n---\n# c\nb: 2\n--- {c: 3}\n",
     "root 1:1\na key 1:1 value 1:4\nroot 4:1\nb key 4:1 value 4:4\nroot 5:5\nc key 5:6 value "
     "5:9\n"},
    {"items of a list", "kind: List\nitems:\n- a: 1\n-\n  a: 2",
     "root 3:3\na key 3:3 value 3:6\nroot 5:3\na key 5:3 value 5:6\n"},
    {"alias shows where it is written", "a: &x {b: 1}\nc: *x",
     "root 1:1\na key 1:1 value 1:4\na.b key 1:8 value 1:11\nc key 2:1 value 1:4\n"
     "c.b key 1:8 value 1:11\n"},
};
INSTANTIATE_TEST_SUITE_P(Yaml, PositionOf, ::testing::ValuesIn(kYaml),
                         case_name<::testing::TestParamInfo<PositionCase>>);

const PositionCase kJson[] = {
    {"one line", R"({"a":1,"b":{"c":"x"},"d":[true,null,-2.5]})",
     "root 1:1\na key 1:2 value 1:6\nb key 1:8 value 1:12\nb.c key 1:13 value 1:17\n"
     "d key 1:22 value 1:26\nd.0 value 1:27\nd.1 value 1:32\nd.2 value 1:37\n"},
    {"indented", "{\n  \"a\" : 1 ,\n  \"b\": [\n    {},\n    {\"c\": []}\n  ]\n}",
     "root 1:1\na key 2:3 value 2:9\nb key 3:3 value 3:8\nb.0 value 4:5\nb.1 value 5:5\n"
     "b.1.c key 5:6 value 5:11\n"},
    {"crlf", "{\r\n\"a\":1,\r\n\"b\":2}", "root 1:1\na key 2:1 value 2:5\nb key 3:1 value 3:5\n"},
    {"byte order mark", "\xEF\xBB\xBF{\"a\":1}", "root 1:1\na key 1:2 value 1:6\n"},
    {"escapes", R"({"\"\\":"\u00e9\"","b":1})",
     "root 1:1\n\"\\ key 1:2 value 1:9\nb key 1:20 value 1:24\n"},
    {"columns are characters", "{\"\xC3\xA9\":\"\xE2\x82\xAC\",\"b\":1}",
     "root 1:1\n\xC3\xA9 key 1:2 value 1:6\nb key 1:10 value 1:14\n"},
    {"concatenated", "{\"a\":1}{\"b\":2}\n\n {\"c\":\n3}",
     "root 1:1\na key 1:2 value 1:6\nroot 1:8\nb key 1:9 value 1:13\nroot 3:2\n"
     "c key 3:3 value 4:1\n"},
    {"items of a list", "{\"items\":[\n{\"a\":1},\n {\"a\":2}],\"kind\":\"List\"}",
     "root 2:1\na key 2:2 value 2:6\nroot 3:2\na key 3:3 value 3:7\n"},
    {"behind yaml", "x: 1\n---\n{\"a\":1}\n",
     "root 1:1\nx key 1:1 value 1:4\nroot 3:1\na key 3:2 value 3:6\n"},
};
INSTANTIATE_TEST_SUITE_P(Json, PositionOf, ::testing::ValuesIn(kJson),
                         case_name<::testing::TestParamInfo<PositionCase>>);

}  // namespace
}  // namespace tessera::reader
