// SPDX-License-Identifier: Apache-2.0
// The verifier finds each broken rule, and none in what is right.
#include "actors/verify/verify.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/cluster_builder.h"
#include "tests/support/gzip_lines.h"
#include "tests/support/trees/tree_inventory.h"

namespace tessera::test {
namespace {

using core::AnsweredPod;
using core::BrokenRule;
using topology::Symbol;

/// b1/r1 has hosts a and b, b1/r2 has c and d, b2/r3 has e; 4 GPUs each. Workload "tree": group x
/// needs 2 of its 3 pods of 2 GPUs in one rack, group y its pod of 4 GPUs; both in one block.
core::Inventory cluster() {
  ClusterBuilder builder;
  builder.hosts("b1/r1/a:4 b1/r1/b:4 b1/r2/c:4 b1/r2/d:4 b2/r3/e:4");
  builder.bound_pod("other", "b", 2);
  core::Workload& tree = builder.workload("tree", {pods("x", 3, 2), pods("y", 1, 4)});
  solver::GangGroup root, x, y;
  root.end = 3;
  root.min_children = 2;
  root.topology.required = Symbol(kBlock);
  x.name = "x";
  x.end = 2;
  x.pods_end = 1;
  x.min_pods = 2;
  x.topology.required = Symbol(kRack);
  y.name = "y";
  y.end = 3;
  y.pods_begin = 1;
  y.pods_end = 2;
  y.min_pods = 1;
  tree.gang.groups = {root, x, y};
  solver::PodSet sliced = pods("s", 4, 1);
  sliced.topology.layers = {{Symbol(kRack), 2}};
  builder.workload("flat", {required(pods("f", 2, 1), kRack), sliced});
  return builder.build();
}

/// "tree/x/0@a tree/x/1@a"
std::vector<AnsweredPod> answer(const core::Inventory& inventory, std::string text) {
  std::vector<AnsweredPod> out;
  text += ' ';
  for (std::size_t end = 0; (end = text.find(' ')) != std::string::npos; text.erase(0, end + 1)) {
    const std::string word = text.substr(0, end);
    if (word.empty()) continue;
    const std::size_t first = word.find('/'), second = word.rfind('/'), at = word.find('@');
    AnsweredPod pod;
    pod.workload = find(inventory, word.substr(0, first));
    const auto& pod_sets = inventory.workloads[pod.workload].gang.pod_sets;
    const std::string name = word.substr(first + 1, second - first - 1);
    while (pod_sets[pod.pod_set].name != name) ++pod.pod_set;
    pod.rank = std::stoll(word.substr(second + 1, at - second - 1));
    pod.node = word.substr(at + 1);
    out.push_back(std::move(pod));
  }
  return out;
}

struct RuleCase {
  const char* name;
  const char* answer;
  const char* broken;  // "Rule subject message"; empty: right
};

constexpr RuleCase kCases[] = {
    {"Right", "tree/x/0@a tree/x/1@a tree/y/0@c", ""},
    {"RightWithElasticPod", "tree/x/0@a tree/x/1@a tree/x/2@b tree/y/0@c", ""},
    {"Nothing", "", ""},
    {"Capacity", "tree/x/0@b tree/x/1@b tree/y/0@c", "Capacity node b nvidia.com/gpu: 6 used of 4"},
    {"BelowMinimum", "tree/x/0@a tree/y/0@c",
     "Minimum ns/tree has 1 of the 2 groups that it needs; "
     "Minimum ns/tree group x has 1 of the 2 pods that it needs"},
    {"MissingGroup", "tree/x/0@a tree/x/1@a",
     "Minimum ns/tree has 1 of the 2 groups that it needs"},
    {"TwoRacks", "tree/x/0@a tree/x/1@d tree/y/0@c",
     "Required ns/tree group x is not in one domain of tessera.test/rack"},
    {"TwoBlocks", "tree/x/0@a tree/x/1@a tree/y/0@e",
     "Required ns/tree is not in one domain of tessera.test/block"},
    {"Twice", "tree/x/0@a tree/x/0@a tree/x/1@b tree/y/0@c",
     "Twice ns/tree pod x-0 is placed twice"},
    {"NoSuchNode",
     "tree/x/0@a tree/x/1@a tree/y/0@c flat/f/0@z flat/f/1@b flat/s/0@d flat/s/1@d "
     "flat/s/2@d flat/s/3@d",
     "Node ns/flat pod f-0 is on z, which is no node of the cluster; "
     "Minimum ns/flat pod set f has 1 of 2 pods"},
    {"Flat", "flat/f/0@a flat/f/1@b flat/s/0@a flat/s/1@b flat/s/2@c flat/s/3@d", ""},
    {"SplitSlice", "flat/f/0@a flat/f/1@b flat/s/0@a flat/s/1@c flat/s/2@c flat/s/3@d",
     "Slice ns/flat pod set s pods 0 to 1 are not in one domain of tessera.test/rack"},
};

class Verify : public testing::TestWithParam<RuleCase> {};

TEST_P(Verify, FindsTheBrokenRule) {
  const core::Inventory inventory = cluster();
  std::string found;
  for (const BrokenRule& each : core::verify(inventory, answer(inventory, GetParam().answer))) {
    found += (found.empty() ? "" : "; ") + each.rule + " " + each.subject + " " + each.message;
  }
  EXPECT_EQ(found, GetParam().broken);
}
INSTANTIATE_TEST_SUITE_P(Rules, Verify, testing::ValuesIn(kCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(VerifyAnswers, OfTheEngineAreRight) {
  std::size_t pods = 0;
  for (const char* file : {"trees-directed.jsonl.gz", "trees-random.jsonl.gz"}) {
    for (const std::string& line : read_gzip_lines(std::string(TESSERA_TEST_DATA "/") + file)) {
      const TreeVector vector = read_tree_vector(line);
      core::Engine engine(inventory_of(vector), {});
      std::vector<std::size_t> all(engine.inventory().workloads.size());
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
      std::vector<AnsweredPod> placed;
      for (const core::Decision& decision : engine.run(all)) {
        for (std::size_t p = 0; p < decision.pod_sets.size(); ++p) {
          const core::PodSetDecision& pod_set = decision.pod_sets[p];
          std::int64_t rank = 0;
          for (const solver::LeafPods& leaf : pod_set.placement) {
            const auto& view = *engine.view(pod_set.topology_flavor, pod_set.open);
            const std::string node =
                view.nodes()[topology::index(view.tree().nodes(leaf.leaf).front())].name.str();
            for (std::int64_t k = 0; k < leaf.pods; ++k) {
              placed.push_back({decision.workload, p, rank++, node});
            }
          }
        }
      }
      pods += placed.size();
      for (const BrokenRule& each : core::verify(engine.inventory(), placed)) {
        ADD_FAILURE() << vector.id << ": " << each.rule << " " << each.subject << " "
                      << each.message;
      }
    }
  }
  EXPECT_GT(pods, 8'000u);
}

}  // namespace
}  // namespace tessera::test
