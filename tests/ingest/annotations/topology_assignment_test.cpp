// SPDX-License-Identifier: Apache-2.0
// Topology assignments of both versions as lists of domains, and the limits of placement.md 9.
#include "ingest/annotations/topology_assignment.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ingest/reader/reader.h"
#include "tests/support/gzip_lines.h"

namespace tessera::ingest {
namespace {

using nlohmann::json;

class DecodeSink : public reader::Sink {
 public:
  void object(const reader::Object& object) override {
    std::vector<topology::Symbol> symbols;
    const auto domains = decode_assignment(object.root, symbols);
    for (const topology::Symbol level : symbols) levels.push_back(level.str());
    if (!domains) {
      text = domains.error().where.field + ": " + domains.error().message;
      line = domains.error().where.line;
      return;
    }
    for (const core::DomainList::Domain domain : *domains) {
      if (!text.empty()) text += " ";
      for (const topology::Symbol value : domain.values) text += value.str() + "/";
      text += std::to_string(domain.pods);
    }
  }
  void error(Error error) override { text = error.text(); }

  std::vector<std::string> levels;
  std::string text;
  int line = 0;
};

/// "b1/r1/4 b1/r2/4", or the refusal.
DecodeSink decoded(const std::string& text) {
  DecodeSink sink;
  reader::read_text(text, "in.json", {}, sink);
  return sink;
}

std::string domains_text(const json& domains) {
  std::string text;
  for (const json& domain : domains) {
    if (!text.empty()) text += " ";
    for (const json& value : domain["values"]) text += value.get<std::string>() + "/";
    text += std::to_string(domain["count"].get<std::int64_t>());
  }
  return text;
}

TEST(AssignmentDecode, GivesBackWhatTheReferenceEncoded) {  // cases.md C107
  int exact = 0;
  for (const std::string& line : test::read_gzip_lines(TESSERA_TEST_DATA "/encoding.jsonl.gz")) {
    const json vector = json::parse(line);
    const std::string want = domains_text(vector["domains"]);
    const json v1beta1 = {{"levels", vector["levels"]}, {"domains", vector["domains"]}};
    bool same = true;
    for (const json& form : {vector["v1beta2"], vector["v1beta2ByHostnamePrefix"], v1beta1}) {
      const DecodeSink got = decoded(form.dump());
      same = same && got.text == want && json(got.levels) == vector["levels"];
    }
    EXPECT_TRUE(same) << vector["id"];
    exact += same ? 1 : 0;
  }
  EXPECT_EQ(exact, 400);
  std::printf("decoding: %d exact, 0 listed deviations, %d other\n", exact, 400 - exact);
}

struct DecodeCase {
  const char* name;
  const char* assignment;
  const char* result;
};
const DecodeCase kDecodes[] = {
    {"empty is an assignment (C109)", "{levels: [h]}", ""},
    {"empty list", "{levels: [h], slices: []}", ""},
    {"empty v1beta1 list", "{levels: [h], domains: []}", ""},
    {"host level only (C113)", "{levels: [h], domains: [{values: [a], count: 2}]}", "a/2"},
    {"whole path (C113)", "{levels: [b, r], domains: [{values: [b1, r1], count: 1}]}", "b1/r1/1"},
    {"prefix, root, suffix",
     "{levels: [h], slices: [{domainCount: 2, valuesPerLevel: [{individual: {prefix: n-, suffix: "
     ".x, roots: ['1', '2']}}], podCounts: {individual: [3, 1]}}]}",
     "n-1.x/3 n-2.x/1"},
    {"slices in order",
     "{levels: [h], slices: [{domainCount: 1, valuesPerLevel: [{universal: z}], podCounts: "
     "{universal: 2}}, {domainCount: 1, valuesPerLevel: [{universal: a}], podCounts: {universal: "
     "1}}]}",
     "z/2 a/1"},
    {"no levels", "{slices: []}", "levels: is missing"},
    {"no level", "{levels: []}", "levels: is empty"},
    {"17 levels", "{levels: [a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a]}",
     "levels: has more than 16 levels"},
    {"two encodings", "{levels: [h], domains: [], slices: []}",
     "slices: cannot stand beside domains (two encodings)"},
    {"value a level", "{levels: [b, r], domains: [{values: [b1], count: 1}]}",
     "domains[0].values: must have one value a level (2)"},
    {"count 0", "{levels: [h], domains: [{values: [a], count: 0}]}",
     "domains[0].count: must be an integer from 1 to 2147483647"},
    {"count missing", "{levels: [h], domains: [{values: [a]}]}",
     "domains[0].count: must be an integer from 1 to 2147483647"},
    {"count over 32 bits", "{levels: [h], domains: [{values: [a], count: 2147483648}]}",
     "domains[0].count: must be an integer from 1 to 2147483647"},
    {"a number as value", "{levels: [h], domains: [{values: [7], count: 1}]}",
     "domains[0].values[0]: must be a text"},
    {"domainCount 0",
     "{levels: [h], slices: [{domainCount: 0, valuesPerLevel: [{universal: a}], podCounts: "
     "{universal: 1}}]}",
     "slices[0].domainCount: must be an integer from 1 to 100000"},
    {"hostile domainCount",
     "{levels: [h], slices: [{domainCount: 2000000000, valuesPerLevel: [{universal: a}], "
     "podCounts: {universal: 1}}]}",
     "slices[0].domainCount: must be an integer from 1 to 100000"},
    {"one domain many times",
     "{levels: [h], slices: [{domainCount: 100000, valuesPerLevel: [{universal: a}], podCounts: "
     "{universal: 1}}]}",
     "slices[0].valuesPerLevel: names one domain 100000 times"},
    {"roots of another length",
     "{levels: [h], slices: [{domainCount: 3, valuesPerLevel: [{individual: {roots: [a, b]}}], "
     "podCounts: {universal: 1}}]}",
     "slices[0].valuesPerLevel[0].individual.roots: has 2 entries where domainCount is 3"},
    {"counts of another length",
     "{levels: [h], slices: [{domainCount: 2, valuesPerLevel: [{individual: {roots: [a, b]}}], "
     "podCounts: {individual: [1]}}]}",
     "slices[0].podCounts.individual: has 1 entries where domainCount is 2"},
    {"values for another number of levels",
     "{levels: [b, h], slices: [{domainCount: 1, valuesPerLevel: [{universal: a}], podCounts: "
     "{universal: 1}}]}",
     "slices[0].valuesPerLevel: must have one entry a level (2)"},
    {"both forms of values",
     "{levels: [h], slices: [{domainCount: 1, valuesPerLevel: [{universal: a, individual: {roots: "
     "[a]}}], podCounts: {universal: 1}}]}",
     "slices[0].valuesPerLevel[0]: exactly one of universal and individual must be set"},
    {"no form of counts",
     "{levels: [h], slices: [{domainCount: 1, valuesPerLevel: [{universal: a}], podCounts: {}}]}",
     "slices[0].podCounts: exactly one of universal and individual must be set"},
    {"a count among counts",
     "{levels: [h], slices: [{domainCount: 2, valuesPerLevel: [{individual: {roots: [a, b]}}], "
     "podCounts: {individual: [1, -1]}}]}",
     "slices[0].podCounts: must be an integer from 1 to 2147483647"},
};

TEST(AssignmentDecode, HoldsTheLimits) {
  for (const DecodeCase& c : kDecodes) {
    EXPECT_EQ(decoded(c.assignment).text, c.result) << c.name;
  }
}

TEST(AssignmentDecode, RefusesTooManySlicesAndLongTexts) {
  std::string slices;
  for (int i = 0; i < 1001; ++i) slices += i == 0 ? "{}" : ",{}";
  EXPECT_EQ(decoded("{levels: [h], slices: [" + slices + "]}").text,
            "slices: has more than 1000 slices");
  const std::string longest(63, 'x');
  EXPECT_EQ(decoded("{levels: [h], domains: [{values: [" + longest + "], count: 1}]}").text,
            longest + "/1");
  EXPECT_EQ(decoded("{levels: [h], domains: [{values: [" + longest + "x], count: 1}]}").text,
            "domains[0].values[0]: has more than 63 bytes");
}

TEST(AssignmentDecode, NamesTheLine) {
  EXPECT_EQ(decoded("levels: [h]\ndomains:\n- values: [a]\n  count: many\n").line, 4);
}

}  // namespace
}  // namespace tessera::ingest
