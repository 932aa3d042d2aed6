// SPDX-License-Identifier: Apache-2.0
#include "actors/records/held_at_start.h"

namespace tessera::core {

std::vector<HeldAtStart> held_at_start(const std::shared_ptr<const Inventory>& inventory) {
  std::vector<HeldAtStart> all;
  for (std::size_t i = 0; i < inventory->workloads.size(); ++i) {
    const Workload& workload = inventory->workloads[i];
    if (workload.status.finished || !workload.status.admission) continue;
    all.push_back({{GangId{all.size() + 1},
                    {inventory, &workload},
                    {inventory, &*workload.status.admission},
                    {}},
                   i});
  }
  return all;
}

}  // namespace tessera::core
