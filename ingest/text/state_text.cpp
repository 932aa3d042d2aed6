// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/state_text.h"

#include <set>
#include <vector>

#include "topology/text/hostlist.h"
#include "topology/text/printable.h"
#include "topology/text/wording.h"

namespace tessera::encode {
namespace {

/// The nodes of the workload's bound pods; without such pods the domains that its admission names.
std::set<std::string> places_of(const core::Inventory& inventory, const core::Workload& workload) {
  std::set<std::string> places;
  const std::string key = workload.key();
  for (const core::PodRecord& pod : inventory.pods) {
    if (pod.workload == key) places.insert(pod.node.str());
  }
  if (!places.empty() || !workload.status.admission) return places;
  for (const core::PodSetAssignment& pod_set : workload.status.admission->pod_sets) {
    const bool hosts =
        !pod_set.levels.empty() && pod_set.levels.back() == topology::hostname_label();
    for (const auto domain : pod_set.domains) {
      std::string path;
      for (const topology::Symbol value : domain.values) {
        path = hosts || path.empty() ? value.str() : path + "/" + value.str();
      }
      places.insert(std::move(path));
    }
  }
  return places;
}

}  // namespace

std::string state_text(const core::Inventory& inventory, std::size_t workload, bool fold) {
  const core::Workload& asked = inventory.workloads[workload];
  std::string out;
  if (asked.status.finished) return "is finished";
  if (asked.status.admission) {
    out = "is admitted in ClusterQueue " + asked.status.admission->cluster_queue;
  } else {
    out = "runs already";
  }
  const std::set<std::string> places = places_of(inventory, asked);
  if (!places.empty()) {
    std::vector<std::string> names(places.begin(), places.end());
    out += ", on " + (fold ? fold_hosts(std::move(names)) : joined(names, ","));
  }
  return printable(out);
}

}  // namespace tessera::encode
