// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/ingest/reader/read.h"

namespace tessera::reader {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

struct TextCase {
  const char* name;
  std::string text;
  std::vector<std::string> objects;  // "apiVersion/kind: " of the list first
};

std::ostream& operator<<(std::ostream& out, const TextCase& c) { return out << c.text; }

class Objects : public ::testing::TestWithParam<TextCase> {};

TEST_P(Objects, AreHandedOverOneByOne) {
  const Collected got = read(GetParam().text);
  EXPECT_THAT(got.errors, IsEmpty());
  EXPECT_THAT(got.objects, ElementsAreArray(GetParam().objects));
}

const TextCase kLists[] = {
    {"kind before items",
     "apiVersion: v1\nkind: List\nitems:\n- a: 1\n- a: 2",
     {R"(v1/List: {"a":1})", R"(v1/List: {"a":2})"}},
    {"kubectl order",
     R"({"apiVersion":"v1","items":[{"a":1},{"a":2}],"kind":"List","metadata":{}})",
     {R"(v1/: {"a":1})", R"(v1/: {"a":2})"}},
    {"typed list",
     R"({"kind":"NodeList","apiVersion":"v1","items":[{"a":1}]})",
     {R"(v1/NodeList: {"a":1})"}},
    {"items alone", R"({"items":[{"a":1}]})", {R"({"a":1})"}},
    {"empty list", R"({"kind":"List","items":[]})", {}},
    {"null list", R"({"items":null,"kind":"PodList"})", {}},
    {"items of no list",
     R"({"kind":"Foo","items":[{"a":1}]})",
     {R"({"kind":"Foo","items":[{"a":1}]})"}},
    {"items that are no sequence",
     R"({"items":{"a":1},"kind":"Foo"})",
     {R"({"items":{"a":1},"kind":"Foo"})"}},
    {"items further down",
     R"({"spec":{"items":[1]},"kind":"Foo"})",
     {R"({"spec":{"items":[1]},"kind":"Foo"})"}},
    {"list kind without items",
     R"({"kind":"AllowList","spec":1})",
     {R"({"kind":"AllowList","spec":1})"}},
    {"list in a list",
     R"({"kind":"List","items":[{"kind":"PodList","apiVersion":"v1","items":[{"a":1},{"a":2}]},{"b":1}]})",
     {R"(v1/PodList: {"a":1})", R"(v1/PodList: {"a":2})", R"(/List: {"b":1})"}},
    {"array", R"([{"a":1},{"b":[{}]}])", {R"({"a":1})", R"({"b":[{}]})"}},
    {"empty array", "[]", {}},
    {"sequence at the root",
     "- topology: a\n- topology: b\n",
     {R"({"topology":"a"})", R"({"topology":"b"})"}},
    {"watch event",
     R"({"type":"ADDED","object":{"kind":"Node"}})",
     {R"({"type":"ADDED","object":{"kind":"Node"}})"}},
};
INSTANTIATE_TEST_SUITE_P(Lists, Objects, ::testing::ValuesIn(kLists),
                         case_name<::testing::TestParamInfo<TextCase>>);

const TextCase kDocuments[] = {
    {"nothing", "", {}},
    {"space", " \n\t\n", {}},
    {"comment", "# nothing", {}},
    {"marker alone", "---", {}},
    {"markers at both ends", "---\na: 1\n---\n", {R"({"a":1})"}},
    {"empty documents", "---\n---\n# c\n---\nnull\n---\n~\n---\na: 1\n---\n\n", {R"({"a":1})"}},
    {"three documents",
     "a: 1\n---\nb: 2\n--- # c\nc: 3\n",
     {R"({"a":1})", R"({"b":2})", R"({"c":3})"}},
    {"content behind the marker", "--- {a: 1}\n--- {\"b\": 2}\n", {R"({"a":1})", R"({"b":2})"}},
    {"document ends", "a: 1\n...\n---\nb: 2\n...\n", {R"({"a":1})", R"({"b":2})"}},
    {"directives",
     "%YAML 1.1\n---\na: 1\n...\n%YAML 1.1\n---\nb: 2\n",
     {R"({"a":1})", R"({"b":2})"}},
    {"document behind an end", "...\na: 1\n...\n...\nb: 2\n", {R"({"a":1})", R"({"b":2})"}},
    {"marker like text", "a: |\n  ---\nb: ---x\n", {R"({"a":"---\u000a","b":"---x"})"}},
    {"crlf",
     "---\r\na: 1\r\nb: |\r\n  x\r\n  y\r\n---\r\nc: 3\r\n",
     {R"({"a":1,"b":"x\u000ay\u000a"})", R"({"c":3})"}},
    {"byte order mark", "\xEF\xBB\xBF---\na: 1", {R"({"a":1})"}},
    {"byte order mark alone", "\xEF\xBB\xBF", {}},
    {"flow mapping", "{a: 1, b: [x, 'y'],}", {R"({"a":1,"b":["x","y"]})"}},
    {"flow sequence", "[{a: 1}, {b: 2}]", {R"({"a":1})", R"({"b":2})"}},
    {"flow mapping of quotes", "{'a': 1}", {R"({"a":1})"}},
    {"json document", " \n{\"a\": 1}\n", {R"({"a":1})"}},
    {"empty object", "{}", {"{}"}},
    {"concatenated", R"({"a":1}{"b":2} {"c":3})", {R"({"a":1})", R"({"b":2})", R"({"c":3})"}},
    {"json lines",
     "{\"a\":1}\n{\"b\":2}\r\n\n{\"c\":3}\n",
     {R"({"a":1})", R"({"b":2})", R"({"c":3})"}},
    {"indented and concatenated",
     "{\n \"a\": 1\n}\n{\n \"b\": 2\n}\n",
     {R"({"a":1})", R"({"b":2})"}},
    {"joined with byte order marks",
     "\xEF\xBB\xBF{\"a\":1}\n\xEF\xBB\xBF{\"b\":2}\xEF\xBB\xBF",
     {R"({"a":1})", R"({"b":2})"}},
    {"json null line", "{\"a\":1}\nnull\n{\"b\":2}", {R"({"a":1})", R"({"b":2})"}},
    {"json behind a comment", "# c\n{\"a\":1} # d\n{\"b\":2}", {R"({"a":1})", R"({"b":2})"}},
    {"json and yaml in turn",
     "{\"a\":1}\n---\nb: 2\n---\n{\"c\":3}\n{\"d\":4}\n---\n",
     {R"({"a":1})", R"({"b":2})", R"({"c":3})", R"({"d":4})"}},
    {"escapes",
     R"({"a":"\u00e9\ud83d\ude00\n\/\""})",
     {"{\"a\":\"\xC3\xA9\xF0\x9F\x98\x80\\u000a/\\\"\"}"}},
};
INSTANTIATE_TEST_SUITE_P(Documents, Objects, ::testing::ValuesIn(kDocuments),
                         case_name<::testing::TestParamInfo<TextCase>>);

