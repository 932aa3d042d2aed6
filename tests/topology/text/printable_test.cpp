// SPDX-License-Identifier: Apache-2.0
// What a hostile name would do to a terminal: colour it, begin a line, hide text.
#include "topology/text/printable.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

using namespace std::string_literals;

struct PrintableCase {
  const char* name;
  std::string text;
  std::string shown;
};
const PrintableCase kPrintable[] = {
    {"plain", "gb-r01-n[01-04] (3 pods)", "gb-r01-n[01-04] (3 pods)"},
    {"empty", "", ""},
    {"colour", "train\x1b[31mx", "train\\x1b[31mx"},
    {"newline", "a\nml  job/fake", "a\\x0aml  job/fake"},
    {"tab, bell, return, delete", "a\tb\ac\rd\x7f", "a\\x09b\\x07c\\x0dd\\x7f"},
    {"NUL", "n\0ml"s, "n\\x00ml"},
    {"letters of other scripts stay", "größe 東京 🚀", "größe 東京 🚀"},
    {"C1 control sequence introducer",
     "a\xc2\x9b"
     "31m",
     "a\\u009b31m"},
    {"right-to-left override",
     "a\xe2\x80\xae"
     "b",
     "a\\u202eb"},
    {"isolate",
     "a\xe2\x81\xa6"
     "b",
     "a\\u2066b"},
    {"line separator",
     "a\xe2\x80\xa8"
     "b",
     "a\\u2028b"},
    {"byte order mark",
     "\xef\xbb\xbf"
     "b",
     "\\ufeffb"},
    {"no UTF-8",
     "a\xff"
     "b",
     "a\\xffb"},
    {"cut character", "a\xe2\x80", "a\\xe2\\x80"},
    {"overlong form of a control character", "a\xc0\x9b", "a\\xc0\\x9b"},
    {"surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
};

TEST(Printable, EscapesControlCharactersAndNothingElse) {
  for (const PrintableCase& c : kPrintable) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(printable(c.text), c.shown);
    EXPECT_EQ(printable(c.shown), c.shown) << "what is escaped stays as it is";
  }
}

TEST(Printable, JsonKeepsItsValueAndHoldsNoControlCharacter) {
  EXPECT_EQ(escape_json("{\"a\": \"b\"}\n"), "{\"a\": \"b\"}\n");
  EXPECT_EQ(escape_json("\"\x7f\""), "\"\\u007f\"");
  EXPECT_EQ(escape_json("\"\xc2\x9b"
                        "31m \xe2\x80\xae ö\""),
            "\"\\u009b31m \\u202e ö\"");
}

}  // namespace
}  // namespace tessera
