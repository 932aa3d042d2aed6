// SPDX-License-Identifier: Apache-2.0
#include "actors/queues/shape.h"

#include <gtest/gtest.h>

#include <ostream>

#include "actors/engine/engine.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::pods;
using topology::Symbol;

Workload plain() {
  test::ClusterBuilder builder;
  return builder.workload("w", {pods("main", 4, 1), pods("more", 1, 2)});
}

struct ChangeCase {
  const char* name;
  bool same;
  void (*change)(Workload& workload);

  friend std::ostream& operator<<(std::ostream& out, const ChangeCase& c) { return out << c.name; }
};
const ChangeCase kChanges[] = {
    {"Name", true, [](Workload& w) { w.name = w.uid = "other"; }},
    {"Priority", true, [](Workload& w) { w.priority = 257; }},
    {"Time", true, [](Workload& w) { w.created = 1; }},
    {"Count", false, [](Workload& w) { w.gang.pod_sets[0].count = 5; }},
    {"MinCount", false, [](Workload& w) { w.gang.pod_sets[0].min_count = 1; }},
    {"Request", false,
     [](Workload& w) { w.gang.pod_sets[1].request.set(topology::cpu_resource(), 257); }},
    {"QuotaRequest", false,
     [](Workload& w) { w.quota_requests[1].set(topology::cpu_resource(), 1); }},
    {"Selector", false,
     [](Workload& w) {
       w.gang.pod_sets[0].filter.node_selector = {{Symbol("a"), Symbol("b")}};
     }},
    {"Toleration", false,
     [](Workload& w) { w.gang.pod_sets[0].filter.tolerations = {test::tolerates("t")}; }},
    {"Level", false, [](Workload& w) { w.gang.pod_sets[0].topology.required = Symbol("rack"); }},
    {"Preference", false,
     [](Workload& w) { w.gang.pod_sets[0].topology.preferred = Symbol("rack"); }},
    {"Unconstrained", false,
     [](Workload& w) { w.gang.pod_sets[0].topology.unconstrained = false; }},
    {"Slices", false,
     [](Workload& w) {
       w.gang.pod_sets[0].topology.layers = {{Symbol("rack"), 2}};
     }},
    {"Group", false, [](Workload& w) { w.gang.pod_sets[0].unit = "g"; }},
};
class Shape : public testing::TestWithParam<ChangeCase> {};

TEST_P(Shape, ChangesWithWhatTheAnswerDependsOn) {
  PlanQueue queue;
  Workload changed = plain();
  GetParam().change(changed);
  EXPECT_EQ(shape_of(changed, queue) == shape_of(plain(), queue), GetParam().same);
}
INSTANTIATE_TEST_SUITE_P(Changes, Shape, testing::ValuesIn(kChanges),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(ShapeInACycle, EqualWorkloadsAreRefusedAlikeAndPlacedAfterEachOther) {  // cases.md C171
  test::ClusterBuilder builder;
  builder.hosts("b/r1/a:4 b/r2/b:4");
  for (const char* name : {"w1", "w2", "w3", "w4"}) {
    builder.workload(name, {test::required(pods("main", 4, 1), test::kRack)});
  }
  builder.workload("w5", {test::required(pods("main", 9, 1), test::kRack)});
  builder.workload("w6", {test::required(pods("main", 9, 1), test::kRack)}).priority = 257;
  EXPECT_EQ(test::schedule(builder.build()),
            "w1 Placed main[a:4]\nw2 Placed main[b:4]\nw6 Never TopologyFit\n"
            "w3 Waits TopologyFit\nw4 Waits TopologyFit\nw5 Never TopologyFit");
}

}  // namespace
}  // namespace tessera::core
