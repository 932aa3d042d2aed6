// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/planner_view.h"

#include <algorithm>
#include <optional>

namespace tessera::core {

const solver::FlavorView* PlannerView::view(const std::string& flavor, bool open) const {
  const std::optional<FlavorId> id = find_flavor(planner_->definitions().flavors, flavor);
  return id ? books().cluster().view(*id, open) : nullptr;
}

std::vector<std::string> PlannerView::topology_flavors() const {
  std::vector<std::string> names;
  for (const Flavor& flavor : planner_->definitions().flavors) {
    if (flavor.topology) names.push_back(flavor.record.name);
  }
  return names;
}

std::vector<Holding> PlannerView::holdings() const {
  std::vector<Holding> holdings;
  const auto& all_held = books().held();
  for (const auto& [gang, held] : all_held) {
    for (const Held::Pods& part : held.pods) {
      holdings.push_back({positions_->at(gang), part.pod_set, part.cell, part.pods});
    }
  }
  std::stable_sort(holdings.begin(), holdings.end(),
                   [](const Holding& a, const Holding& b) { return a.workload < b.workload; });
  return holdings;
}

}  // namespace tessera::core
