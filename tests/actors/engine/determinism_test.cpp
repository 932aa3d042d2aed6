// SPDX-License-Identifier: Apache-2.0
// The order of the input never changes a decision, and no run oversubscribes a node.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "actors/engine/engine.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;

int pick(std::mt19937& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

solver::PodSet random_pod_set(std::mt19937& random, const std::string& name) {
  solver::PodSet pod_set = test::pods(name, pick(random, 1, 6), pick(random, 1, 4));
  const char* const levels[] = {test::kBlock, test::kRack, test::kHost};
  const char* level = levels[pick(random, 0, 2)];
  const int kind = pick(random, 0, 3);
  if (kind == 0) pod_set = test::required(pod_set, level);
  if (kind == 1) pod_set = test::preferred(pod_set, level);
  if (kind == 2) pod_set.topology.unconstrained = true;
  if (pick(random, 0, 3) == 0) pod_set.min_count = 1;
  return pod_set;
}

ClusterBuilder random_world(std::uint32_t seed) {
  std::mt19937 random(seed);
  ClusterBuilder builder;
  std::string hosts;
  for (int i = 0; i < 10; ++i) {
    hosts += " b" + std::to_string(i / 5) + "/r" + std::to_string(i / 2) + "/h" +
             std::to_string((i * 7) % 10) + ":" + std::to_string(pick(random, 1, 8));
  }
  builder.hosts(hosts);
  if (pick(random, 0, 2) == 0) builder.node("h3").unschedulable = true;
  if (pick(random, 0, 1) == 0) builder.node("h5").taints = {test::taint("t", "v")};
  builder.flavor("f1").flavor("f2");
  ClusterQueueRecord& strict = builder.queue("s", {"f1", "f2"}, pick(random, 4, 20), "co");
  strict.strategy = QueueStrategy::kStrictFifo;
  builder.queue("t", {"f2"}, pick(random, 4, 20), "co");
  for (int i = 0; i < 8; ++i) {
    std::vector<solver::PodSet> pod_sets = {random_pod_set(random, "one")};
    if (pick(random, 0, 3) == 0) pod_sets.push_back(random_pod_set(random, "two"));
    Workload& workload = builder.workload("w" + std::to_string(i), std::move(pod_sets),
                                          pick(random, 0, 1) ? "s" : "t");
    workload.priority = pick(random, 0, 2);
    workload.created = pick(random, 0, 3);
  }
  return builder;
}

template <class T>
void shuffle(std::vector<T>& records, std::mt19937& random) {
  std::shuffle(records.begin(), records.end(), random);
}

/// Everything whose order ingest does not fix by sorting: workloads, pods and queues may come in
/// any order.
Inventory shuffled(Inventory inventory, std::uint32_t seed) {
  std::mt19937 random(seed);
  shuffle(inventory.workloads, random);
  shuffle(inventory.cluster_queues, random);
  shuffle(inventory.kai_queues, random);
  shuffle(inventory.local_queues, random);
  shuffle(inventory.flavors, random);
  shuffle(inventory.pods, random);
  return inventory;
}

EngineOptions in_order_of(config::Rounds rounds) {
  EngineOptions options;
  options.profile.rounds = rounds;
  return options;
}

/// Both orders of planning.
class Orders : public testing::TestWithParam<config::Rounds> {};
INSTANTIATE_TEST_SUITE_P(Rounds, Orders,
                         testing::Values(config::Rounds::kSequential, config::Rounds::kKueue),
                         [](const auto& test_case) {
                           return test_case.param == config::Rounds::kKueue ? "Kueue"
                                                                            : "Sequential";
                         });

TEST_P(Orders, InputOrderNeverChangesADecision) {
  const EngineOptions options = in_order_of(GetParam());
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Inventory inventory = random_world(seed).build();
    const std::string first = test::schedule(inventory, options);
    ASSERT_FALSE(first.empty());
    for (std::uint32_t order = 1; order <= 3; ++order) {
      ASSERT_EQ(test::schedule(shuffled(inventory, order), options), first) << "seed " << seed;
    }
  }
}

TEST(Determinism, StateBooksTheSameInAnyOrder) {  // cases.md C177
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    Inventory inventory = random_world(seed).build();
    Engine engine(inventory, {});
    const std::vector<Decision> decisions = engine.run(test::waiting(inventory));
    // Half of what was placed becomes state, as a reader of the output would see it.
    for (std::size_t d = 0; d < decisions.size(); d += 2) {
      const Decision& decision = decisions[d];
      if (decision.outcome != Outcome::kPlaced) continue;
      Workload& workload = inventory.workloads[decision.workload];
      Admission admission{decision.cluster_queue, {}};
      for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
        const PodSetDecision& placed = decision.pod_sets[i];
        PodSetAssignment assignment;
        assignment.name = workload.gang.pod_sets[i].name;
        assignment.count = placed.count;
        assignment.flavors = placed.flavors;
        assignment.usage = placed.usage;
        assignment.levels = {Symbol(test::kHost)};
        const auto& tree = engine.view(placed.topology_flavor)->tree();
        for (const solver::LeafPods& leaf : placed.placement) {
          assignment.domains.add(std::vector{tree.value(tree.domain_of(leaf.leaf))}, leaf.pods);
        }
        admission.pod_sets.push_back(std::move(assignment));
      }
      workload.status.admission = std::move(admission);
    }
    const std::string first = test::schedule(inventory);
    for (std::uint32_t order = 1; order <= 3; ++order) {
      ASSERT_EQ(test::schedule(shuffled(inventory, order)), first) << "seed " << seed;
    }
  }
}

TEST_P(Orders, NeverOversubscribeANodeOrPlaceAPart) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Inventory inventory = random_world(seed).build();
    Engine engine(inventory, in_order_of(GetParam()));
    std::map<std::string, std::int64_t> gpus;  // by host
    for (const Decision& decision : engine.run(test::waiting(inventory))) {
      if (decision.outcome != Outcome::kPlaced) continue;
      const auto& pod_sets = inventory.workloads[decision.workload].gang.pod_sets;
      for (std::size_t i = 0; i < pod_sets.size(); ++i) {
        const PodSetDecision& placed = decision.pod_sets[i];
        const auto& tree = engine.view(placed.topology_flavor, placed.open)->tree();
        std::int64_t pods = 0;
        for (const solver::LeafPods& leaf : placed.placement) {
          pods += leaf.pods;
          gpus[tree.value(tree.domain_of(leaf.leaf)).str()] +=
              leaf.pods * pod_sets[i].request.get(topology::gpu_resource());
        }
        EXPECT_EQ(pods, placed.count);
        EXPECT_GE(placed.count, pod_sets[i].min_count.value_or(pod_sets[i].count));
        EXPECT_LE(placed.count, pod_sets[i].count);
      }
    }
    for (const topology::NodeRecord& node : inventory.nodes) {
      EXPECT_LE(gpus[node.name.str()], node.allocatable.get(topology::gpu_resource()));
    }
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace tessera::core
