// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/names.h"

#include <map>
#include <set>

#include "ingest/text/hostlist.h"
#include "topology/wording.h"

namespace tessera::encode {
namespace {

using topology::DomainId;

std::string leaves_above_host(const solver::FlavorView& view,
                              std::span<const solver::LeafPods> leaves) {
  std::string out;
  for (const solver::LeafPods& leaf : leaves) {
    if (!out.empty()) out += "; ";
    out +=
        view.tree().path_text(view.tree().domain_of(leaf.leaf)) + " x" + std::to_string(leaf.pods);
  }
  return out;
}

}  // namespace

std::string level_name(const topology::TopologySpec& topology, int level) {
  const topology::TopologyLevel& l = topology.levels[static_cast<std::size_t>(level)];
  return l.alias.empty() ? l.label.str() : l.alias;
}

std::string levels_text(const topology::TopologySpec& topology) {
  std::string out;
  for (int level = 0; level < static_cast<int>(topology.levels.size()); ++level) {
    out += (level > 0 ? " > " : "") + level_name(topology, level);
  }
  return out;
}

std::string domain_name(const solver::FlavorView& view, DomainId domain) {
  const topology::DomainTree& tree = view.tree();
  const int level = tree.level_of(domain);
  const topology::TopologyLevel& l = tree.topology().levels[static_cast<std::size_t>(level)];
  if (!l.display.empty()) {
    DomainId first = domain;
    for (int at = level; at < tree.leaf_level(); ++at) first = DomainId{tree.children(first).begin};
    const topology::NodeId node = tree.nodes(tree.leaf_of(first)).front();
    if (auto shown = view.nodes()[index(node)].labels.find(topology::Symbol(l.display)))
      return shown->str();
  }
  const std::string value = tree.value(domain).str();
  return value.empty() ? "(none)" : value;
}

int grouping_level(const topology::TopologySpec& topology) {
  const int last = static_cast<int>(topology.levels.size()) - 1;
  return topology.host_level() ? last - 1 : last;
}

std::string placement_text(const solver::FlavorView& view, std::span<const solver::LeafPods> leaves,
                           HostNames names, bool fold) {
  const topology::DomainTree& tree = view.tree();
  if (!tree.topology().host_level()) return leaves_above_host(view, leaves);
  const int level = grouping_level(tree.topology());
  std::map<DomainId, std::vector<std::string>> groups;  // DomainId order is path order
  for (const solver::LeafPods& leaf : leaves) {
    const DomainId host = tree.domain_of(leaf.leaf);
    const DomainId group = level < 0 ? DomainId{0} : tree.ancestor(host, level);
    if (names == HostNames::kHostnameLabel) {
      groups[group].push_back(tree.value(host).str());
    } else {
      for (topology::NodeId node : tree.nodes(leaf.leaf))
        groups[group].push_back(view.nodes()[index(node)].name.str());
    }
  }
  std::string out;
  for (auto& [group, hosts] : groups) {
    if (!out.empty()) out += "; ";
    if (level >= 0) out += domain_name(view, group) + ": ";
    out += fold ? fold_hosts(std::move(hosts)) : joined(hosts, ",");
  }
  return out;
}

std::int64_t domains_used(const solver::FlavorView& view, std::span<const solver::LeafPods> leaves,
                          int level) {
  if (level < 0) return 0;
  std::set<DomainId> used;
  for (const solver::LeafPods& leaf : leaves) {
    used.insert(view.tree().ancestor(view.tree().domain_of(leaf.leaf), level));
  }
  return static_cast<std::int64_t>(used.size());
}

std::string age_text(std::int64_t seconds) {
  if (seconds < 0) seconds = 0;  // cases.md C189: clocks differ, an age is never negative
  const std::int64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24;
  if (days > 0) return std::to_string(days) + "d" + std::to_string(hours % 24) + "h";
  if (hours > 0) return std::to_string(hours) + "h" + std::to_string(minutes % 60) + "m";
  if (minutes > 0) return std::to_string(minutes) + "m" + std::to_string(seconds % 60) + "s";
  return std::to_string(seconds) + "s";
}

}  // namespace tessera::encode
