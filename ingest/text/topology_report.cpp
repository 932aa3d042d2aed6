// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/topology_report.h"

#include <map>
#include <nlohmann/json.hpp>

#include "ingest/text/node_summary.h"
#include "ingest/text/table.h"

namespace tessera::encode {
namespace {

using Json = nlohmann::ordered_json;

std::string cause_outside(const Census& census, const topology::NodeRecord& node) {
  const auto level = static_cast<std::size_t>(census.topology.first_missing(node.labels));
  return "no " + census.topology.levels[level].label.str();
}

/// "gb-r02-n18: no nvidia.com/gpu.clique", causes in text order.
std::string outside_text(const core::Engine& engine, const Census& census) {
  std::map<std::string, std::vector<std::string>> by_cause;
  for (const std::size_t position : census.outside) {
    const topology::NodeRecord& node = engine.inventory().nodes[index(census.hosts[position].node)];
    by_cause[cause_outside(census, node)].push_back(node_name(node, HostNames::kHostnameLabel));
  }
  std::string out;
  for (const auto& [cause, names] : by_cause) {
    out += (out.empty() ? "" : "; ") + host_list(names, true) + ": " + cause;
  }
  return out;
}

Json domain_json(const core::Engine& engine, const Census& census, const Domain& domain) {
  Json path = Json::array(), hosts = Json::array();
  for (const topology::Symbol value : domain.path) path.push_back(value.str());
  for (const std::size_t position : domain.hosts) {
    hosts.push_back(engine.inventory().nodes[index(census.hosts[position].node)].name.str());
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

Json census_json(const core::Engine& engine, const Census& census) {
  Json levels = Json::array(), outside = Json::array();
  for (const CensusLevel& level : census.levels) {
    Json domains = Json::array();
    for (const Domain& domain : level.domains) {
      domains.push_back(domain_json(engine, census, domain));
    }
    levels.push_back({{"name", level.name}, {"label", level.label}, {"domains", domains}});
  }
  for (const std::size_t position : census.outside) {
    const topology::NodeRecord& node = engine.inventory().nodes[index(census.hosts[position].node)];
    outside.push_back({{"node", node.name.str()}, {"cause", cause_outside(census, node)}});
  }
  return {{"name", census.topology.name}, {"derived", census.topology.derived},
          {"flavors", census.flavors},    {"device", census.device.str()},
          {"levels", std::move(levels)},  {"outside", std::move(outside)}};
}

}  // namespace

std::string topology_table(const core::Engine& engine, const Census& census, bool headers) {
  using Align = Table::Align;
  const bool gpus = census.device == topology::gpu_resource();
  std::vector<Table::Column> columns = {{"LEVEL"},
                                        {"DOMAIN"},
                                        {"HOSTS", Align::kRight},
                                        {"USABLE", Align::kRight},
                                        {gpus ? "GPUS" : "PODS", Align::kRight},
                                        {"FREE", Align::kRight},
                                        {"WHOLE", Align::kRight}};
  for (const std::int64_t segment : kSegments) {
    columns.push_back({"START" + std::to_string(segment), Align::kRight});
  }
  Table table(columns);
  for (const CensusLevel& level : census.levels) {
    for (const Domain& domain : level.domains) {
      std::vector<std::string> cells = {level.name,
                                        domain.name,
                                        std::to_string(domain.hosts.size()),
                                        std::to_string(domain.usable),
                                        std::to_string(domain.devices),
                                        std::to_string(domain.free),
                                        std::to_string(domain.whole)};
      for (const std::int64_t starts : domain.starts) cells.push_back(std::to_string(starts));
      table.add(std::move(cells));
    }
  }
  if (census.outside.empty()) return table.text(headers);
  table.add({"-", "(none)", std::to_string(census.outside.size()), "0", "0", "0", "0"});
  std::string text = table.text(headers);
  text.insert(text.size() - 1, "    " + outside_text(engine, census));
  return text;
}

Json topology_json(const core::Engine& engine, const std::vector<Census>& censuses,
                   const Shape& shape) {
  Json topologies = Json::array();
  for (const Census& census : censuses) topologies.push_back(census_json(engine, census));
  return {{"apiVersion", "tessera.dev/v1alpha1"},
          {"kind", "TopologyReport"},
          {"shape", shape_text(shape)},
          {"topologies", std::move(topologies)}};
}

}  // namespace tessera::encode
