// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/pod_names.h"

#include <algorithm>

namespace tessera::encode {

std::string pod_name(const core::Workload& workload, std::size_t pod_set, std::int64_t rank) {
  const solver::PodSet& set = workload.gang.pod_sets[pod_set];
  const auto given = static_cast<std::size_t>(rank);
  if (given < set.pods.size()) return set.pods[given];
  const std::string& name = workload.origin.name;
  if (workload.origin.kind == "Pod") return name;
  if (workload.origin.kind == "Job") return name + "-" + std::to_string(rank);
  if (workload.origin.kind == "JobSet") {
    const std::int64_t jobs = set.index ? std::max<std::int64_t>(1, set.index->sub_count) : 1;
    const std::int64_t pods_each = std::max<std::int64_t>(1, set.count / jobs);
    return name + "-" + set.name + "-" + std::to_string(rank / pods_each) + "-" +
           std::to_string(rank % pods_each);
  }
  return name + "-" + set.name + "-" + std::to_string(rank);
}

std::string group_name(const core::Workload& workload, std::size_t pod_set) {
  const std::vector<solver::PodSet>& pod_sets = workload.gang.pod_sets;
  const std::vector<solver::GangGroup>& groups = workload.gang.groups;
  if (groups.empty()) return pod_sets[pod_set].name;
  // Groups and pod sets have the same order: the last group that does not begin behind.
  const auto behind = std::upper_bound(
      groups.begin(), groups.end(), pod_set,
      [](std::size_t i, const solver::GangGroup& group) { return i < group.pods_begin; });
  const solver::GangGroup& group = *(behind - 1);
  return group.name.empty() ? pod_sets[group.pods_begin].name : group.name;
}

}  // namespace tessera::encode
