// SPDX-License-Identifier: Apache-2.0
#include "tests/support/flavor_scene.h"

#include "actors/records/held_at_start.h"

namespace tessera::test {

FlavorScene::FlavorScene(const ClusterBuilder& builder)
    : inventory_(builder.build()),
      flavors_(core::resolve_flavors(inventory_)),
      ledger_(inventory_.cluster_queues, inventory_.cohorts, inventory_.kai_queues),
      directory_(inventory_, flavors_, ledger_),
      cluster_(inventory_.nodes, flavors_, config::Profile{}),
      books_(cluster_, flavors_, ledger_, solver::IndexLimits{}),
      workload_(&inventory_.workloads[find(inventory_, "w")]) {
  core::Accounting accounting;
  for (const core::HeldAtStart& held :
       core::held_at_start(std::make_shared<const core::Inventory>(inventory_))) {
    books_.admit(held.admitted.gang, *held.admitted.workload, *held.admitted.admission, {},
                 accounting);
  }
  for (const solver::PodSet& pod_set : workload_->gang.pod_sets) counts_.push_back(pod_set.count);
}

core::FlavorProblem FlavorScene::problem(core::QuotaRule rule) const {
  return {workload_, counts_, &queue(), flavors_, &books_.ledger(), rule};
}

std::string FlavorScene::text(const core::FlavorChoice& choice) const {
  std::string text;
  for (const core::PodSetFlavors& pod_set : choice.pod_sets) {
    if (!text.empty()) text += " | ";
    std::string words;
    for (const auto& [resource, flavor] : pod_set.by_resource) {
      if (!words.empty()) words += ' ';
      words += resource.str() + "=" + flavors_[core::index(flavor)].record.name;
    }
    text += words.empty() ? "none" : words;
  }
  return text;
}

}  // namespace tessera::test
