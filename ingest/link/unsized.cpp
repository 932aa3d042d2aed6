// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/unsized.h"

#include <algorithm>

namespace tessera::ingest {
namespace {

using topology::Amounts;

/// The pod sets of an admission without a request, by position.
std::vector<std::size_t> unsized_of(const core::Workload& workload) {
  std::vector<std::size_t> positions;
  if (!workload.status.admission) return positions;
  for (const core::PodSetAssignment& assigned : workload.status.admission->pod_sets) {
    if (!assigned.usage.empty()) continue;
    for (std::size_t i = 0; i < workload.gang.pod_sets.size(); ++i) {
      const solver::PodSet& pod_set = workload.gang.pod_sets[i];
      if (pod_set.name == assigned.name && pod_set.request.empty()) positions.push_back(i);
    }
  }
  return positions;
}

}  // namespace

void UnsizedPodSets::add(std::size_t position, const core::Workload& workload) {
  if (!unsized_of(workload).empty()) most_[position];
}

void UnsizedPodSets::runs(std::size_t position, const core::Workload& workload,
                          const Amounts& request) {
  const auto at = most_.find(position);
  if (at == most_.end()) return;
  const auto& pod_sets = workload.gang.pod_sets;
  const bool of_another =
      std::any_of(pod_sets.begin(), pod_sets.end(),
                  [&](const solver::PodSet& pod_set) { return pod_set.request == request; });
  if (!of_another) at->second.raise_to(request);
}

void UnsizedPodSets::settle(const std::function<core::Workload&(std::size_t)>& workload_at) {
  for (const auto& [position, request] : most_) {
    core::Workload& workload = workload_at(position);
    for (const std::size_t i : unsized_of(workload)) {
      ContainerResources all;
      all.requests = workload.quota_requests[i] = workload.gang.pod_sets[i].request = request;
      PodResources resources;
      resources.containers.push_back(std::move(all));
      workload.templates[i] = pod_resources_.number_of(resources);
    }
  }
}

}  // namespace tessera::ingest
