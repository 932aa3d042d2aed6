// SPDX-License-Identifier: Apache-2.0
// A text that is cut between its objects and parsed on several threads gives what one thread gives.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "ingest/reader/piece_reader.h"
#include "tests/ingest/reader/read.h"

namespace tessera::reader {
namespace {

constexpr Cutting kInOneGo{UINT64_MAX, 1, 1};
// Pieces of one byte end at every place where a piece may end.
constexpr Cutting kEveryCut{0, 1, 2};
constexpr Cutting kCuttings[] = {kEveryCut, {0, 1, 1}, {0, 40, 2}, {0, 150, 3}};
constexpr std::size_t kForMany = 2;  // of them, for thousands of texts

/// All that a Sink is told, positions of every key and value included, in order.
class Told : public Sink {
 public:
  void object(const Object& object) override {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    out_ << object.file << " " << object.list_api_version << "/" << object.list_kind << " ";
    append(object.root);
    out_ << "\n";
  }
  void error(Error error) override {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    out_ << static_cast<int>(error.code) << " " << error.text() << "\n";
  }
  std::string text() const { return out_.str(); }

 private:
  void append(Value value) {
    const auto place = [&](Position at) { out_ << "@" << at.line << ":" << at.column << " "; };
    if (!value.key().empty()) {
      out_ << value.key();
      place(value.key_position());
    }
    out_ << static_cast<int>(value.type()) << "(" << value.text();
    for (Value entry = value.first(); entry; entry = entry.next()) append(entry);
    out_ << ")";
    place(value.position());
  }

