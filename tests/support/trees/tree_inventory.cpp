// SPDX-License-Identifier: Apache-2.0
#include "tests/support/trees/tree_inventory.h"

#include <algorithm>

namespace tessera::test {
namespace {

using topology::Symbol;

std::optional<Symbol> label(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(Symbol(text));
}

topology::Amounts without_slot(topology::Amounts amounts) {
  amounts.erase(topology::pods_resource());
  return amounts;
}

/// Adds the groups of one gang of a vector to a gang, in pre-order.
class GangMaker {
 public:
  GangMaker(const TreeVector& vector, const TreeVectorGang& from, solver::Gang& gang)
      : vector_(vector), from_(from), gang_(gang) {
    add(from.tree, 0, true);
  }

 private:
  void add(const TreeVectorGroup& from, std::uint32_t parent, bool root) {
    const auto self = static_cast<std::uint32_t>(gang_.groups.size());
    gang_.groups.emplace_back();
    solver::GangGroup group;
    group.name = root ? "" : from.name;
    group.parent = parent;
    group.topology = {vector_.levels.empty() ? "" : "levels", label(from.required),
                      label(from.preferred)};
    group.exclusive = {label(from.exclusive), from.everyone};
    group.spread = {label(from.spread), from.most};
    group.min_pods = from.is_leaf() ? from.min_pods.value_or(0) : 0;
    group.min_children =
        from.min_children.value_or(static_cast<std::int64_t>(from.children.size()));
    for (const TreeBound& bound : vector_.bound) {
      if (bound.gang == from_.name && bound.group == from.name) group.running.push_back(bound.node);
    }
    group.pods_begin = static_cast<std::uint32_t>(gang_.pod_sets.size());
    add_pods(from);
    group.pods_end = static_cast<std::uint32_t>(gang_.pod_sets.size());
    for (const TreeVectorGroup& child : from.children) add(child, self, false);
    group.end = static_cast<std::uint32_t>(gang_.groups.size());
    gang_.groups[self] = std::move(group);
  }

  void add_pods(const TreeVectorGroup& from) {
    const std::size_t first = gang_.pod_sets.size();
    for (const TreePod& pod : from.pods) {
      const topology::Amounts request = without_slot(pod.total);
      auto known = std::find_if(gang_.pod_sets.begin() + static_cast<std::ptrdiff_t>(first),
                                gang_.pod_sets.end(),
                                [&](const auto& each) { return each.request == request; });
      if (known == gang_.pod_sets.end()) {
        solver::PodSet pod_set;
        pod_set.name = from.name + "-" + std::to_string(gang_.pod_sets.size() - first);
        pod_set.request = request;
        pod_set.topology.unconstrained = true;
        gang_.pod_sets.push_back(std::move(pod_set));
        known = gang_.pod_sets.end() - 1;
      }
      known->pods.push_back(pod.name);
      ++known->count;
    }
  }

  const TreeVector& vector_;
  const TreeVectorGang& from_;
  solver::Gang& gang_;
};

}  // namespace

core::Inventory inventory_of(const TreeVector& vector) {
  core::Inventory out;
  out.nodes = vector.nodes;
  std::sort(out.nodes.begin(), out.nodes.end(),
            [](const auto& a, const auto& b) { return a.name.view() < b.name.view(); });
  if (!vector.levels.empty()) {
    topology::TopologySpec spec;
    spec.name = "levels";
    spec.unlabelled = topology::UnlabelledNodes::kKept;
    for (const std::string& each : vector.levels) spec.levels.push_back({Symbol(each), "", ""});
    if (!spec.host_level()) spec.levels.push_back({topology::hostname_label(), "", ""});
    out.topologies.push_back(std::move(spec));
  }
  core::KaiQueueRecord queue;
  queue.name = "team";
  queue.cpu.limit = queue.memory.limit = queue.gpu.limit = topology::kUnlimited;
  queue.cpu.deserved = queue.memory.deserved = queue.gpu.deserved = topology::kUnlimited;
  out.kai_queues.push_back(std::move(queue));
  out.has_queues = true;
  for (std::size_t b = 0; b < vector.bound.size(); ++b) {
    const TreeBound& bound = vector.bound[b];
    core::PodRecord pod;
    pod.namespace_name = "default";
    pod.name = bound.pod.empty() ? "bound-" + std::to_string(b) : bound.pod;
    pod.node = topology::AskedText(bound.node);
    pod.request = without_slot(bound.total);
    out.pods.push_back(std::move(pod));
  }
  std::sort(out.pods.begin(), out.pods.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  std::int64_t created = 0;
  for (const TreeVectorGang& gang : vector.gangs) {
    core::Workload workload;
    workload.namespace_name = "default";
    workload.name = workload.uid = gang.name;
    workload.queue = "team";
    workload.queue_is_kai = true;
    workload.created = created++;
    workload.priority = gang.priority;
    GangMaker(vector, gang, workload.gang);
    for (const solver::PodSet& each : workload.gang.pod_sets) {
      workload.quota_requests.push_back(each.request);
    }
    out.workloads.push_back(std::move(workload));
  }
  std::sort(out.workloads.begin(), out.workloads.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

std::map<std::string, TreePlaces> places_of(const core::Engine& engine,
                                            const std::vector<core::Decision>& decisions) {
  std::map<std::string, TreePlaces> out;
  for (const core::Decision& decision : decisions) {
    const core::Workload& workload = engine.inventory().workloads[decision.workload];
    TreePlaces& places = out[workload.name];
    for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
      const core::PodSetDecision& pod_set = decision.pod_sets[i];
      if (pod_set.placement.empty()) continue;
      const topology::DomainTree& tree = engine.view(pod_set.topology_flavor, pod_set.open)->tree();
      std::size_t rank = 0;
      for (const solver::LeafPods& leaf : pod_set.placement) {
        for (std::int64_t k = 0; k < leaf.pods; ++k) {
          const topology::NodeId node = tree.nodes(leaf.leaf).front();
          places[workload.gang.pod_sets[i].pods.at(rank++)] =
              engine.inventory().nodes[topology::index(node)].name.str();
        }
      }
    }
  }
  return out;
}

}  // namespace tessera::test
