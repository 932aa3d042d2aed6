// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cluster_builder.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace tessera::test {
namespace {

using topology::Symbol;

topology::Amounts amounts(std::int64_t gpus) {
  topology::Amounts amounts;
  amounts.set(topology::gpu_resource(), gpus);
  return amounts;
}

/// "a:2 b:1" -> (a, 2), (b, 1)
std::vector<std::pair<std::string, std::int64_t>> counted(const std::string& text) {
  std::vector<std::pair<std::string, std::int64_t>> entries;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t colon = word.rfind(':');
    entries.emplace_back(word.substr(0, colon), std::stoll(word.substr(colon + 1)));
  }
  return entries;
}

}  // namespace

solver::PodSet pods(const std::string& name, std::int64_t count, std::int64_t gpus) {
  solver::PodSet pod_set;
  pod_set.name = name;
  pod_set.count = count;
  pod_set.request = amounts(gpus);
  return pod_set;
}

solver::PodSet required(solver::PodSet pod_set, const char* level) {
  pod_set.topology.required = Symbol(level);
  return pod_set;
}

solver::PodSet preferred(solver::PodSet pod_set, const char* level) {
  pod_set.topology.preferred = Symbol(level);
  return pod_set;
}

topology::Taint taint(const char* key, const char* value) {
  return {Symbol(key), Symbol(value), topology::TaintEffect::kNoSchedule};
}

topology::Toleration tolerates(const char* key) {
  topology::Toleration toleration;
  toleration.key = Symbol(key);
  toleration.op = topology::TolerationOperator::kExists;
  return toleration;
}

ClusterBuilder::ClusterBuilder() {
  topology::TopologySpec levels;
  levels.name = "levels";
  levels.levels = {
      {Symbol(kBlock), "block", ""}, {Symbol(kRack), "rack", ""}, {Symbol(kHost), "host", ""}};
  inventory_.topologies.push_back(std::move(levels));
}

ClusterBuilder& ClusterBuilder::hosts(const std::string& text) {
  for (const auto& [path, gpus] : counted(text)) {
    const std::size_t first = path.find('/'), second = path.rfind('/');
    topology::NodeRecord record;
    record.name = Symbol(path.substr(second + 1));
    const std::string block = path.substr(0, first);
    const std::string rack = path.substr(first + 1, second - first - 1);
    if (!block.empty()) record.labels.set(Symbol(kBlock), Symbol(block));
    if (!rack.empty()) record.labels.set(Symbol(kRack), Symbol(rack));
    record.labels.set(Symbol(kHost), record.name);
    record.ready = true;
    record.allocatable = amounts(gpus);
    record.allocatable.set(topology::cpu_resource(), 64000);
    record.allocatable.set(topology::pods_resource(), 110);
    record.capacity = record.allocatable;
    inventory_.nodes.push_back(std::move(record));
  }
  return *this;
}

topology::NodeRecord& ClusterBuilder::node(const std::string& name) {
  return *std::find_if(inventory_.nodes.begin(), inventory_.nodes.end(),
                       [&](const auto& node) { return node.name.view() == name; });
}

ClusterBuilder& ClusterBuilder::topology(const std::string& name,
                                         const std::vector<const char*>& levels) {
  topology::TopologySpec spec;
  spec.name = name;
  for (const char* level : levels) spec.levels.push_back({Symbol(level), "", ""});
  inventory_.topologies.push_back(std::move(spec));
  return *this;
}

ClusterBuilder& ClusterBuilder::flavor(const std::string& name, const std::string& topology) {
  core::FlavorRecord record;
  record.name = name;
  record.topology = topology;
  inventory_.flavors.push_back(std::move(record));
  inventory_.has_flavors = true;
  return *this;
}

core::FlavorRecord& ClusterBuilder::flavor_record(const std::string& name) {
  return *std::find_if(inventory_.flavors.begin(), inventory_.flavors.end(),
                       [&](const auto& flavor) { return flavor.name == name; });
}

core::ClusterQueueRecord& ClusterBuilder::queue(const std::string& name,
                                                const std::vector<std::string>& flavors,
                                                std::int64_t nominal_gpus,
                                                const std::string& cohort) {
  core::ClusterQueueRecord record;
  record.name = name;
  record.cohort = cohort;
  record.namespace_selector = topology::LabelSelector{};
  core::ResourceGroup group;
  group.covered = {topology::cpu_resource(), topology::gpu_resource()};
  for (const std::string& flavor : flavors) {
    group.flavors.push_back({flavor,
                             {{topology::cpu_resource(), topology::kUnlimited, {}, {}},
                              {topology::gpu_resource(), nominal_gpus, {}, {}}}});
  }
  record.groups.push_back(std::move(group));
  inventory_.cluster_queues.push_back(std::move(record));
  inventory_.local_queues.push_back({"ns", name, name, core::StopPolicy::kNone});
  inventory_.has_queues = true;
  return inventory_.cluster_queues.back();
}

ClusterBuilder& ClusterBuilder::cohort(const std::string& name, const std::string& parent) {
  core::CohortRecord record;
  record.name = name;
  record.parent = parent;
  inventory_.cohorts.push_back(std::move(record));
  return *this;
}