TEST(Objects, LeaveBeforeTheirListEnds) {
  // The text is cut behind the second item: it must have been handed over without the list's end.
  EXPECT_THAT(read("{\"items\":[{\"a\":1},{\"a\":2},").objects,
              ElementsAre(R"({"a":1})", R"({"a":2})"));
  EXPECT_THAT(read("items:\n- a: 1\n- a: 2\n- \"").objects,
              ElementsAre(R"({"a":1})", R"({"a":2})"));
}

TEST(Objects, OfALargeListAreHeldOneAtATime) {
  class OneAtATime : public Sink {
   public:
    void object(const Object& object) override {
      ++count;
      ids.insert(object.root["metadata"]["name"].text().data());
    }
    void error(Error error) override { ADD_FAILURE() << error.text(); }
    int count = 0;
    std::set<const char*> ids;  // where names stand: the arena is reused from item to item
  };
  std::string text = "{\"items\":[";
  for (int i = 0; i < 20'000; ++i) {
    text += (i == 0 ? "" : ",") + std::string("{\"metadata\":{\"name\":\"node-") +
            std::to_string(10'000 + i) + "\"}}";
  }
  OneAtATime sink;
  read_text(text + "],\"kind\":\"List\"}", "f", {}, sink);
  EXPECT_EQ(sink.count, 20'000);
  EXPECT_EQ(sink.ids.size(), 1u);
}

TEST(Objects, AreTheSameInYamlAndJson) {
  const std::string yaml = R"(apiVersion: v1
kind: Node
metadata:
  name: gb-r01-n01
  labels: {nvidia.com/gpu.count: "4", empty: ""}
  annotations:
    csi: '{"csi.local":"gb-r01-n01"}'
    text: |
      one
      "two" \ three
spec:
  unschedulable: no
  taints: []
  provider:
  - - 1
    - -2.5
    - ~
  - {}
status:
  allocatable:
    cpu: 143900m
    pods: 250
)";
  const std::string json = R"({"apiVersion": "v1", "kind": "Node",
 "metadata": {"name": "gb-r01-n01", "labels": {"nvidia.com\/gpu.count": "4", "empty": ""},
  "annotations": {"csi": "{\"csi.local\":\"gb-r01-n01\"}", "text": "one\n\"two\" \\ three\n"}},
 "spec": {"unschedulable": false, "taints": [], "provider": [[1, -2.5, null], {}]},
 "status": {"allocatable": {"cpu": "143900m", "pods": 250}}})";
  const Collected from_yaml = read(yaml), from_json = read(json);
  EXPECT_THAT(from_yaml.errors, IsEmpty());
  ASSERT_EQ(from_yaml.objects.size(), 1u);
  EXPECT_EQ(from_yaml.objects, from_json.objects);
  // And what is printed as JSON reads back as the same tree.
  EXPECT_EQ(read(from_yaml.objects[0]).objects, from_yaml.objects);
}

}  // namespace
}  // namespace tessera::reader
