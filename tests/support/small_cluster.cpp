// SPDX-License-Identifier: Apache-2.0
#include "tests/support/small_cluster.h"

#include <algorithm>

#include "tests/support/cluster_builder.h"

namespace tessera::test {
namespace {

using topology::Symbol;

constexpr const char* kHalf = "tessera.test/half";
constexpr const char* kLevels[kSmallLevels] = {kBlock, kRack, kHost};

SmallCluster::Pods small_pods(Dice& dice, bool hosts, bool many) {
  SmallCluster::Pods pods;
  pods.count = dice.between(1, many ? 4 : 7);
  pods.cpu = dice.between(1, 2);
  pods.gpu = dice.percent(35) ? 1 : 0;
  const std::int64_t levels = hosts ? 3 : 2;
  const auto level = static_cast<std::size_t>(dice.below(levels));
  const std::int64_t kind = dice.below(10);
  if (kind < 6) {
    pods.required = level;
  } else if (kind < 8) {
    pods.preferred = level;
  }
  if (dice.percent(35)) {
    pods.slice_level = static_cast<std::size_t>(
        dice.between(kind < 8 ? static_cast<std::int64_t>(level) : 0, levels - 1));
    pods.slice = dice.between(2, 3);
    if (dice.percent(75)) pods.count = pods.slice * dice.between(1, 2);
  }
  return pods;
}

solver::PodSet pod_set_of(const SmallCluster::Pods& pods, std::size_t number) {
  solver::PodSet pod_set;
  pod_set.name = "p" + std::to_string(number);
  pod_set.count = pods.count;
  pod_set.min_count = pods.least;
  pod_set.request = {{topology::cpu_resource(), pods.cpu}};
  if (pods.gpu > 0) pod_set.request.set(topology::gpu_resource(), pods.gpu);
  if (pods.required) pod_set.topology.required = Symbol(kLevels[*pods.required]);
  if (pods.preferred) pod_set.topology.preferred = Symbol(kLevels[*pods.preferred]);
  if (pods.slice_level) {
    pod_set.topology.layers.push_back({Symbol(kLevels[*pods.slice_level]), pods.slice});
  }
  if (!pod_set.topology.explicit_request()) pod_set.topology.unconstrained = true;
  return pod_set;
}

}  // namespace

SmallCluster small_cluster(Dice& dice) {
  SmallCluster cluster;
  const std::int64_t nodes = dice.between(1, 4);
  for (std::int64_t n = 0; n < nodes; ++n) {
    SmallCluster::Node node;
    node.name = "n" + std::to_string(n);
    const bool second_block = dice.percent(25);
    node.path[0] = second_block ? "b2" : "b1";
    node.path[1] = (second_block ? "s" : "r") + std::to_string(dice.between(1, 2));
    node.path[2] = node.name;
    node.half = dice.percent(50);
    node.cpu = dice.between(1, 5);
    node.gpu = dice.percent(50) ? dice.between(0, 3) : 0;
    cluster.nodes.push_back(node);
  }
  cluster.flavors = {{"all-hosts", false, true}, {"all-racks", false, false}};
  if (dice.percent(50)) cluster.flavors.push_back({"half-hosts", true, true});
  if (dice.percent(50)) cluster.flavors.push_back({"half-racks", true, false});
  const std::int64_t works = dice.between(1, 4);
  for (std::int64_t w = 0; w < works; ++w) {
    SmallCluster::Work work;
    work.name = "w" + std::to_string(w);
    const auto count = static_cast<std::int64_t>(cluster.flavors.size());
    work.flavors.push_back(static_cast<std::size_t>(dice.below(count)));
    const auto other = static_cast<std::size_t>(dice.below(count));
    if (dice.percent(30) && other != work.flavors[0]) work.flavors.push_back(other);
    const bool hosts = std::all_of(work.flavors.begin(), work.flavors.end(),
                                   [&](std::size_t f) { return cluster.flavors[f].hosts; });
    const std::int64_t sets = dice.percent(60) ? 1 : dice.between(2, 3);
    for (std::int64_t p = 0; p < sets; ++p) {
      work.pods.push_back(small_pods(dice, hosts, sets > 1));
    }
    // The API lets at most one pod set have a minimum.
    if (dice.percent(40)) {
      SmallCluster::Pods& pods = work.pods[static_cast<std::size_t>(dice.below(sets))];
      pods.least = dice.between(1, pods.count);
    }
    cluster.works.push_back(std::move(work));
  }
  return cluster;
}

core::Inventory inventory_of(const SmallCluster& cluster) {
  ClusterBuilder builder;
  for (const SmallCluster::Node& node : cluster.nodes) {
    builder.hosts(node.path[0] + "/" + node.path[1] + "/" + node.name + ":" +
                  std::to_string(node.gpu));
    topology::NodeRecord& record = builder.node(node.name);
    record.allocatable.set(topology::cpu_resource(), node.cpu);
    record.capacity = record.allocatable;
    record.labels.set(Symbol(kHalf), Symbol(node.half ? "yes" : "no"));
  }
  for (const SmallCluster::Flavor& flavor : cluster.flavors) {
    builder.flavor(flavor.name, flavor.hosts ? "levels" : "racks");
    if (flavor.half) {
      builder.flavor_record(flavor.name).node_labels = {{Symbol(kHalf), Symbol("yes")}};
    }
  }
  for (const SmallCluster::Work& work : cluster.works) {
    std::vector<std::string> flavors;
    for (const std::size_t flavor : work.flavors) flavors.push_back(cluster.flavors[flavor].name);
    builder.queue(work.name, flavors, topology::kUnlimited);
    std::vector<solver::PodSet> pod_sets;
    for (const SmallCluster::Pods& pods : work.pods) {
      pod_sets.push_back(pod_set_of(pods, pod_sets.size()));
    }
    builder.workload(work.name, std::move(pod_sets), work.name);
  }
  return builder.topology("racks", {kBlock, kRack}).build();
}

std::string text(const SmallCluster& cluster) {
  std::string out;
  for (const SmallCluster::Node& node : cluster.nodes) {
    out += node.path[0] + "/" + node.path[1] + "/" + node.name + (node.half ? " half" : "") +
           " cpu " + std::to_string(node.cpu) + " gpu " + std::to_string(node.gpu) + "\n";
  }
  for (const SmallCluster::Work& work : cluster.works) {
    out += work.name + " on";
    for (const std::size_t flavor : work.flavors) out += " " + cluster.flavors[flavor].name;
    for (const SmallCluster::Pods& pods : work.pods) {
      out += "; " + std::to_string(pods.count) + " pods";
      if (pods.least) out += " or at least " + std::to_string(*pods.least);
      out += " of cpu " + std::to_string(pods.cpu) + " gpu " + std::to_string(pods.gpu);
      if (pods.required) out += std::string(" required ") + kLevels[*pods.required];
      if (pods.preferred) out += std::string(" preferred ") + kLevels[*pods.preferred];
      if (pods.slice_level) {
        out += " slices of " + std::to_string(pods.slice) + " in " + kLevels[*pods.slice_level];
      }
    }
    out += "\n";
  }
  return out;
}

}  // namespace tessera::test
