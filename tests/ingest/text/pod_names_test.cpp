// SPDX-License-Identifier: Apache-2.0
// The names in the columns GROUP and POD of `schedule -o pods`.
#include "ingest/text/pod_names.h"

#include <gtest/gtest.h>

#include "tests/ingest/kinds/gang_text.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

const char* const kSmall = "containers: [{name: c, resources: {requests: {cpu: 1}}}]";

/// "group/pod" of each given pod.
std::string names(const core::Workload& workload) {
  std::string text;
  for (std::size_t i = 0; i < workload.gang.pod_sets.size(); ++i) {
    for (std::int64_t rank = 0; rank < workload.gang.pod_sets[i].count; ++rank) {
      text += (text.empty() ? "" : " ") + encode::group_name(workload, i) + "/" +
              encode::pod_name(workload, i, rank);
    }
  }
  return text;
}

TEST(PodNames, OfAGangTreeAreThoseOfThePodsAndTheirLeaves) {
  const ingest::Loaded tree = load(
      "", pod_group("subGroups: [{name: d}, {name: e, parent: d}, {name: a, parent: d}, {name: "
                    "z}]") +
              member_pod("p1", "a") + member_pod("p2", "a", kSmall) + member_pod("p0", "a") +
              member_pod("q", "z"));
  EXPECT_EQ(names(group_workload(tree)), "a/p0 a/p1 a/p2 z/q");
}

TEST(PodNames, OfAGangWithoutGroupsHaveTheNameOfKaisLeaf) {
  const ingest::Loaded flat =
      load("", pod_group("") + member_pod("p1") + member_pod("p2", "", kSmall));
  EXPECT_EQ(names(group_workload(flat)), "default/p1 default/p2");
}

}  // namespace
}  // namespace tessera::test
