// SPDX-License-Identifier: Apache-2.0
// The gang trees of tests/data/trees-*.jsonl.gz: a gang is placed exactly if a placement exists,
// and every placement obeys the rules.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/gzip_lines.h"
#include "tests/support/trees/tree_vector.h"

namespace tessera::test {
namespace {

/// More than any line needs: no answer may be bounded.
constexpr std::int64_t kSteps = 20'000'000;

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

void check_trees(const std::string& file, std::size_t lines) {
  std::size_t seen = 0;
  std::int64_t most_steps = 0;
  for (const std::string& line : read_gzip_lines(TESSERA_TEST_DATA "/" + file)) {
    const TreeVector vector = read_tree_vector(line);
    TreeWorld world(vector);
    std::map<std::string, TreePlaces> placed;
    std::map<std::string, solver::TreeVerdict> verdicts;
    for (const TreeVectorGang& gang : vector.gangs) {
      const TreeWorld::Result result = world.place(gang, kSteps);
      EXPECT_NE(result.verdict, solver::TreeVerdict::kBounded) << vector.id;
      if (result.verdict != solver::TreeVerdict::kPlaced) {
        EXPECT_TRUE(result.places.empty()) << vector.id;
      }
      most_steps = std::max(most_steps, result.steps);
      placed[gang.name] = result.places;
      verdicts[gang.name] = result.verdict;
    }
    // Elastic pods come after the minimum of every gang.
    for (const TreeVectorGang& gang : vector.gangs) {
      if (verdicts[gang.name] != solver::TreeVerdict::kPlaced) continue;
      for (const auto& [pod, node] : world.extend(gang, kSteps).places) {
        placed[gang.name].emplace(pod, node);
      }
    }
    for (const TreeVectorGang& gang : vector.gangs) {
      if (gang.feasible) {
        EXPECT_EQ(!placed[gang.name].empty(), *gang.feasible) << vector.id << " " << gang.name;
      }
    }
    EXPECT_EQ(joined(broken_rules(vector, placed)), "") << vector.id;
    ++seen;
  }
  EXPECT_EQ(seen, lines);
  ::testing::Test::RecordProperty("most_steps", std::to_string(most_steps));
}

TEST(TreeVectors, TheTablesOfKai) { check_trees("trees-table.jsonl.gz", 53); }
TEST(TreeVectors, OneCaseForEachRuleAndDefect) { check_trees("trees-directed.jsonl.gz", 33); }
TEST(TreeVectors, RandomTrees) { check_trees("trees-random.jsonl.gz", 2000); }
TEST(TreeVectors, GangsOfWhichSomePodsRun) { check_trees("trees-partial.jsonl.gz", 308); }

}  // namespace
}  // namespace tessera::test
