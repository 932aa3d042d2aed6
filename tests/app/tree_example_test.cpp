// SPDX-License-Identifier: Apache-2.0
// The stories of KAI's design of hierarchical PodGroups, as examples/trees tells them.
#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <sstream>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

/// Pods whose group begins with `groups`, and over how many domains they lie. 0: it does not
/// matter.
struct Share {
  const char* groups;
  std::size_t pods, blocks, racks;
};

struct Story {
  const char* file;
  std::vector<Share> shares;
  std::size_t pods;  // placed in all

  friend std::ostream& operator<<(std::ostream& out, const Story& story) {
    return out << story.file;
  }
};

struct Row {
  std::string group, block, rack;
};

/// Nodes are called "b1-r2-n1".
std::vector<Row> placed(const std::string& file) {
  const Answer run = tessera({"schedule", "-C", source_file("examples/trees/cluster.yaml"), "-f",
                              source_file("examples/trees/" + file), "-o", "pods", "--no-headers"});
  EXPECT_EQ(run.exit, 0) << run.err;
  std::vector<Row> rows;
  for (const std::string& line : lines_of(run.out)) {
    std::istringstream words(line);
    std::string ns, workload, group, pod, node;
    words >> ns >> workload >> group >> pod >> node;
    rows.push_back({group, node.substr(0, 2), node.substr(0, 5)});
  }
  return rows;
}

class TreeExample : public testing::TestWithParam<Story> {};

TEST_P(TreeExample, IsPlacedAsItsStorySays) {
  const std::vector<Row> rows = placed(GetParam().file);
  EXPECT_EQ(rows.size(), GetParam().pods);
  for (const Share& share : GetParam().shares) {
    SCOPED_TRACE(share.groups);
    std::size_t pods = 0;
    std::set<std::string> blocks, racks;
    for (const Row& row : rows) {
      if (!row.group.starts_with(share.groups)) continue;
      ++pods;
      blocks.insert(row.block);
      racks.insert(row.rack);
    }
    EXPECT_EQ(pods, share.pods);
    EXPECT_TRUE(share.blocks == 0 || blocks.size() == share.blocks) << blocks.size();
    EXPECT_TRUE(share.racks == 0 || racks.size() == share.racks) << racks.size();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Files, TreeExample,
    testing::Values(Story{"1-two-groups.yaml", {{"decode", 4, 1, 1}, {"prefill", 1, 1, 1}}, 5},
                    Story{"2-leaders-and-workers.yaml",
                          {{"decode-workers", 4, 1, 1},
                           {"decode", 5, 1, 0},
                           {"prefill-workers", 4, 1, 1},
                           {"prefill", 5, 1, 0}},
                          10},
                    Story{"3-enough-replicas.yaml",
                          {{"replica-1", 0, 0, 0}, {"replica-2", 3, 1, 1}, {"replica-3", 3, 1, 1}},
                          6},
                    Story{"4-replicas-of-groups.yaml",
                          {{"leaders", 2, 0, 0}, {"workers-1", 3, 0, 0}, {"workers-2", 3, 0, 0}},
                          8},
                    Story{"5-no-groups.yaml", {{"default", 4, 1, 1}}, 4}));

}  // namespace
}  // namespace tessera::app_test
