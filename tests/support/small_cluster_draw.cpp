// SPDX-License-Identifier: Apache-2.0
// The dice of SmallCluster.
#include <algorithm>

#include "tests/support/small_cluster.h"

namespace tessera::test {
namespace {

using SmallHolder = SmallCluster::Holder;
using SmallLeaves = SmallCluster::Leaves;
using SmallPods = SmallCluster::Pods;

SmallCluster::Node draw_node(Dice& dice, std::size_t number) {
  SmallCluster::Node node;
  node.name = "n" + std::to_string(number);
  const bool second_block = dice.percent(25);
  node.path[0] = second_block ? "b2" : "b1";
  // Racks of the two blocks may have the same name.
  node.path[1] = "r" + std::to_string(dice.between(1, 2));
  node.path[2] = node.name;
  node.half = dice.percent(50);
  node.cpu = dice.between(1, 5);
  node.gpu = dice.percent(50) ? dice.between(0, 3) : 0;
  if (dice.percent(12)) {
    node.health =
        dice.percent(50) ? SmallCluster::Health::kCordoned : SmallCluster::Health::kNotReady;
  }
  node.tainted = dice.percent(15);
  node.rackless = dice.percent(8);
  return node;
}

/// What the holder holds is taken off `cpu` and `gpu`, by node: nothing is ever overfilled.
void draw_holder(Dice& dice, SmallCluster& cluster, std::vector<std::int64_t>& cpu,
                 std::vector<std::int64_t>& gpu) {
  const auto nodes = static_cast<std::int64_t>(cluster.nodes.size());
  SmallHolder holder;
  holder.name = "h" + std::to_string(cluster.holders.size());
  holder.kind = static_cast<SmallHolder::Kind>(dice.below(5));
  holder.node = static_cast<std::size_t>(dice.below(nodes));
  holder.cpu = dice.between(0, 2);
  holder.gpu = dice.percent(40) ? 1 : 0;
  holder.pods = dice.between(1, 2);
  holder.flavor =
      static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(cluster.flavors.size())));
  holder.bound = holder.kind == SmallHolder::Kind::kPods ||
                 holder.kind == SmallHolder::Kind::kRacksGone || dice.percent(40);
  const auto room = [&](std::size_t node, std::int64_t pods) {
    return cpu[node] >= pods * holder.cpu && gpu[node] >= pods * holder.gpu;
  };
  if (holder.kind == SmallHolder::Kind::kRacksGone && cluster.nodes[holder.node].rackless) return;
  if (!room(holder.node, holder.pods)) return;
  cpu[holder.node] -= holder.pods * holder.cpu;
  gpu[holder.node] -= holder.pods * holder.gpu;
  const auto other = static_cast<std::size_t>(dice.below(nodes));
  const bool on_hosts =
      holder.kind != SmallHolder::Kind::kPods && holder.kind != SmallHolder::Kind::kRacksGone;
  if (on_hosts && holder.bound && other != holder.node && dice.percent(40) && room(other, 1)) {
    holder.stray = other;
    cpu[other] -= holder.cpu;
    gpu[other] -= holder.gpu;
  }
  cluster.holders.push_back(holder);
}

SmallCluster::Queue draw_queue(Dice& dice, std::size_t number, std::size_t flavors) {
  SmallCluster::Queue queue;
  queue.name = "q" + std::to_string(number);
  const auto any = [&] {
    return static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(flavors)));
  };
  queue.flavors.push_back(any());
  const std::size_t other = any();
  queue.split = dice.percent(15);
  if (queue.split || (dice.percent(30) && other != queue.flavors[0])) {
    queue.flavors.push_back(other);
  }
  if (queue.split && queue.flavors[1] == queue.flavors[0]) {
    queue.split = false;
    queue.flavors.pop_back();
  }
  if (dice.percent(20)) queue.cpu = dice.between(2, 8);
  if (dice.percent(15)) queue.gpu = dice.between(0, 4);
  return queue;
}

/// The levels that a flavor's topology knows: the first and the last.
std::pair<std::int64_t, std::int64_t> levels_of(SmallLeaves leaves) {
  if (leaves == SmallLeaves::kHostsOnly) return {2, 2};
  return {0, leaves == SmallLeaves::kHosts ? 2 : 1};
}

