// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/field_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "ingest/fields/field_text.h"
#include "ingest/reader/reader.h"

namespace tessera::ingest {
namespace {

/// Calls `use` with the one object of `text`.
template <class Use>
class OneObject : public reader::Sink {
 public:
  OneObject(std::string_view text, const Use& use) : use_(use) {
    reader::read_text(text, "x.yaml", {}, *this);
  }
  void object(const reader::Object& object) override { use_(object.root); }
  void error(Error error) override { ADD_FAILURE() << error.text(); }

 private:
  const Use& use_;
};

constexpr const char* kText =
    "text: a\nnumber: 7\nlarge: 12\nyes: true\nmap: {a: 1}\nlist: [1]\nnothing: null\n"
    "amounts: {cpu: 500m, memory: 1Ki, odd: x, negative: -1}\n";

struct LookUpCase {
  const char* name;
  void (*look_up)(FieldReader&, const ObjectHeader&, reader::Value);
  const char* error;
};
const LookUpCase kLookUps[] = {
    {"a text", [](auto& f, auto& h, auto v) { EXPECT_EQ(f.text(h, v, "text", "spec"), "a"); }, ""},
    {"absent", [](auto& f, auto& h, auto v) { EXPECT_FALSE(f.text(h, v, "other", "spec")); }, ""},
    {"null is absent",
     [](auto& f, auto& h, auto v) { EXPECT_FALSE(f.integer(h, v, "nothing", "spec", 0, 9)); }, ""},
    {"a number is no text",
     [](auto& f, auto& h, auto v) { EXPECT_FALSE(f.text(h, v, "number", "spec")); },
     "x.yaml:2:1: Job ns/j: spec.number: must be a text, is a number (put it in quotes)"},
    {"a number within its range",
     [](auto& f, auto& h, auto v) { EXPECT_EQ(f.integer(h, v, "number", "", 0, 9), 7); }, ""},
    {"a number beyond its range",
     [](auto& f, auto& h, auto v) { EXPECT_FALSE(f.integer(h, v, "large", "", 0, 9)); },
     "x.yaml:3:1: Job ns/j: large: \"12\" is not a whole number in 0..9"},
    {"a boolean", [](auto& f, auto& h, auto v) { EXPECT_EQ(f.boolean(h, v, "yes", ""), true); },
     ""},
    {"a list is no map", [](auto& f, auto& h, auto v) { EXPECT_FALSE(f.map(h, v, "list", "")); },
     "x.yaml:6:1: Job ns/j: list: must be a map, is a list"},
    {"a map is no list",
     [](auto& f, auto& h, auto v) { EXPECT_FALSE(f.sequence(h, v, "map", "")); },
     "x.yaml:5:1: Job ns/j: map: must be a list, is a map"},
    {"a wrong amount leaves the others",
     [](auto& f, auto& h, auto v) {
       const topology::Amounts read = f.amounts(h, v, "amounts", "spec");
       EXPECT_EQ(read.get(topology::cpu_resource()), 500);
       EXPECT_EQ(read.get(topology::Symbol("memory")), 1024);
       EXPECT_EQ(f.error_count(), 2u);
       f.errors.pop_back();
       f.errors.pop_back();
     },
     ""},
};

TEST(FieldReader, TellsWhatIsWrongAndWhere) {
  for (const LookUpCase& c : kLookUps) {
    SCOPED_TRACE(c.name);
    FieldReader fields;
    ObjectHeader header;
    header.kind += "Job";  // GCC 12 warns in vain of the assignment of a short literal
    header.namespace_name += "ns";
    header.name += "j";
    header.where.file += "x.yaml";
    const auto use = [&](reader::Value root) { c.look_up(fields, header, root); };
    const OneObject read(kText, use);
    const std::string told = fields.errors.empty() ? "" : fields.errors.front().text();
    EXPECT_EQ(told, c.error);
    EXPECT_LE(fields.errors.size(), 1u);
  }
}

struct QuotedCase {
  std::string text;
  std::string shown;
};
const QuotedCase kQuoted[] = {
    {"a b", "\"a b\""},
    {"a\"b\\", "\"a\\\"b\\\\\""},
    {"a\nb\x7f", "\"a\\x0ab\\x7f\""},
    {std::string(300, 'x'), "\"" + std::string(256, 'x') + "...\""},
};

TEST(FieldText, KeepsHostileValuesOnOneShortLine) {
  for (const QuotedCase& c : kQuoted) EXPECT_EQ(ingest::quoted(c.text), c.shown);
  EXPECT_EQ(member("a.b", "c/d"), "a.b[\"c/d\"]");
  EXPECT_EQ(item("a", 3), "a[3]");
}

}  // namespace
}  // namespace tessera::ingest
