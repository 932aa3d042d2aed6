// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/topology_report.h"

#include <map>

#include "ingest/text/node_summary.h"
#include "ingest/text/table.h"
#include "topology/text/printable.h"

namespace tessera::encode {
namespace {

/// "gb-r02-n18: no nvidia.com/gpu.clique", causes in text order.
std::string outside_text(const core::ClusterView& cluster, const Census& census) {
  std::map<std::string, std::vector<std::string>> by_cause;
  for (const std::size_t position : census.outside) {
    const topology::NodeRecord& node = cluster.nodes()[index(census.hosts[position].node)];
    by_cause[cause_outside(census, node)].push_back(node_name(node, HostNames::kHostnameLabel));
  }
  std::string out;
  for (const auto& [cause, names] : by_cause) {
    out += (out.empty() ? "" : "; ") + host_list(names, true) + ": " + cause;
  }
  return out;
}

}  // namespace

std::string cause_outside(const Census& census, const topology::NodeRecord& node) {
  const auto level = static_cast<std::size_t>(census.topology.first_missing(node));
  return "no " + census.topology.levels[level].label.str();
}

std::string topology_table(const core::ClusterView& cluster, const Census& census, bool headers) {
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
  text.insert(text.size() - 1, "    " + printable(outside_text(cluster, census)));
  return text;
}

}  // namespace tessera::encode
