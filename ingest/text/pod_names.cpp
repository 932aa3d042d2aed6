// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/pod_names.h"

#include <algorithm>

namespace tessera::encode {

std::string pod_name(const core::Workload& workload, std::size_t pod_set, std::int64_t rank) {
  const solver::PodSet& set = workload.gang.pod_sets[pod_set];
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

}  // namespace tessera::encode
