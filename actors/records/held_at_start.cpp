// SPDX-License-Identifier: Apache-2.0
#include "actors/records/held_at_start.h"

namespace tessera::core {

std::vector<HeldAtStart> held_at_start(const Inventory& inventory) {
  std::vector<HeldAtStart> all;
  for (std::size_t i = 0; i < inventory.workloads.size(); ++i) {
    const Workload& workload = inventory.workloads[i];
    if (workload.finished || !workload.admission) continue;
    // The inventory outlives them: nothing to own.
    all.push_back({{GangId{all.size() + 1},
                    {std::shared_ptr<void>(), &workload},
                    {std::shared_ptr<void>(), &*workload.admission},
                    {}},
                   i});
  }
  return all;
}

}  // namespace tessera::core
