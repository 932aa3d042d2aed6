// SPDX-License-Identifier: Apache-2.0
#include "actors/records/wants_more.h"

namespace tessera::core {

bool wants_more(const Workload& workload, const Admission& held) {
  if (!workload.gang.is_tree()) return false;
  std::int64_t pods = 0;
  for (const PodSetAssignment& assignment : held.pod_sets) {
    pods = topology::saturating_add(pods, assignment.count);
  }
  return pods < workload.total_pods();
}

}  // namespace tessera::core
