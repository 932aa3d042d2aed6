// SPDX-License-Identifier: Apache-2.0
// Never says so if only orders of the pod sets were tried, and is plain if nothing can fit.
#include <gtest/gtest.h>

#include <string>

#include "actors/engine/engine.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::kRack;
using test::pods;
using test::required;

Decision decided(const ClusterBuilder& builder) {
  const Inventory inventory = builder.build();
  Engine engine(inventory, {});
  return engine.run({test::find(inventory, "w")}).front();
}

/// Forty hosts that take one pod of two GPUs each, and enough single GPUs for all of them.
ClusterBuilder odd_hosts() {
  ClusterBuilder builder;
  std::string hosts;
  for (int i = 0; i < 40; ++i) hosts += "b/r1/a" + std::to_string(i) + ":3 ";
  builder.hosts(hosts);
  return builder;
}

TEST(NeverOfOrders, SaysSoIfOnlyOrdersWereTried) {
  ClusterBuilder builder = odd_hosts();
  builder.workload("w",
                   {required(pods("first", 40, 2), kRack), required(pods("second", 20, 2), kRack)});
  const Decision decision = decided(builder);
  EXPECT_EQ(decision.outcome, Outcome::kNever);
  EXPECT_TRUE(decision.orders_only);
}

TEST(NeverOfOrders, IsPlainIfAllLeavesTogetherLackRoom) {
  ClusterBuilder builder = odd_hosts();
  builder.workload("w",
                   {required(pods("first", 40, 2), kRack), required(pods("second", 80, 1), kRack)});
  const Decision decision = decided(builder);
  EXPECT_EQ(decision.outcome, Outcome::kNever);
  EXPECT_FALSE(decision.orders_only);
}

TEST(NeverOfOrders, IsPlainIfEveryWayWasLookedAt) {
  ClusterBuilder builder;
  builder.hosts("b/r1/a1:3 b/r1/a2:3");
  builder.workload("w",
                   {required(pods("first", 2, 2), kRack), required(pods("second", 1, 2), kRack)});
  const Decision decision = decided(builder);
  EXPECT_EQ(decision.outcome, Outcome::kNever);
  EXPECT_FALSE(decision.orders_only);
}

}  // namespace
}  // namespace tessera::core
