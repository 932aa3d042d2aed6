// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/controllers.h"

#include <algorithm>
#include <iterator>

#include "actors/records/workload.h"
#include "ingest/kinds/registry.h"
#include "ingest/link/owners.h"

namespace tessera::ingest {

const ObjectHeader::Owner* controller_of(const ObjectHeader& header) {
  for (const ObjectHeader::Owner& owner : header.owners) {
    if (owner.controller) return &owner;
  }
  return header.owners.size() == 1 ? &header.owners[0] : nullptr;
}

bool is_job_kind(const ObjectHeader::Owner& owner) {
  const KindReader* kind = find_kind(split_api_version(owner.api_version).group, owner.kind);
  return kind != nullptr && kind->role == KindRole::kJob;
}

bool gangs_its_jobs(const ObjectHeader::Owner& owner) {
  constexpr std::string_view kGroups[] = {
      "batch.volcano.sh",         "grove.io", "kubeflow.org",
      "leaderworkerset.x-k8s.io", "ray.io",   "trainer.kubeflow.org",
      "workload.codeflare.dev"};
  const std::string_view group = split_api_version(owner.api_version).group;
  return is_job_kind(owner) ||
         std::find(std::begin(kGroups), std::end(kGroups), group) != std::end(kGroups);
}

bool places_pods_alone(const ObjectHeader::Owner& owner) {
  const std::string_view group = split_api_version(owner.api_version).group;
  if (group == "apps") return owner.kind == "ReplicaSet" || owner.kind == "DaemonSet";
  return group.empty() && (owner.kind == "ReplicationController" || owner.kind == "Node");
}

std::string absent_owner(const ObjectHeader& pod) {
  const std::string annotated = annotated_workload(pod);
  const ObjectHeader::Owner* owner = controller_of(pod);
  if (owner != nullptr) {
    const std::string_view group = split_api_version(owner->api_version).group;
    if (!group.empty() && group != "apps") {
      return core::Origin{owner->api_version, owner->kind, owner->name, owner->uid}.display();
    }
  }
  return annotated.empty() ? std::string() : "workload/" + annotated;
}

}  // namespace tessera::ingest
