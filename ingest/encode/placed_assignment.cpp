// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/placed_assignment.h"

namespace tessera::encode {

Assignment assignment_of(const core::ClusterView& cluster, const core::PodSetDecision& pod_set) {
  Assignment out;
  const solver::FlavorView* view = cluster.view(pod_set.topology_flavor, pod_set.open);
  if (view == nullptr) return out;
  const topology::DomainTree& tree = view->tree();
  const topology::TopologySpec& topology = tree.topology();
  if (topology.host_level()) {
    out.levels.push_back(topology::hostname_label().str());
  } else {
    for (const topology::TopologyLevel& level : topology.levels)
      out.levels.push_back(level.label.str());
  }
  for (const solver::LeafPods& leaf : pod_set.placement) {
    AssignedDomain domain{{}, leaf.pods};
    const topology::DomainId id = tree.domain_of(leaf.leaf);
    if (topology.host_level()) {
      domain.values.push_back(tree.value(id).str());
    } else {
      for (topology::Symbol value : tree.path(id)) domain.values.push_back(value.str());
    }
    out.domains.push_back(std::move(domain));
  }
  return out;
}

}  // namespace tessera::encode