core::KaiQueueRecord& ClusterBuilder::kai_queue(const std::string& name, std::int64_t gpus,
                                                const std::string& parent) {
  core::KaiQueueRecord record;
  record.name = name;
  record.parent = parent;
  record.cpu.limit = record.memory.limit = topology::kUnlimited;
  record.gpu.limit = gpus;
  inventory_.kai_queues.push_back(std::move(record));
  inventory_.has_queues = true;
  return inventory_.kai_queues.back();
}

core::Workload& ClusterBuilder::kai_workload(const std::string& name,
                                             std::vector<solver::PodSet> pod_sets,
                                             const std::string& queue) {
  core::Workload& record = workload(name, std::move(pod_sets), queue);
  record.queue_is_kai = true;
  return record;
}

core::Workload& ClusterBuilder::workload(const std::string& name,
                                         std::vector<solver::PodSet> pod_sets,
                                         const std::string& queue) {
  core::Workload workload;
  workload.namespace_name = "ns";
  workload.name = name;
  workload.uid = name;
  workload.origin = {"batch/v1", "Job", name, ""};
  workload.queue = queue;
  workload.created = clock_++;
  for (const solver::PodSet& pod_set : pod_sets) workload.quota_requests.push_back(pod_set.request);
  workload.gang.pod_sets = std::move(pod_sets);
  inventory_.workloads.push_back(std::move(workload));
  return inventory_.workloads.back();
}

core::Workload& ClusterBuilder::admitted(const std::string& name, solver::PodSet pod_set,
                                         const std::string& hosts, const std::string& flavor,
                                         const std::string& queue) {
  core::PodSetAssignment assignment;
  assignment.name = pod_set.name;
  assignment.levels = {Symbol(kHost)};
  for (const auto& [host, pods] : counted(hosts)) {
    assignment.domains.add(std::vector{Symbol(host)}, pods);
    assignment.count += pods;
  }
  pod_set.count = assignment.count;
  assignment.usage = pod_set.request.times(assignment.count);
  for (const topology::Amount& amount : pod_set.request) {
    assignment.flavors.set(amount.resource, Symbol(flavor));
  }
  core::Workload& record = workload(name, {std::move(pod_set)}, queue);
  record.status.quota_reserved = true;
  record.status.admission = core::Admission{queue, {std::move(assignment)}};
  return record;
}

core::PodRecord& ClusterBuilder::bound_pod(const std::string& name, const std::string& node,
                                           std::int64_t gpus) {
  core::PodRecord record;
  record.namespace_name = "ns";
  record.name = name;
  record.node = Symbol(node);
  record.request = amounts(gpus);
  inventory_.pods.push_back(std::move(record));
  return inventory_.pods.back();
}

core::Inventory ClusterBuilder::build() const {
  core::Inventory inventory = inventory_;
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::sort(inventory.nodes.begin(), inventory.nodes.end(),
            [](const auto& a, const auto& b) { return a.name.view() < b.name.view(); });
  std::sort(inventory.flavors.begin(), inventory.flavors.end(), by_name);
  std::sort(inventory.cluster_queues.begin(), inventory.cluster_queues.end(), by_name);
  std::sort(inventory.cohorts.begin(), inventory.cohorts.end(), by_name);
  std::sort(inventory.kai_queues.begin(), inventory.kai_queues.end(), by_name);
  std::sort(inventory.local_queues.begin(), inventory.local_queues.end(), by_name);
  std::sort(inventory.workloads.begin(), inventory.workloads.end(), by_name);
  std::sort(inventory.pods.begin(), inventory.pods.end(), by_name);
  return inventory;
}

std::size_t find(const core::Inventory& inventory, const std::string& name) {
  for (std::size_t i = 0; i < inventory.workloads.size(); ++i) {
    if (inventory.workloads[i].name == name) return i;
  }
  return inventory.workloads.size();
}

std::vector<std::size_t> waiting(const core::Inventory& inventory) {
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < inventory.workloads.size(); ++i) {
    const core::Workload& workload = inventory.workloads[i];
    if (!workload.status.admission && !workload.status.finished) waiting.push_back(i);
  }
  return waiting;
}

std::string text(const core::Engine& engine, const std::vector<core::Decision>& decisions) {
  std::string text;
  for (const core::Decision& decision : decisions) {
    const core::Workload& workload = engine.inventory().workloads[decision.workload];
    if (!text.empty()) text += '\n';
    text += workload.name + " " + std::string(core::outcome_name(decision.outcome));
    if (decision.outcome != core::Outcome::kPlaced) {
      text += " " + std::string(core::reason_name(decision.reason));
    }
    for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
      const core::PodSetDecision& pod_set = decision.pod_sets[i];
      text += " " + workload.gang.pod_sets[i].name + "[";
      for (std::size_t d = 0; d < pod_set.placement.size(); ++d) {
        const auto& tree = engine.view(pod_set.topology_flavor, pod_set.open)->tree();
        if (d > 0) text += ' ';
        text += tree.value(tree.domain_of(pod_set.placement[d].leaf)).str() + ":" +
                std::to_string(pod_set.placement[d].pods);
      }
      text += "]";
    }
  }
  return text;
}

std::string schedule(const core::Inventory& inventory, core::EngineOptions options) {
  core::Engine engine(inventory, std::move(options));
  const std::vector<core::Decision> decisions = engine.run(waiting(inventory));
  return text(engine, decisions);
}

}  // namespace tessera::test
