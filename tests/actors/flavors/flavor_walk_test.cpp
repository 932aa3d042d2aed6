// SPDX-License-Identifier: Apache-2.0
// What both orders of planning ask of the walk; each order's own rules: flavors_test.cpp and
// nomination_test.cpp.
#include "actors/flavors/flavor_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <tuple>

#include "actors/flavors/flavor_scan.h"
#include "actors/flavors/flavors.h"
#include "tests/support/flavor_scene.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::FlavorScene;
using test::pods;

/// Queue q owns 4 of each resource, its cohort 8, the cohort above 28. GPUs are of one resource
/// group, cpu of another; the search comes to the GPUs first (queues.md 7.1).
ClusterBuilder two_groups() {
  ClusterBuilder builder;
  builder.flavor("gpus", "").flavor("cpus", "");
  builder.cohort("co", "top");
  for (const auto& [name, cohort, nominal] :
       {std::tuple("q", "co", 4), std::tuple("near", "co", 4), std::tuple("far", "top", 20)}) {
    ClusterQueueRecord& queue = builder.queue(name, {"gpus"}, nominal, cohort);
    queue.groups = {
        {{topology::gpu_resource()}, {{"gpus", {{topology::gpu_resource(), nominal, {}, {}}}}}},
        {{topology::cpu_resource()}, {{"cpus", {{topology::cpu_resource(), nominal, {}, {}}}}}}};
  }
  return builder;
}

solver::PodSet asking(const char* name, std::int64_t gpus, std::int64_t cpu) {
  solver::PodSet pod_set = pods(name, 1, gpus);
  pod_set.request = {};
  if (gpus > 0) pod_set.request.set(topology::gpu_resource(), gpus);
  if (cpu > 0) pod_set.request.set(topology::cpu_resource(), cpu);
  return pod_set;
}

struct LevelCase {
  const char* name;
  std::int64_t gpus, cpu;
  bool two_pod_sets;  // one asks the GPUs, the other the cpu
  int expected;

  friend std::ostream& operator<<(std::ostream& out, const LevelCase& c) { return out << c.name; }
};
const LevelCase kLevelCases[] = {
    {"NeitherGroupBorrows", 4, 4, false, 0},
    {"FirstGroupAloneBorrows", 6, 1, false, 1},
    {"FirstGroupBorrowsFromHigherUpThanTheLast", 10, 6, false, 2},
    {"LastGroupBorrowsFromHigherUpThanTheFirst", 6, 10, false, 2},
    {"FirstPodSetBorrowsFromHigherUpThanTheLast", 10, 6, true, 2},
    {"LastPodSetBorrowsFromHigherUpThanTheFirst", 6, 10, true, 2},
};
class BorrowingLevel : public testing::TestWithParam<LevelCase> {};

TEST_P(BorrowingLevel, IsTheHighestOfAllGroupsAndPodSets) {
  const LevelCase& c = GetParam();
  ClusterBuilder builder = two_groups();
  builder.workload("w", c.two_pod_sets ? std::vector{asking("a", c.gpus, 0), asking("b", 0, c.cpu)}
                                       : std::vector{asking("main", c.gpus, c.cpu)});
  const FlavorScene scene(builder);
  const auto chosen = choose_flavors(scene.problem(), {});
  EXPECT_EQ(std::get<FlavorChoice>(chosen).borrowing_level, c.expected);
  EXPECT_EQ(scan_flavors(scene.problem(), {}, nullptr).choice.borrowing_level, c.expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, BorrowingLevel, testing::ValuesIn(kLevelCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(BorrowingLevel, OfTheFirstGroupSendsAHeadBehindOneThatOwnsWhatItAsks) {
  ClusterBuilder builder = two_groups();
  builder.workload("borrower", {asking("main", 26, 1)});
  builder.workload("owner", {asking("main", 4, 1)}, "near");  // came later
  EngineOptions options;
  options.profile.rounds = config::Rounds::kKueue;
  EXPECT_THAT(test::schedule(builder.build(), options), testing::StartsWith("owner Placed"));
}

}  // namespace
}  // namespace tessera::core
