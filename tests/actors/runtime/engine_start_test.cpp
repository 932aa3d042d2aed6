// SPDX-License-Identifier: Apache-2.0
// What an engine starts from is made once: it is looked at before, taken over, and looked at again.
#include "actors/engine/engine_start.h"

#include <gtest/gtest.h>

#include "actors/explain/planner_view.h"
#include "actors/records/held_at_start.h"
#include "actors/runtime/system.h"
#include "tests/support/cluster_builder.h"

namespace tessera::actors {
namespace {

using test::ClusterBuilder;
using test::pods;
using test::required;

std::shared_ptr<const core::Workload> gang(const core::Inventory& state, const std::string& name) {
  return std::make_shared<const core::Workload>(state.workloads[test::find(state, name)]);
}

TEST(EngineStart, ShowsTheClusterBeforeAnEngineTakesItOver) {
  ClusterBuilder builder;
  builder.hosts("b1/r1/a:4 b1/r1/b:4").flavor("f").queue("q", {"f"}, 8);
  builder.admitted("held", pods("main", 2, 1), "a:2", "f");
  const auto state = std::make_shared<const core::Inventory>(builder.build());
  const core::EngineStart start = System::make_start(state, {});
  core::Positions positions;
  for (const core::HeldAtStart& held : core::held_at_start(state)) {
    positions.emplace(held.admitted.gang, held.position);
  }
  const core::PlannerView view(*state, *start.planner, positions);
  ASSERT_EQ(view.holdings().size(), 1u);
  EXPECT_EQ(view.workload(view.holdings()[0].workload).name, "held");
  EXPECT_EQ(view.holdings()[0].pods, 2);
  EXPECT_EQ(view.topology_flavors(), std::vector<std::string>{"f"});
  EXPECT_EQ(start.planner->accounting().admitted_workloads, 1);
}

TEST(EngineStart, TellsNeverFromWaitsWhenTheEngineIsGone) {
  ClusterBuilder builder;
  builder.hosts("b1/r1/a:4 b1/r2/b:4").flavor("f").queue("q", {"f"}, 8);
  builder.workload("first", {pods("main", 2, 4)});
  builder.workload("second", {pods("main", 2, 4)});
  builder.workload("too-large", {required(pods("main", 2, 4), test::kRack)});
  builder.workload("no-queue", {pods("main", 1, 1)}, "elsewhere");
  solver::PodSet uneven = required(pods("main", 3, 1), test::kRack);
  uneven.topology.layers = {{topology::Symbol(test::kRack), 2}};  // 3 pods are no whole slices
  builder.workload("uneven", {uneven});
  const core::Inventory inventory = builder.build();
  std::vector<std::shared_ptr<const core::Workload>> waiting;
  for (const char* name : {"second", "too-large", "no-queue", "uneven"}) {
    waiting.push_back(gang(inventory, name));
  }
  core::Inventory empty = inventory;
  empty.workloads.clear();
  const core::EngineStart start =
      System::make_start(std::make_shared<const core::Inventory>(std::move(empty)), {});
  {
    System system(start, {});
    std::vector<core::Input> inputs;
    inputs.emplace_back(core::Submit{gang(inventory, "first")});
    for (const auto& workload : waiting) inputs.emplace_back(core::Submit{workload});
    system.submit(std::move(inputs));
    std::size_t admitted = 0;
    for (const auto& record : system.settle()) admitted += record->admitted.size();
    EXPECT_EQ(admitted, 1u);
  }
  const std::vector<core::Outlook> outlooks = core::outlooks(start, waiting);
  EXPECT_EQ(outlooks[0].outcome, core::Outcome::kWaits);
  EXPECT_EQ(outlooks[1].outcome, core::Outcome::kNever);
  EXPECT_EQ(outlooks[1].reason, core::Reason::kTopologyFit);
  EXPECT_EQ(outlooks[2].outcome, core::Outcome::kWaits);
  EXPECT_EQ(outlooks[3].outcome, core::Outcome::kInvalid);
}

}  // namespace
}  // namespace tessera::actors
