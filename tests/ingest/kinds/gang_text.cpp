// SPDX-License-Identifier: Apache-2.0
#include "tests/ingest/kinds/gang_text.h"

#include <stdexcept>

#include "topology/text/wording.h"

namespace tessera::test {

std::string pod_group(const std::string& spec, const std::string& metadata) {
  return "---\napiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\n"
         "metadata: {namespace: ns, name: g" +
         (metadata.empty() ? "" : ", " + metadata) + "}\nspec: {" + spec + "}\n";
}

std::string member_pod(const std::string& name, const std::string& leaf, const std::string& more,
                       const std::string& metadata) {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: " + name +
         ", annotations: {pod-group-name: g}" +
         (leaf.empty() ? "" : ", labels: {kai.scheduler/subgroup-name: " + leaf + "}") +
         (metadata.empty() ? "" : ", " + metadata) + "}\nspec: {schedulerName: kai-scheduler" +
         (more.empty() ? "" : ", " + more) +
         (more.find("containers") == std::string::npos ? ", containers: [{name: c}]" : "") + "}\n";
}

std::string gang_line(const core::Workload& workload) {
  std::string line;
  for (const solver::GangGroup& group : workload.gang.groups) {
    line += (line.empty() ? "" : "; ") + (group.name.empty() ? "." : group.name);
    const bool leaf = &workload.gang.groups[0] + group.end == &group + 1;
    line += " " + (leaf ? counted(group.min_pods, "pod", "pods")
                        : counted(group.min_children, "group", "groups"));
    if (!group.topology.topology.empty()) line += " in " + group.topology.topology;
    if (group.topology.required) line += " required " + group.topology.required->str();
    if (group.topology.preferred) line += " preferred " + group.topology.preferred->str();
    for (std::uint32_t i = group.pods_begin; i < group.pods_end; ++i) {
      const solver::PodSet& pod_set = workload.gang.pod_sets[i];
      line += " [" + pod_set.name + ": " + joined(pod_set.pods, " ") + "]";
      if (pod_set.count != static_cast<std::int64_t>(pod_set.pods.size())) line += " WRONG COUNT";
    }
    if (!group.running.empty()) line += " runs " + joined(group.running, " ");
  }
  return line;
}

const core::Workload& group_workload(const ingest::Loaded& loaded) {
  for (const core::Workload& workload : loaded.inventory.workloads) {
    if (workload.key() == "ns/podgroup-g") return workload;
  }
  throw std::runtime_error("no workload ns/podgroup-g");
}

std::string gang_of(const ingest::Loaded& loaded) {
  for (const core::Workload& workload : loaded.inventory.workloads) {
    if (workload.key() == "ns/podgroup-g") return gang_line(workload);
  }
  return "-";
}

}  // namespace tessera::test
