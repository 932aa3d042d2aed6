// SPDX-License-Identifier: Apache-2.0
#include "actors/records/workload.h"

#include <algorithm>
#include <cctype>

namespace tessera::core {

std::string Origin::display() const {
  std::string text = kind;
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text + "/" + name;
}

std::string Workload::invalid_text() const {
  const Error& fault = invalid.front();
  return fault.where.field.empty() ? fault.message : fault.where.field + ": " + fault.message;
}

std::int64_t Workload::total_pods() const {
  std::int64_t pods = 0;
  for (const solver::PodSet& pod_set : gang.pod_sets) {
    pods = topology::saturating_add(pods, pod_set.count);
  }
  return pods;
}

std::int64_t Workload::total_gpus() const {
  std::int64_t gpus = 0;
  for (const solver::PodSet& pod_set : gang.pod_sets) {
    const std::int64_t per_pod = pod_set.request.get(topology::gpu_resource());
    gpus = topology::saturating_add(gpus, topology::saturating_mul(per_pod, pod_set.count));
  }
  return gpus;
}

}  // namespace tessera::core
