// SPDX-License-Identifier: Apache-2.0
#include "actors/queues/admission_checks.h"

#include <algorithm>

namespace tessera::core {

std::vector<std::string> open_checks(const Workload& workload, const PlanQueue& queue,
                                     const std::vector<PodSetDecision>& pod_sets) {
  const auto uses = [&](const std::string& flavor) {
    return std::any_of(pod_sets.begin(), pod_sets.end(), [&](const PodSetDecision& pod_set) {
      return std::any_of(pod_set.flavors.begin(), pod_set.flavors.end(),
                         [&](const auto& entry) { return entry.flavor.view() == flavor; });
    });
  };
  const auto is_ready = [&](const std::string& name) {
    return std::any_of(
        workload.status.checks.begin(), workload.status.checks.end(),
        [&](const auto& check) { return check.name == name && check.state == CheckState::kReady; });
  };
  std::vector<std::string> open;
  for (const auto& [name, flavors] : queue.checks) {
    if (!flavors.empty() && std::none_of(flavors.begin(), flavors.end(), uses)) continue;
    if (!is_ready(name)) open.push_back(name);
  }
  return open;
}

Decision unplanned(const Directory::Entry& entry) {
  Decision decision;
  if (entry.queue) decision.cluster_queue = entry.queue->name;
  decision.outcome = entry.reason == Reason::kInvalid ? Outcome::kInvalid : Outcome::kWaits;
  decision.reason = entry.reason;
  decision.detail = entry.detail;
  return decision;
}

}  // namespace tessera::core