SmallPods draw_pods(Dice& dice, SmallLeaves leaves, bool many) {
  SmallPods pods;
  pods.count = dice.between(1, many ? 4 : 7);
  pods.cpu = dice.between(1, 2);
  pods.gpu = dice.percent(35) ? 1 : 0;
  pods.tolerates = dice.percent(30);
  const auto [first, last] = levels_of(leaves);
  const auto level = static_cast<std::size_t>(dice.between(first, last));
  const std::int64_t kind = dice.below(10);
  if (kind < 6) {
    pods.required = level;
  } else if (kind < 8) {
    pods.preferred = level;
  }
  if (dice.percent(35)) {
    pods.slice_level = static_cast<std::size_t>(
        dice.between(kind < 8 ? static_cast<std::int64_t>(level) : first, last));
    pods.slice = dice.between(2, 3);
    if (dice.percent(75)) pods.count = pods.slice * dice.between(1, 2);
  }
  return pods;
}

/// Makes a leader of one of the first two pod sets, and workers of the other.
void make_group(Dice& dice, SmallLeaves leaves, SmallCluster::Work& work) {
  work.grouped = true;
  const std::size_t leads = dice.percent(50) ? 0 : 1;
  SmallPods& leader = work.pods[leads];
  SmallPods& workers = work.pods[1 - leads];
  if (!workers.required && !workers.preferred) {
    const auto coarsest = static_cast<std::size_t>(levels_of(leaves).first);
    (dice.percent(50) ? workers.required : workers.preferred) = coarsest;
  }
  leader.count = 1;
  // Of two pod sets with one pod the second leads.
  if (leads == 0 && workers.count == 1) workers.count = 2 * workers.slice;
  leader.required = workers.required;
  leader.preferred = workers.preferred;
  leader.slice_level.reset();
  leader.slice = 1;
}

SmallCluster::Work draw_work(Dice& dice, const SmallCluster& cluster) {
  SmallCluster::Work work;
  work.name = "w" + std::to_string(cluster.works.size());
  work.queue =
      static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(cluster.queues.size())));
  const SmallCluster::Queue& queue = cluster.queues[work.queue];
  SmallLeaves leaves = cluster.flavors[queue.flavors[0]].leaves;
  // Two flavors at once: only what both topologies know.
  if (queue.split && leaves == SmallLeaves::kHosts)
    leaves = cluster.flavors[queue.flavors[1]].leaves;
  const std::int64_t sets = dice.percent(55) ? 1 : dice.between(2, 3);
  for (std::int64_t p = 0; p < sets; ++p) work.pods.push_back(draw_pods(dice, leaves, sets > 1));
  if (sets > 1 && dice.percent(45)) make_group(dice, leaves, work);
  if (queue.split) {
    // A pod is on one flavor: it asks for the resource of one group.
    for (SmallPods& pods : work.pods) (dice.percent(50) ? pods.cpu : pods.gpu) = 0;
    for (SmallPods& pods : work.pods) {
      if (pods.cpu == 0) pods.gpu = 1;
    }
  }
  // The API lets at most one pod set have a minimum.
  if (dice.percent(40)) {
    SmallPods& pods = work.pods[static_cast<std::size_t>(dice.below(sets))];
    pods.least = dice.between(1, pods.count);
  }
  return work;
}

}  // namespace

SmallCluster small_cluster(Dice& dice) {
  SmallCluster cluster;
  std::vector<std::int64_t> cpu, gpu;
  const std::int64_t nodes = dice.between(1, 4);
  for (std::int64_t n = 0; n < nodes; ++n) {
    cluster.nodes.push_back(draw_node(dice, cluster.nodes.size()));
    cpu.push_back(cluster.nodes.back().cpu);
    gpu.push_back(cluster.nodes.back().gpu);
  }
  cluster.flavors = {{"all-hosts", false, SmallLeaves::kHosts},
                     {"all-racks", false, SmallLeaves::kRacks}};
  if (dice.percent(50)) cluster.flavors.push_back({"half-hosts", true, SmallLeaves::kHosts});
  if (dice.percent(50)) cluster.flavors.push_back({"half-racks", true, SmallLeaves::kRacks});
  if (dice.percent(25)) cluster.flavors.push_back({"flat", false, SmallLeaves::kHostsOnly});
  const std::int64_t holders = dice.percent(50) ? 0 : dice.between(1, 3);
  for (std::int64_t h = 0; h < holders; ++h) draw_holder(dice, cluster, cpu, gpu);
  const std::int64_t queues = dice.between(1, 3);
  for (std::int64_t q = 0; q < queues; ++q) {
    cluster.queues.push_back(draw_queue(dice, cluster.queues.size(), cluster.flavors.size()));
  }
  const std::int64_t works = dice.between(1, 4);
  for (std::int64_t w = 0; w < works; ++w) cluster.works.push_back(draw_work(dice, cluster));
  return cluster;
}

}  // namespace tessera::test
