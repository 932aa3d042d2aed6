// SPDX-License-Identifier: Apache-2.0
// Gang trees through the whole engine: the reference vectors (tests/data/README.md), one engine a
// line.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/gzip_lines.h"
#include "tests/support/trees/tree_inventory.h"

namespace tessera::test {
namespace {

std::string words(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& word : all) out += (out.empty() ? "" : ",") + word;
  return out;
}

/// Plans the gangs of a line and checks: placed exactly if a placement exists, by the rules.
void check_line(const TreeVector& vector) {
  core::Engine engine(inventory_of(vector), {});
  std::vector<std::size_t> all(engine.inventory().workloads.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const std::map<std::string, TreePlaces> placed = places_of(engine, engine.run(all));
  for (const TreeVectorGang& gang : vector.gangs) {
    const bool any = placed.count(gang.name) > 0 && !placed.at(gang.name).empty();
    if (gang.feasible) {
      EXPECT_EQ(any, *gang.feasible) << vector.id << " " << gang.name;
    }
  }
  EXPECT_EQ(words(broken_rules(vector, placed)), "") << vector.id;
}

void check_file(const std::string& file, std::size_t lines) {
  std::size_t seen = 0;
  for (const std::string& line : read_gzip_lines(TESSERA_TEST_DATA "/" + file)) {
    check_line(read_tree_vector(line));
    ++seen;
  }
  EXPECT_EQ(seen, lines);
}

TEST(EngineTreeVectors, TheTablesOfKai) { check_file("trees-table.jsonl.gz", 53); }
TEST(EngineTreeVectors, OneCaseForEachRuleAndDefect) { check_file("trees-directed.jsonl.gz", 33); }
TEST(EngineTreeVectors, RandomTrees) { check_file("trees-random.jsonl.gz", 2000); }
TEST(EngineTreeVectors, GangsOfWhichSomePodsRun) { check_file("trees-partial.jsonl.gz", 308); }

}  // namespace
}  // namespace tessera::test
