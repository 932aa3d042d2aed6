// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/names.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "topology/text/hostlist.h"
#include "topology/text/wording.h"

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

constexpr std::size_t kLeastHosts = 8;  // characters; below that another group is only counted

/// Parts "b1/r1 x4; b1/r2 x2" up to `most` characters, the others counted.
std::string capped(const std::string& parts, std::size_t most) {
  if (parts.size() <= most) return parts;
  std::size_t end = parts.rfind("; ", most);
  if (end == std::string::npos) end = parts.find("; ");
  if (end == std::string::npos) return parts;
  std::size_t rest = 0;
  for (std::size_t at = end; at != std::string::npos; at = parts.find("; ", at + 2)) ++rest;
  return parts.substr(0, end) + "; and " + std::to_string(rest) + " more";
}

/// The value of a domain as people see it: by the level's display label where nodes carry one.
std::string shown_value(const solver::FlavorView& view, DomainId domain) {
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
  std::string name = shown_value(view, domain);
  const bool is_host = tree.topology().host_level() && level == tree.leaf_level();
  if (level == 0 || is_host) return name;  // no other domain of the level has this value
  const bool displays = !tree.topology().levels[static_cast<std::size_t>(level)].display.empty();
  const std::string plain = name;
  const topology::DomainRange range = tree.level(level);
  std::vector<DomainId> namesakes;
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    const DomainId other{d};
    if (other == domain || !tree.exists(other)) continue;
    if (displays ? shown_value(view, other) == plain : tree.value(other) == tree.value(domain))
      namesakes.push_back(other);
  }
  for (int at = level - 1; at >= 0 && !namesakes.empty(); --at) {
    const std::string parent = shown_value(view, tree.ancestor(domain, at));
    name = parent + "/" + name;
    namesakes.erase(std::remove_if(namesakes.begin(), namesakes.end(),
                                   [&](DomainId other) {
                                     return shown_value(view, tree.ancestor(other, at)) != parent;
                                   }),
                    namesakes.end());
  }
  return namesakes.empty() ? name : tree.path_text(domain);
}

std::vector<std::string> domain_names(const solver::FlavorView& view,
                                      std::span<const DomainId> domains) {
  constexpr std::size_t kFew = 16;  // cheaper one by one
  std::vector<std::string> names;
  if (domains.size() <= kFew) {
    for (const DomainId domain : domains) names.push_back(domain_name(view, domain));
    return names;
  }
  const topology::DomainTree& tree = view.tree();
  const int level = tree.level_of(domains.front());
  for (const DomainId domain : domains) names.push_back(shown_value(view, domain));
  if (level == 0 || (tree.topology().host_level() && level == tree.leaf_level())) return names;
  // How many domains of the level each name means, with ever more levels above in front.
  std::vector<std::pair<DomainId, std::string>> all;
  const topology::DomainRange range = tree.level(level);
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    if (tree.exists(DomainId{d})) all.emplace_back(DomainId{d}, shown_value(view, DomainId{d}));
  }
  for (int at = level - 1; at >= -1; --at) {
    std::unordered_map<std::string, std::size_t> meant;
    for (const auto& [domain, name] : all) ++meant[name];
    const auto namesake = [&](const std::string& name) { return meant.at(name) > 1; };
    for (std::size_t i = 0; i < domains.size(); ++i) {
      if (!namesake(names[i])) continue;
      names[i] = at < 0 ? tree.path_text(domains[i])
                        : shown_value(view, tree.ancestor(domains[i], at)) + "/" + names[i];
    }
    // A name that means one domain stays as it is.
    for (auto& [domain, name] : all) {
      if (at >= 0 && namesake(name)) {
        name = shown_value(view, tree.ancestor(domain, at)) + "/" + name;
      }
    }
  }
  return names;
}

int grouping_level(const topology::TopologySpec& topology) {
  const int last = static_cast<int>(topology.levels.size()) - 1;
  return topology.host_level() ? last - 1 : last;
}

std::string placement_text(const solver::FlavorView& view, std::span<const solver::LeafPods> leaves,
                           HostNames names, bool fold, std::size_t most) {
  const topology::DomainTree& tree = view.tree();
  if (!tree.topology().host_level()) return capped(leaves_above_host(view, leaves), most);
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
  // More names than characters are never told.
  std::vector<DomainId> named;
  for (const auto& [group, hosts] : groups) {
    if (level >= 0 && named.size() / 2 <= most) named.push_back(group);
  }
  const std::vector<std::string> group_names = domain_names(view, named);
  std::vector<std::string> parts;
  std::size_t size = 0, told = 0;  // groups
  for (auto& [group, hosts] : groups) {
    std::string part = level >= 0 ? group_names[told] + ": " : "";
    const std::size_t left = most > size ? most - size : 0;
    if (told > 0 && left < part.size() + kLeastHosts) break;
    part += shown_hosts(std::move(hosts), fold, left > part.size() ? left - part.size() : 1);
    size += part.size() + 2;
    parts.push_back(std::move(part));
    ++told;
  }
  std::string out = joined(parts, "; ");
  const auto rest = static_cast<std::int64_t>(groups.size() - told);
  return rest == 0 ? out : out + "; and " + std::to_string(rest) + " more";
}

std::string short_placement(const solver::FlavorView& view,
                            std::span<const solver::LeafPods> leaves, HostNames names,
                            std::size_t most) {
  std::string whole = placement_text(view, leaves, names, true);
  if (whole.size() <= most) return whole;
  const topology::DomainTree& tree = view.tree();
  const int level = grouping_level(tree.topology());
  const bool hosts = tree.topology().host_level();
  const std::string unit =
      hosts ? "host" : level_name(tree.topology(), static_cast<int>(tree.leaf_level()));
  std::string count = counted(static_cast<std::int64_t>(leaves.size()), unit, unit + "s");
  if (!hosts || level < 0) return count;
  std::set<DomainId> groups;
  for (const solver::LeafPods& leaf : leaves)
    groups.insert(tree.ancestor(tree.domain_of(leaf.leaf), level));
  if (groups.size() > most) return count;
  std::string out = joined(domain_names(view, std::vector<DomainId>(groups.begin(), groups.end())));
  if (out.size() > most) return count;
  out += " (" + count + ")";
  return out.size() <= most ? out : count;
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
