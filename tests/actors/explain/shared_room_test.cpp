// SPDX-License-Identifier: Apache-2.0
// Flavors of racks and of hosts over the same nodes: what the other holds is told once, its holders
// are named, and a workload that fits beside it is placed.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::kBlock;
using test::kHost;
using test::kRack;
using topology::Symbol;

/// A workload of the flavor f-racks that holds `pods` of one GPU in a rack.
void hold_rack(ClusterBuilder& builder, const char* name, const char* block, const char* rack,
               std::int64_t pods) {
  Workload& held = builder.admitted(name, test::pods("main", 1, 1), "x:" + std::to_string(pods),
                                    "f-racks", "qr");
  PodSetAssignment& assignment = held.status.admission->pod_sets[0];
  assignment.levels = {Symbol(kBlock), Symbol(kRack)};
  assignment.domains = {};
  assignment.domains.add(std::vector{Symbol(block), Symbol(rack)}, pods);
}

ClusterBuilder racks_and_hosts(const char* hosts) {
  ClusterBuilder builder;
  builder.hosts(hosts).topology("racks", {kBlock, kRack});
  builder.flavor("f-hosts").flavor("f-racks", "racks");
  builder.queue("qh", {"f-hosts"}, 1000);
  builder.queue("qr", {"f-racks"}, 1000);
  return builder;
}

Evidence evidence_of(const ClusterBuilder& builder) {
  Engine engine(builder.build(), {});
  const auto decisions = engine.run({test::find(engine.inventory(), "w")});
  return engine.explain(decisions.front(), Depth::kRemedies);
}

TEST(SharedRoom, OfARackIsThereOnceNotOnceAHost) {
  ClusterBuilder builder = racks_and_hosts("b/r1/a:4 b/r1/c:4");
  hold_rack(builder, "h", "b", "r1", 6);
  builder.workload("w", {test::required(test::pods("main", 4, 1), kRack)}, "qh");
  const Evidence evidence = evidence_of(builder);
  ASSERT_TRUE(evidence.binding);
  EXPECT_EQ(evidence.binding->need, 4);
  EXPECT_EQ(evidence.binding->have, 2);
  ASSERT_EQ(evidence.blockers.size(), 1U);
  EXPECT_EQ(evidence.blockers[0].name, "job/h");
}

TEST(SharedRoom, IsTriedWithTheLeaderOnEachLeaf) {
  ClusterBuilder builder = racks_and_hosts("b/r1/a:5 b/r1/c:3 d/r1/e:1");
  hold_rack(builder, "h", "b", "r1", 6);
  solver::PodSet workers = test::preferred(test::pods("workers", 2, 1), kHost);
  solver::PodSet leader = test::preferred(test::pods("leader", 1, 1), kHost);
  workers.unit = leader.unit = "g";
  builder.workload("w", {workers, leader}, "qh");
  const std::string answer = test::schedule(builder.build());
  EXPECT_EQ(answer.substr(0, 8), "w Placed") << answer;
}

TEST(SharedRoom, PodsOnACordonedNodeHoldNothingOfTheOtherNodes) {
  ClusterBuilder builder = racks_and_hosts("b/r1/a:4 b/r1/c:4");
  builder.node("a").unschedulable = true;
  hold_rack(builder, "h", "b", "r1", 4);
  for (const char* pod : {"h-0", "h-1", "h-2", "h-3"}) {
    builder.bound_pod(pod, "a", 1).workload = "ns/h";
  }
  builder.workload("w", {test::required(test::pods("main", 4, 1), kRack)}, "qr");
  const std::string answer = test::schedule(builder.build());
  EXPECT_EQ(answer.substr(0, 8), "w Placed") << answer;
}

TEST(Evidence, BlockersAreThoseOfTheDomainThatWouldDo) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:2 b/r2/c:4").bound_pod("x", "c", 3);
  builder.workload("w", {test::required(test::pods("main", 4, 1), kRack)});
  const Evidence evidence = evidence_of(builder);
  EXPECT_EQ(evidence.binding->have, 2);
  ASSERT_EQ(evidence.blockers.size(), 1U);
  EXPECT_EQ(evidence.blockers[0].name, "pod/x");
}

TEST(Remedies, QuotaNamesAllThatIsShort) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4")
      .flavor("f")
      .queue("q", {"f"}, 1)
      .groups[0]
      .flavors[0]
      .resources[0]
      .nominal = 1000;
  solver::PodSet pod_set = test::required(test::pods("main", 2, 1), kRack);
  pod_set.request.set(topology::cpu_resource(), 1000);
  builder.workload("w", {pod_set});
  const Evidence evidence = evidence_of(builder);
  ASSERT_EQ(evidence.remedies.size(), 1U);
  EXPECT_EQ(evidence.remedies[0].subject, "cpu in flavor f and nvidia.com/gpu in flavor f");
}

TEST(Verdict, OfAMinimumThatOnlyNodesRefuseIsNotQuota) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a:4").flavor("f").queue("q", {"f"}, 2);
  builder.bound_pod("x", "a", 4);
  solver::PodSet pod_set = test::required(test::pods("main", 4, 1), kRack);
  pod_set.min_count = 2;
  builder.workload("w", {pod_set});
  EXPECT_EQ(test::schedule(builder.build()), "w Waits TopologyFit");
}

TEST(SharedRoom, ThatOverlapsInTooManyWaysIsNamedInAWarning) {
  ClusterBuilder builder;
  std::string hosts;
  for (int i = 0; i < 40; ++i) hosts += " b/r/n" + std::to_string(100 + i) + ":1";
  builder.hosts(hosts);
  for (int flavor = 0; flavor < 12; ++flavor) {
    const std::string name = "f" + std::to_string(flavor), label = "x" + std::to_string(flavor);
    for (int i = 0; i < 40; ++i) {
      builder.node("n" + std::to_string(100 + i))
          .labels.set(Symbol(label), Symbol(std::to_string(i * (flavor + 1) / 7 % 5)));
    }
    builder.topology(name, {label.c_str()}).flavor(name, name).queue(name, {name}, 1000);
  }
  builder.workload("w", {test::pods("main", 1, 1)}, "f0");
  const Engine engine(builder.build(), {});
  const auto& warnings = engine.accounting().queue_warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("overlap in more than 256 ways"), std::string::npos) << warnings[0];
}

}  // namespace
}  // namespace tessera::core
