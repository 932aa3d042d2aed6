// SPDX-License-Identifier: Apache-2.0
#include "tests/support/small_changes.h"

#include <algorithm>
#include <vector>

namespace tessera::test {
namespace {

using core::Inventory;
using core::Remedy;

/// "a, b and c" -> a, b, c
std::vector<std::string> listed(std::string text) {
  std::vector<std::string> names;
  for (const char* between : {" and ", ", "}) {
    for (std::size_t at = 0; (at = text.find(between, at)) != std::string::npos;) {
      text.replace(at, std::string(between).size(), "\n");
    }
  }
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    names.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

std::string finish(Inventory& inventory, const std::string& subject) {
  for (const std::string& name : listed(subject)) {
    bool found = false;
    std::vector<std::string> ended;
    for (core::Workload& workload : inventory.workloads) {
      if (workload.origin.display() != name) continue;
      found = true;
      ended.push_back(workload.key());
      workload.status.quota_reserved = false;
      workload.status.admission.reset();
      workload.status.finished = true;
    }
    const auto gone = [&](const core::PodRecord& pod) {
      return "pod/" + pod.name == name || pod.owner == name ||
             std::count(ended.begin(), ended.end(), pod.workload) > 0;
    };
    const auto kept = std::remove_if(inventory.pods.begin(), inventory.pods.end(), gone);
    if (!found && kept == inventory.pods.end()) return name + " is nothing that could end";
    inventory.pods.erase(kept, inventory.pods.end());
  }
  return "";
}

std::string heal(Inventory& inventory, const std::string& subject, bool only_uncordon) {
  for (topology::NodeRecord& node : inventory.nodes) {
    if (node.name.view() != subject) continue;
    node.unschedulable = false;
    if (!only_uncordon) node.ready = true;
    return "";
  }
  return subject + " is no node";
}

std::string relax(core::Workload& workload, std::size_t pod_set, const std::string& level) {
  const std::string group = workload.gang.pod_sets[pod_set].unit;
  bool done = false;
  for (std::size_t i = 0; i < workload.gang.pod_sets.size(); ++i) {
    solver::PodSet& each = workload.gang.pod_sets[i];
    if (i != pod_set && (group.empty() || each.unit != group)) continue;
    if (!each.topology.required || each.topology.required->view() != level) continue;
    each.topology.preferred = each.topology.required;
    each.topology.required.reset();
    done = true;
  }
  return done ? "" : "level " + level + " is not required";
}

/// "a=b:NoSchedule and c:NoExecute"
std::string tolerate(core::Workload& workload, const Inventory& inventory,
                     const std::string& subject) {
  for (const std::string& name : listed(subject)) {
    bool found = false;
    for (const topology::NodeRecord& node : inventory.nodes) {
      for (const topology::Taint& taint : node.taints) {
        if (taint.text() != name) continue;
        found = true;
        topology::Toleration toleration;
        toleration.key = taint.key;
        toleration.value = taint.value;
        toleration.effect = taint.effect;
        for (solver::PodSet& each : workload.gang.pod_sets) {
          each.filter.tolerations.push_back(toleration);
        }
      }
    }
    if (!found) return name + " is no taint";
  }
  return "";
}

/// "nvidia.com/gpu in flavor gb200"
std::string raise(Inventory& inventory, const std::string& queue, const std::string& subject) {
  bool found = false;
  for (core::ClusterQueueRecord& each : inventory.cluster_queues) {
    if (each.name != queue) continue;
    for (core::ResourceGroup& group : each.groups) {
      for (core::FlavorQuotas& flavor : group.flavors) {
        for (core::ResourceQuota& quota : flavor.resources) {
          for (const std::string& name : listed(subject)) {
            if (quota.resource.str() + " in flavor " + flavor.flavor != name) continue;
            quota.nominal = topology::kUnlimited;
            found = true;
          }
        }
      }
    }
  }
  return found ? "" : subject + " is no quota of " + queue;
}

}  // namespace

std::string apply(const Remedy& remedy, std::size_t workload, std::size_t pod_set,
                  Inventory& inventory) {
  core::Workload& refused = inventory.workloads[workload];
  switch (remedy.kind) {
    case Remedy::Kind::kFinish:
      return finish(inventory, remedy.subject);
    case Remedy::Kind::kUncordon:
      return heal(inventory, remedy.subject, true);
    case Remedy::Kind::kRepair:
      return heal(inventory, remedy.subject, false);
    case Remedy::Kind::kRelax:
      return relax(refused, pod_set, remedy.subject);
    case Remedy::Kind::kTolerate:
      return tolerate(refused, inventory, remedy.subject);
    case Remedy::Kind::kQuota:
      return raise(inventory, refused.queue, remedy.subject);
  }
  return "unknown";
}

}  // namespace tessera::test
