// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_world.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test {
namespace {

using topology::NodeRecord;
using topology::Symbol;

constexpr std::int64_t kPodSlots = 110;
const Symbol kGpu("gpu"), kCpu("cpu"), kMemory("memory");

topology::TopologySpec random_levels(Dice& dice) {
  topology::TopologySpec topology;
  topology.name = "t";
  const std::int64_t inner = dice.below(3);  // levels above the last one
  const bool host = dice.percent(85) || inner == 0;
  if (inner == 2) topology.levels.push_back({Symbol("block"), "", ""});
  if (inner >= 1) topology.levels.push_back({Symbol("rack"), "", ""});
  if (host) topology.levels.push_back({topology::hostname_label(), "host", ""});
  return topology;
}

struct Resources {
  bool cpu = false, memory = false, few_slots = false;
};

NodeRecord random_node(Dice& dice, const std::string& name, const topology::TopologySpec& topology,
                       const Resources& resources) {
  NodeRecord node;
  node.name = Symbol(name);
  node.ready = !dice.percent(3);
  node.unschedulable = dice.percent(3);
  for (const topology::TopologyLevel& level : topology.levels) {
    const bool host = level.label == topology::hostname_label();
    const std::string value =
        host ? name : level.label.str().substr(0, 1) + std::to_string(dice.between(1, 3));
    if (host || !dice.percent(2)) node.labels.set(level.label, Symbol(value));
  }
  node.allocatable.set(kGpu, dice.between(0, 6));
  if (resources.cpu) node.allocatable.set(kCpu, dice.between(0, 12));
  if (resources.memory && !dice.percent(5)) node.allocatable.set(kMemory, dice.between(0, 9));
  node.allocatable.set(topology::pods_resource(),
                       resources.few_slots ? dice.between(0, 6) : kPodSlots);
  if (dice.percent(15)) {
    node.taints.push_back({Symbol("maint"), Symbol("yes"), topology::TaintEffect::kNoSchedule});
  }
  if (dice.percent(50)) node.labels.set(Symbol("gen"), Symbol(dice.percent(50) ? "x" : "y"));
  return node;
}

/// What others hold on the leaf of a node. It may be more than the leaf has.
Holding random_holding(Dice& dice, const WorldSpec& world) {
  const auto node =
      static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(world.nodes.size())));
  Holding holding;
  for (const topology::TopologyLevel& level : world.topology.levels) {
    const bool host = level.label == topology::hostname_label();
    if (world.topology.host_level() && !host) continue;
    holding.domain.push_back(world.nodes[node].labels.find(level.label).value_or(Symbol()));
  }
  holding.total = {{kGpu, dice.between(0, 7)}, {topology::pods_resource(), dice.between(1, 3)}};
  return holding;
}

topology::Amounts random_request(Dice& dice, const WorldSpec& world) {
  topology::Amounts request;
  const bool cpu = !world.nodes.empty() && world.nodes[0].allocatable.find(kCpu) != nullptr;
  if (dice.percent(85)) request.set(kGpu, dice.percent(70) ? 1 : dice.between(0, 3));
  if (cpu && dice.percent(70)) request.set(kCpu, dice.between(1, 4));
  if (dice.percent(15)) request.set(kMemory, dice.between(0, 3));
  return request;
}

topology::NodeFilter random_filter(Dice& dice) {
  topology::NodeFilter filter;
  if (dice.percent(40)) {
    filter.tolerations.push_back(
        {Symbol("maint"), topology::TolerationOperator::kExists, {}, {}, {}});
  }
  if (dice.percent(15)) {
    filter.node_selector.emplace_back(Symbol("gen"), Symbol(dice.percent(50) ? "x" : "y"));
  }
  if (dice.percent(20)) {
    const topology::LabelRequirement gen_x{
        Symbol("gen"), topology::LabelOperator::kIn, {Symbol("x")}};
    filter.preferred.push_back({10, {{gen_x}, {}}});
  }
  return filter;
}