  const std::thread::id thread_ = std::this_thread::get_id();
  std::ostringstream out_;
};

std::string told(std::string_view text, const Limits& limits, const Cutting& cutting) {
  Told sink;
  read_text(text, "f", limits, sink, cutting);
  return sink.text();
}

/// False, and a failure that shows the text, if one of the first `cuttings` ways of cutting changes
/// what is told.
bool same_however_cut(std::string_view text, const Limits& limits = {},
                      std::size_t cuttings = std::size(kCuttings)) {
  const std::string expected = told(text, limits, kInOneGo);
  for (std::size_t i = 0; i < cuttings; ++i) {
    const Cutting& cutting = kCuttings[i];
    const std::string got = told(text, limits, cutting);
    if (got == expected) continue;
    std::string shown;
    append_quoted(shown, text);
    ADD_FAILURE() << "pieces of " << cutting.piece_bytes << ", " << cutting.threads
                  << " threads, of " << shown << "\ngive\n"
                  << got << "in place of\n"
                  << expected;
    return false;
  }
  return true;
}

struct CutCase {
  const char* name;
  std::string text;
  std::size_t pieces;  // 0: not cut, or not to its end
};

std::ostream& operator<<(std::ostream& out, const CutCase& c) { return out << c.text; }

const CutCase kCut[] = {
    {"kubectl json", R"({
    "apiVersion": "v1",
    "items": [
        {"kind": "Node", "a": "b}]{[,\"", "c": [1, {"d": 2}]},
        {
            "kind": "Node", "\u00e9": "\\", "e": ["\\\"", "]"]
        },
        {}
    ],
    "kind": "List",
    "metadata": {"resourceVersion": ""}
}
)",
     3},
    {"compact json",
     R"({"kind":"NodeList","apiVersion":"v1","items":[{"a":"é"},{"a":[{},{}]},{"b":2.5e3}]})", 3},
    {"json array", "[{\"a\":1} , {\"b\":[[]]},\n\n{\"c\":\"\xF0\x9F\x98\x80\"}]", 3},
    {"lists in a list",
     R"({"kind":"List","items":[{"kind":"PodList","apiVersion":"v1","items":[{"a":1},{"a":{"x":[2]}}]},{"b":1}]})",
     2},
    {"json lines", "{\"a\":1}\n{\"b\":[2,\"}\"]}\r\n\n{\"c\":3}\n", 3},
    {"concatenated json", R"({"a":1}{"b":{"c":[]}} {"d":"x"})", 3},
    {"concatenated lists",
     R"({"items":[{"a":1},{"a":2}]}{"kind":"List","items":[{"a":3},{"a":4}]})", 4},
    {"json with comments", "# { \"\n{\"a\":1} # }\n# ]\n{\"b\":2}\n", 2},
    {"items of no list", R"({"kind":"Foo","items":[{"a":1},{"a":2}]}{"b":1})", 2},
    {"sections", "a: 1\n---\nb: 2\n---\n{\"c\":3}\n{\"d\":4}\n---\n# e\n...\nf: 5\n---\n", 7},
    {"joined with byte order marks", "\xEF\xBB\xBF{\"a\":1}\n\xEF\xBB\xBF{\"b\":2}\n", 2},
    {"kubectl yaml", R"(apiVersion: v1
items:
- apiVersion: v1
  kind: Node
  text: |
    - not an item
      # nor a comment
  plain: a
    continued
  list:
  - 1
  - {a: 2}
# comment

- apiVersion: v1
  quoted: "- x
    - y é"
  keep: |+
    z

-
  kind: Node
- {}
kind: List
metadata:
  resourceVersion: ""
)",
     4},
    {"indented yaml",
     "kind: List\nitems: # here\n# and\n\n  - a: 1\n    b:\n    - 2\n  - a: |2\n       x\n  # c\n  "
     "- a: 'y\n\n    z'\n---\nb: 2\n",
     4},
    {"yaml at the root", "# c\n---\n- a: 1\n- b:\n  - 2\n- c: 3", 4},
    {"yaml with tags", "items:\n- !!map\n  a: !!str 1\n- b: 2\n", 2},
    {"crlf", "apiVersion: v1\r\nitems:\r\n- a: |\r\n    x\r\n    y\r\n- b: 2\r\nkind: List\r\n", 2},
    // What may look different without the rest stays whole.
    {"anchor in an item", "items:\n- a: &x 1\n- b: 2\n- c: *x\n", 0},
    {"anchor in the head", "x: &x {a: 1}\nitems:\n- a: 1\n- b: *x\n", 1},
    {"merge", "items:\n- a: 1\n- <<: {b: 2}\n  c: 3\n", 0},
    {"alias behind the list", "items:\n- a: &x 1\n- b: 2\nz: *x\n", 0},
    {"quoted text that looks like items", "items:\n- a: \"x\n- b: y\n- c: z\"\n- d: 4\n", 0},
    {"quoted text that looks like the end", "items:\n- a: 'x\nkind: y'\n- d: 4\n", 0},
    {"flow style", "items: [{a: 1}, {b: 2}]\n", 1},
    {"flow items", "items:\n- [\n- a\n]\n- b: 1\n", 0},
    {"directives",
     "%YAML 1.1\n---\nitems:\n- a: 1\n- b: 2\n...\n%TAG !! tag:example.com,2000:\n---\nitems:\n- "
     "c: !!str 1\n",
     0},
    {"other line ends", "items:\n- a: x\rb: y\n- c: \"x\xC2\x85y\xE2\x80\xA8z\"\n- d: 1\n", 0},
    {"tab", "items:\n- a: 1\n\t\n- b: 2\n", 0},
    {"nested dashes", "items:\n- - a\n- b: 1\n", 0},
    {"scalar items", "items:\n- a: 1\n- b\n- c: 1\n", 0},
    {"duplicate keys", R"({"items":[{"a":1},{"a":2}],"kind":"List","items":[]})", 0},
    {"kind of no list behind", R"({"items":[{"a":1},{"a":2}],"kind":"Foo"})", 0},
    {"comma at the end", R"({"items":[{"a":1},{"a":2},]})", 0},
    {"byte order mark before an item", "[{\"a\":1},\xEF\xBB\xBF{\"a\":2}]", 0},
    {"closed by the wrong bracket", R"({"items":[{"a":1},{"a":2}}})", 0},
    {"a null line", "{\"a\":1}\nnull\n{\"b\":2}\n", 0},
    {"broken lines among good ones", "{\"a\":1}\n{\"b\":}\n{\"c\":3}\n{\"d\"\n{\"e\":5}", 0},
    {"a marker in a value", "{\"a\":\n---\n1}\n{\"b\":2}\n", 0},
    {"a bad byte far behind", "items:\n- a: 1\n- b: 2\n- c: \"\xFF\"\n", 0},
    {"nothing", "", 0},
    {"space", "\n \n", 1},
};

class Cut : public ::testing::TestWithParam<CutCase> {};
INSTANTIATE_TEST_SUITE_P(Texts, Cut, ::testing::ValuesIn(kCut),
                         case_name<::testing::TestParamInfo<CutCase>>);

TEST_P(Cut, EndsPiecesWhereverAnObjectEnds) {
  Told sink;
  const Reading reading =
      read_whole_text(GetParam().text, "f", {}, kEveryCut, sink, [](std::string_view) {});
  if (GetParam().pieces == 0) {
    EXPECT_TRUE(reading.in_one_go || reading.pieces == 0);
  } else {
    EXPECT_FALSE(reading.in_one_go);
    EXPECT_EQ(reading.pieces, GetParam().pieces);
  }
}

TEST_P(Cut, ChangesNothing) { EXPECT_TRUE(same_however_cut(GetParam().text)); }

