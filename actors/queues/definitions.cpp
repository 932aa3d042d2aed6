// SPDX-License-Identifier: Apache-2.0
#include "actors/queues/definitions.h"

#include <algorithm>

namespace tessera::core {
namespace {

bool contradict(const Flavor& a, const Flavor& b) {
  for (const auto& [key, value] : a.record.node_labels) {
    for (const auto& [other, its_value] : b.record.node_labels) {
      if (key == other && value != its_value) return true;
    }
  }
  return false;
}

}  // namespace

Definitions::Definitions(std::shared_ptr<const Inventory> records)
    : inventory(std::move(records)),
      flavors(resolve_flavors(*inventory)),
      ledger(inventory->cluster_queues, inventory->cohorts, inventory->kai_queues),
      directory(*inventory, flavors, ledger) {
  for (const auto& [name, queue] : directory.queues()) queues.push_back(&queue);
  for (const Flavor& flavor : flavors) {
    if (flavor.topology) ++topology_flavors;
    std::vector<FlavorId>& list = neighbours.emplace_back();
    for (std::uint32_t f = 0; f < flavors.size(); ++f) {
      if (flavors[f].topology && !contradict(flavors[f], flavor)) list.push_back(FlavorId{f});
    }
  }
}

std::uint32_t Definitions::position(const PlanQueue& queue) const {
  const auto at = std::lower_bound(
      queues.begin(), queues.end(), queue.name,
      [](const PlanQueue* each, const std::string& name) { return each->name < name; });
  return static_cast<std::uint32_t>(at - queues.begin());
}

void Definitions::add_room(const Admission& admission, std::vector<FlavorId>& room) const {
  if (room.size() == topology_flavors) return;  // `room` has all flavors already
  for (const PodSetAssignment& pod_set : admission.pod_sets) {
    Symbol last;  // most often one flavor serves all
    for (const auto& [resource, name] : pod_set.flavors) {
      if (name == last) continue;
      last = name;
      const std::optional<FlavorId> flavor = find_flavor(flavors, name.view());
      if (!flavor || !flavors[index(*flavor)].topology) continue;
      for (const FlavorId each : neighbours[index(*flavor)]) {
        const auto at = std::lower_bound(room.begin(), room.end(), each);
        if (at == room.end() || *at != each) room.insert(at, each);
      }
    }
  }
}

}  // namespace tessera::core