/// Sets required, preferred, unconstrained or none; returns the coarsest level that slices may
/// have.
std::size_t choose_level(Dice& dice, const WorldSpec& world, solver::TopologyRequest& request) {
  const auto levels = static_cast<std::int64_t>(world.topology.levels.size());
  const auto level = static_cast<std::size_t>(dice.below(levels));
  const Symbol label = world.topology.levels[level].label;
  switch (dice.below(4)) {
    case 0:
    case 1:
      request.required = label;
      return level;
    case 2:
      request.preferred = label;
      return level;
    default:
      if (dice.percent(50)) request.unconstrained = true;
      return 0;
  }
}

/// Adds layers at ever finer levels from `coarsest` on. Sizes are chosen from the innermost layer
/// outwards.
void choose_layers(Dice& dice, const WorldSpec& world, std::size_t coarsest,
                   solver::TopologyRequest& request) {
  for (std::size_t l = coarsest; l < world.topology.levels.size(); ++l) {
    if (dice.percent(45)) request.layers.push_back({world.topology.levels[l].label, 0});
  }
  std::int64_t size = 1;
  for (auto layer = request.layers.rbegin(); layer != request.layers.rend(); ++layer) {
    size *= dice.between(1, size > 4 ? 2 : 3);
    layer->size = size;
  }
}

solver::PodSet random_workers(Dice& dice, const WorldSpec& world, bool slices) {
  solver::PodSet pod_set;
  pod_set.name = "workers";
  pod_set.request = random_request(dice, world);
  pod_set.filter = random_filter(dice);
  const std::size_t level = choose_level(dice, world, pod_set.topology);
  if (slices) choose_layers(dice, world, level, pod_set.topology);
  const std::int64_t unit = pod_set.topology.layers.empty() ? 1 : pod_set.topology.layers[0].size;
  pod_set.count = unit * dice.between(1, std::max<std::int64_t>(2, 12 / unit));
  return pod_set;
}

solver::Gang with_leader(Dice& dice, const WorldSpec& world, solver::PodSet workers) {
  solver::PodSet leader = workers;
  leader.name = "leader";
  leader.count = 1;
  leader.request = random_request(dice, world);
  leader.filter = random_filter(dice);
  leader.topology.layers.clear();
  leader.unit = workers.unit = "g";
  // Of equal counts the second is the leader (placement.md 4.9).
  if (workers.count > 1 && dice.percent(50)) return {{std::move(leader), std::move(workers)}};
  return {{std::move(workers), std::move(leader)}};
}

}  // namespace

WorldSpec random_world(Dice& dice) {
  WorldSpec world;
  world.topology = random_levels(dice);
  const Resources resources{dice.percent(40), dice.percent(25), dice.percent(20)};
  const std::int64_t nodes = dice.between(1, 8);
  for (std::int64_t n = 0; n < nodes; ++n) {
    const std::string name(1, static_cast<char>('a' + n));
    world.nodes.push_back(random_node(dice, name, world.topology, resources));
  }
  if (dice.percent(15)) world.holdings.push_back(random_holding(dice, world));
  return world;
}

solver::Gang random_pod_set(Dice& dice, const WorldSpec& world) {
  return {{random_workers(dice, world, true)}};
}

solver::Gang random_group(Dice& dice, const WorldSpec& world) {
  return with_leader(dice, world, random_workers(dice, world, false));
}

solver::Gang random_sliced_group(Dice& dice, const WorldSpec& world) {
  return with_leader(dice, world, random_workers(dice, world, true));
}

solver::Gang random_gang(Dice& dice, const WorldSpec& world) {
  solver::Gang gang =
      dice.percent(40) ? random_sliced_group(dice, world) : random_pod_set(dice, world);
  const std::int64_t more = dice.between(1, 2);
  for (std::int64_t i = 0; i < more; ++i) {
    solver::PodSet pod_set = random_workers(dice, world, dice.percent(50));
    pod_set.name = "more" + std::to_string(i);
    const auto at = dice.below(static_cast<std::int64_t>(gang.pod_sets.size()) + 1);
    gang.pod_sets.insert(gang.pod_sets.begin() + at, std::move(pod_set));
  }
  return gang;
}

}  // namespace tessera::test