TEST_P(Cut, ChangesNothingOfATruncatedText) {
  const std::string& text = GetParam().text;
  for (std::size_t size = 0; size < text.size(); ++size) {
    if (!same_however_cut(std::string_view(text).substr(0, size))) return;
  }
}

// NUL, line ends, tabs, quotes, brackets, YAML's indicators, parts of UTF-8 characters.
TEST_P(Cut, ChangesNothingWhateverByteIsWrong) {
  constexpr char kBytes[] = "\0\n\r\t \"'{}[],:-&*#|<%\\x\xC3\xA9\xEF";
  for (std::size_t at = 0; at < GetParam().text.size(); ++at) {
    for (const char byte : std::string_view(kBytes, sizeof kBytes - 1)) {
      std::string replaced = GetParam().text, inserted = GetParam().text;
      replaced[at] = byte;
      inserted.insert(at, 1, byte);
      if (!same_however_cut(replaced, {}, kForMany)) return;
      if (!same_however_cut(inserted, {}, kForMany)) return;
    }
  }
}

TEST_P(Cut, ChangesNothingOfTextsWithoutALine) {
  const std::string& text = GetParam().text;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t behind =
        text.find('\n', line) == std::string::npos ? text.size() : text.find('\n', line) + 1;
    std::string shorter = text, twice = text;
    shorter.erase(line, behind - line);
    twice.insert(line, text.substr(line, behind - line));
    if (!same_however_cut(shorter) || !same_however_cut(twice)) return;
    line = behind;
  }
}

TEST_P(Cut, ChangesNothingOfTwoTextsInARow) {
  for (const CutCase& other : kCut) {
    for (const char* const between : {"", "\n", "\n---\n", "\n...\n", "\n  "}) {
      if (!same_however_cut(GetParam().text + between + other.text, {}, kForMany)) return;
    }
  }
}

TEST_P(Cut, ChangesNoCap) {
  for (std::uint32_t cap = 1; cap < 12; ++cap) {
    Limits depth, values, bytes, errors;
    depth.max_depth = cap;
    values.max_nodes = cap;
    bytes.max_object_bytes = cap;
    errors.max_errors = cap;
    for (const Limits& limits : {depth, values, bytes, errors}) {
      if (!same_however_cut(GetParam().text, limits)) return;
    }
  }
}

TEST(CutText, OfAHundredBadLinesTellsTheCapOnce) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += i % 3 == 0 ? "{\"a\":}\n" : "{\"a\":1}\n";
  EXPECT_TRUE(same_however_cut(text));
}

TEST(CutFile, OfRealNodesGivesTheSame) {
  const std::string path = TESSERA_TEST_DATA "/cases/nodes-gb200-two-racks.yaml.gz";
  Told in_one_go, cut;
  read_path(path, {}, in_one_go, kInOneGo);
  read_path(path, {}, cut, kEveryCut);
  EXPECT_EQ(cut.text(), in_one_go.text());
}

TEST(CutText, StartsFromTheSizeThatIsAskedFor) {
  const std::string text = R"([{"a":1},{"a":2}])";
  for (const auto& [from, pieces] : {std::pair(text.size(), 2u), std::pair(text.size() + 1, 0u)}) {
    Told sink;
    const Cutting cutting{from, 1, 2};
    EXPECT_EQ(read_whole_text(text, "f", {}, cutting, sink, [](std::string_view) {}).pieces,
              pieces);
  }
}

TEST(CutText, EndsItsThreadsWhenTheSinkThrows) {
  class Full : public Sink {
   public:
    void object(const Object&) override {
      if (++objects == 3) throw std::runtime_error("full");
    }
    void error(Error) override {}
    int objects = 0;
  };
  std::string text = "[{}";
  for (int i = 0; i < 1000; ++i) text += ",{}";
  Full sink;
  EXPECT_THROW(read_text(text + "]", "f", {}, sink, {0, 1, 4}), std::runtime_error);
  EXPECT_EQ(sink.objects, 3);
}

// Pages that were forgotten are read again: from the file, when the end turns out to be broken.
TEST(CutFile, IsReadAgainWhenItsEndIsBroken) {
  std::string text = "{\"items\":[";
  for (int i = 0; i < 60'000; ++i) {
    text += (i == 0 ? "" : ",\n") + std::string("{\"a\":\"") + std::to_string(i) + "\"}";
  }
  for (const char* const end : {"]}\n", "]", "],\"items\":1}"}) {
    const std::string path = ::testing::TempDir() + "cut_file.json";
    std::ofstream(path) << text << end;
    Told in_one_go, cut;
    read_path(path, {}, in_one_go, kInOneGo);
    read_path(path, {}, cut, {0, 10'000, 2});
    EXPECT_EQ(cut.text(), in_one_go.text());
    std::remove(path.c_str());
  }
}

}  // namespace
}  // namespace tessera::reader
