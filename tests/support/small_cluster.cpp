// SPDX-License-Identifier: Apache-2.0
#include "tests/support/small_cluster.h"

#include <algorithm>

#include "tests/support/cluster_builder.h"

namespace tessera::test {
namespace {

using topology::Symbol;
using SmallHolder = SmallCluster::Holder;
using SmallLeaves = SmallCluster::Leaves;

constexpr const char* kHalf = "tessera.test/half";
constexpr const char* kLeft = "tessera.test/left";
constexpr const char* kTaint = "tessera.test/taint";
constexpr const char* kLevels[kSmallLevels] = {kBlock, kRack, kHost};

topology::Amounts amounts(std::int64_t cpu, std::int64_t gpu) {
  topology::Amounts amounts;
  if (cpu > 0) amounts.set(topology::cpu_resource(), cpu);
  if (gpu > 0) amounts.set(topology::gpu_resource(), gpu);
  return amounts;
}

solver::PodSet pod_set_of(const SmallCluster::Pods& pods, std::size_t number, bool grouped) {
  solver::PodSet pod_set;
  pod_set.name = "p" + std::to_string(number);
  pod_set.count = pods.count;
  pod_set.min_count = pods.least;
  pod_set.request = amounts(pods.cpu, pods.gpu);
  if (grouped) pod_set.unit = "g";
  if (pods.tolerates) pod_set.filter.tolerations.push_back(tolerates(kTaint));
  if (pods.required) pod_set.topology.required = Symbol(kLevels[*pods.required]);
  if (pods.preferred) pod_set.topology.preferred = Symbol(kLevels[*pods.preferred]);
  if (pods.slice_level) {
    pod_set.topology.layers.push_back({Symbol(kLevels[*pods.slice_level]), pods.slice});
  }
  if (!pod_set.topology.explicit_request()) pod_set.topology.unconstrained = true;
  return pod_set;
}

void add_nodes(const SmallCluster& cluster, ClusterBuilder& builder) {
  for (const SmallCluster::Node& node : cluster.nodes) {
    builder.hosts(node.path[0] + "/" + (node.rackless ? "" : node.path[1]) + "/" + node.name + ":" +
                  std::to_string(node.gpu));
    topology::NodeRecord& record = builder.node(node.name);
    record.allocatable.set(topology::cpu_resource(), node.cpu);
    record.capacity = record.allocatable;
    record.labels.set(Symbol(kHalf), Symbol(node.half ? "yes" : "no"));
    record.ready = node.health != SmallCluster::Health::kNotReady;
    record.unschedulable = node.health == SmallCluster::Health::kCordoned;
    if (node.tainted) record.taints.push_back(taint(kTaint, "on"));
  }
}

void add_flavors(const SmallCluster& cluster, ClusterBuilder& builder) {
  builder.topology("racks", {kBlock, kRack}).topology("flat", {kHost});
  for (const SmallCluster::Flavor& flavor : cluster.flavors) {
    const char* topology = flavor.leaves == SmallLeaves::kHosts   ? "levels"
                           : flavor.leaves == SmallLeaves::kRacks ? "racks"
                                                                  : "flat";
    builder.flavor(flavor.name, topology);
    if (flavor.half) {
      builder.flavor_record(flavor.name).node_labels = {{Symbol(kHalf), Symbol("yes")}};
    }
  }
  builder.flavor("left").flavor_record("left").node_labels = {{Symbol(kLeft), Symbol("yes")}};
}

void add_queue(const SmallCluster& cluster, const SmallCluster::Queue& queue,
               ClusterBuilder& builder) {
  std::vector<std::string> flavors;
  for (const std::size_t flavor : queue.flavors) flavors.push_back(cluster.flavors[flavor].name);
  core::ClusterQueueRecord& record =
      builder.queue(queue.name, flavors, queue.gpu.value_or(topology::kUnlimited));
  for (core::FlavorQuotas& each : record.groups[0].flavors) {
    each.resources[0].nominal = queue.cpu.value_or(topology::kUnlimited);
  }
  if (!queue.split) return;
  core::ResourceGroup& first = record.groups[0];
  core::ResourceGroup second{{first.covered[1]}, {first.flavors[1]}};
  second.flavors[0].resources.erase(second.flavors[0].resources.begin());
  first.covered.pop_back();
  first.flavors.pop_back();
  first.flavors[0].resources.pop_back();
  record.groups.push_back(std::move(second));
}

/// The levels and values of the domain that an admitted holder names.
void name_domain(const SmallCluster& cluster, const SmallHolder& holder,
                 core::PodSetAssignment& assignment) {
  const SmallCluster::Node& node = cluster.nodes[holder.node];
  std::vector<Symbol> values;
  const auto add = [&](const char* level, const std::string& value) {
    assignment.levels.emplace_back(level);
    values.emplace_back(value);
  };
  if (holder.kind == SmallHolder::Kind::kRacksGone) {
    add(kBlock, node.path[0]);
    add(kRack, node.path[1]);
  } else {
    // Levels that no topology has any more, and a rack that the node may have left.
    if (holder.kind == SmallHolder::Kind::kOtherLevels) add("tessera.test/row", "row");
    if (holder.pods == 2) add(kRack, "old-rack");
    add(kHost, node.path[2]);
  }
  assignment.domains.add(values, holder.pods);
}

void add_admitted(const SmallCluster& cluster, const SmallHolder& holder, ClusterBuilder& builder) {
  solver::PodSet pod_set;
  pod_set.name = "main";
  pod_set.count = holder.pods;
  pod_set.request = amounts(holder.cpu, holder.gpu);
  core::PodSetAssignment assignment;
  assignment.name = pod_set.name;
  assignment.count = holder.pods;
  assignment.usage = pod_set.request.times(holder.pods);
  const std::string flavor = holder.kind == SmallHolder::Kind::kFlavorLeft ? "left"
                             : holder.kind == SmallHolder::Kind::kOtherLevels
                                 ? cluster.flavors[holder.flavor].name
                                 : "gone";
  for (const topology::Amount& amount : pod_set.request) {
    assignment.flavors.set(amount.resource, Symbol(flavor));
  }
  name_domain(cluster, holder, assignment);
  core::Workload& record = builder.workload(holder.name, {std::move(pod_set)}, "gone");
  record.status.quota_reserved = true;
  record.status.admission = core::Admission{"gone", {std::move(assignment)}};
}

void add_holder(const SmallCluster& cluster, const SmallHolder& holder, ClusterBuilder& builder) {
  const bool admitted = holder.kind != SmallHolder::Kind::kPods;
  if (admitted) add_admitted(cluster, holder, builder);
  if (!holder.bound) return;
  for (std::int64_t pod = 0; pod < holder.pods; ++pod) {
    const std::size_t node = holder.stray && pod == 0 ? *holder.stray : holder.node;
    core::PodRecord& record = builder.bound_pod(holder.name + "-" + std::to_string(pod),
                                                cluster.nodes[node].name, holder.gpu);
    record.request = amounts(holder.cpu, holder.gpu);
    if (admitted) record.workload = "ns/" + holder.name;
  }
}

}  // namespace

core::Inventory inventory_of(const SmallCluster& cluster) {
  ClusterBuilder builder;
  add_nodes(cluster, builder);
  add_flavors(cluster, builder);
  for (const SmallCluster::Queue& queue : cluster.queues) add_queue(cluster, queue, builder);
  for (const SmallHolder& holder : cluster.holders) add_holder(cluster, holder, builder);
  for (const SmallCluster::Work& work : cluster.works) {
    std::vector<solver::PodSet> pod_sets;
    for (const SmallCluster::Pods& pods : work.pods) {
      pod_sets.push_back(pod_set_of(pods, pod_sets.size(), work.grouped && pod_sets.size() < 2));
    }
    builder.workload(work.name, std::move(pod_sets), cluster.queues[work.queue].name);
  }
  return builder.build();
}

namespace {

std::string text_of(const SmallCluster::Node& node) {
  std::string out = node.path[0] + "/" + node.path[1] + "/" + node.name;
  if (node.half) out += " half";
  if (node.tainted) out += " tainted";
  if (node.rackless) out += " rackless";
  if (node.health == SmallCluster::Health::kCordoned) out += " cordoned";
  if (node.health == SmallCluster::Health::kNotReady) out += " not ready";
  return out + " cpu " + std::to_string(node.cpu) + " gpu " + std::to_string(node.gpu) + "\n";
}

std::string text_of(const SmallCluster& cluster, const SmallHolder& holder) {
  const char* kinds[] = {"bound pods", "flavor gone", "flavor left", "other levels", "racks gone"};
  std::string out = holder.name + " holds " + std::to_string(holder.pods) + " pods of cpu " +
                    std::to_string(holder.cpu) + " gpu " + std::to_string(holder.gpu) + " on " +
                    cluster.nodes[holder.node].name + ", " +
                    kinds[static_cast<std::size_t>(holder.kind)];
  if (holder.kind == SmallHolder::Kind::kOtherLevels) {
    out += " of " + cluster.flavors[holder.flavor].name;
  }
  if (holder.bound) out += ", bound";
  if (holder.stray) out += ", a stray on " + cluster.nodes[*holder.stray].name;
  return out + "\n";
}

std::string text_of(const SmallCluster& cluster, const SmallCluster::Queue& queue) {
  std::string out = queue.name + (queue.split ? " split on" : " on");
  for (const std::size_t flavor : queue.flavors) out += " " + cluster.flavors[flavor].name;
  if (queue.cpu) out += ", quota cpu " + std::to_string(*queue.cpu);
  if (queue.gpu) out += ", quota gpu " + std::to_string(*queue.gpu);
  return out + "\n";
}

std::string text_of(const SmallCluster::Pods& pods) {
  std::string out = "; " + std::to_string(pods.count) + " pods";
  if (pods.least) out += " or at least " + std::to_string(*pods.least);
  out += " of cpu " + std::to_string(pods.cpu) + " gpu " + std::to_string(pods.gpu);
  if (pods.tolerates) out += " tolerant";
  if (pods.required) out += std::string(" required ") + kLevels[*pods.required];
  if (pods.preferred) out += std::string(" preferred ") + kLevels[*pods.preferred];
  if (pods.slice_level) {
    out += " slices of " + std::to_string(pods.slice) + " in " + kLevels[*pods.slice_level];
  }
  return out;
}

}  // namespace

std::string text(const SmallCluster& cluster) {
  std::string out;
  for (const SmallCluster::Node& node : cluster.nodes) out += text_of(node);
  for (const SmallHolder& holder : cluster.holders) out += text_of(cluster, holder);
  for (const SmallCluster::Queue& queue : cluster.queues) out += text_of(cluster, queue);
  for (const SmallCluster::Work& work : cluster.works) {
    out += work.name + " in " + cluster.queues[work.queue].name;
    if (work.grouped) out += ", the first two a group";
    for (const SmallCluster::Pods& pods : work.pods) out += text_of(pods);
    out += "\n";
  }
  return out;
}

}  // namespace tessera::test
