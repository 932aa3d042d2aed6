// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/topology_json.h"

#include <nlohmann/json.hpp>

#include "ingest/text/topology_report.h"

namespace tessera::encode {
namespace {

using Json = nlohmann::ordered_json;

Json domain_json(const core::ClusterView& cluster, const Census& census, const Domain& domain) {
  Json path = Json::array(), hosts = Json::array();
  for (const topology::Symbol value : domain.path) path.push_back(value.str());
  for (const std::size_t position : domain.hosts) {
    hosts.push_back(cluster.nodes()[index(census.hosts[position].node)].name.str());
  }
  Json starts = Json::object();
  for (std::size_t i = 0; i < kSegments.size(); ++i) {
    starts[std::to_string(kSegments[i])] = domain.starts[i];
  }
  return {{"name", domain.name},
          {"path", path},
          {"nodes", hosts},
          {"hosts", domain.hosts.size()},
          {"usable", domain.usable},
          {"devices", domain.devices},
          {"free", domain.free},
          {"whole", domain.whole},
          {"start", std::move(starts)}};
}

Json census_json(const core::ClusterView& cluster, const Census& census) {
  Json levels = Json::array(), outside = Json::array();
  for (const CensusLevel& level : census.levels) {
    Json domains = Json::array();
    for (const Domain& domain : level.domains) {
      domains.push_back(domain_json(cluster, census, domain));
    }
    levels.push_back({{"name", level.name}, {"label", level.label}, {"domains", domains}});
  }
  for (const std::size_t position : census.outside) {
    const topology::NodeRecord& node = cluster.nodes()[index(census.hosts[position].node)];
    outside.push_back({{"node", node.name.str()}, {"cause", cause_outside(census, node)}});
  }
  return {{"name", census.topology.name}, {"derived", census.topology.derived},
          {"flavors", census.flavors},    {"device", census.device.str()},
          {"levels", std::move(levels)},  {"outside", std::move(outside)}};
}

}  // namespace

Json topology_json(const core::ClusterView& cluster, const std::vector<Census>& censuses,
                   const Shape& shape) {
  Json topologies = Json::array();
  for (const Census& census : censuses) topologies.push_back(census_json(cluster, census));
  return {{"apiVersion", "tessera.dev/v1alpha1"},
          {"kind", "TopologyReport"},
          {"shape", shape_text(shape)},
          {"topologies", std::move(topologies)}};
}

}  // namespace tessera::encode
