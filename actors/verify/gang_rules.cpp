// SPDX-License-Identifier: Apache-2.0
#include "actors/verify/gang_rules.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tessera::core {
namespace {

using Nodes = std::vector<std::string>;
using topology::Symbol;

/// The value of a level's label; the name of a node stands for a hostname label that it lacks.
std::optional<std::string> value_of(const topology::NodeRecord& node,
                                    const topology::TopologySpec& topology, std::size_t level) {
  const auto found = topology.value(node, level);
  return found ? std::optional(found->str()) : std::nullopt;
}

std::string of_group(const Workload& workload, std::uint32_t group) {
  std::string path;
  for (std::uint32_t g = group; g != 0; g = workload.gang.groups[g].parent) {
    path = workload.gang.groups[g].name + (path.empty() ? "" : "/" + path);
  }
  return workload.key() + (path.empty() ? "" : " group " + path);
}

/// Walks a gang tree and checks every group.
class TreeRules {
 public:
  explicit TreeRules(const GangPlaces& places)
      : places_(places), workload_(places.workload()), gang_(workload_.gang) {}

  std::vector<BrokenRule> run() {
    check(0);
    check_exclusive();
    return std::move(broken_);
  }

 private:
  /// What a subtree has. `all`: with the pods that run already.
  struct Found {
    Nodes all;
    std::int64_t fresh = 0;
    bool met = false;
  };

  Found check(std::uint32_t group) {
    const solver::GangGroup& each = gang_.groups[group];
    Found found;
    found.all = each.running;
    auto own = static_cast<std::int64_t>(each.running.size());
    for (const AnsweredPod& pod : places_.pods()) {
      if (pod.pod_set < each.pods_begin || pod.pod_set >= each.pods_end) continue;
      found.all.push_back(pod.node);
      ++found.fresh;
      ++own;
    }
    check_slices(group);
    std::int64_t children = 0;
    std::vector<Nodes> by_child;
    for (std::uint32_t c = group + 1; c < each.end; c = gang_.groups[c].end) {
      Found child = check(c);
      found.all.insert(found.all.end(), child.all.begin(), child.all.end());
      found.fresh += child.fresh;
      if (child.met) ++children;
      if (!child.all.empty()) by_child.push_back(std::move(child.all));
    }
    found.met = own >= each.min_pods && children >= each.min_children;
    if (found.fresh > 0) {
      if (!found.met) note_minimum(group, own, children);
      check_required(group, found.all);
      check_spread(group, by_child);
    }
    nodes_of_.emplace(group, found.all);
    return found;
  }

  void note_minimum(std::uint32_t group, std::int64_t pods, std::int64_t children) {
    const solver::GangGroup& each = gang_.groups[group];
    const bool short_of_pods = pods < each.min_pods;
    broken_.push_back({"Minimum", of_group(workload_, group),
                       "has " + std::to_string(short_of_pods ? pods : children) + " of the " +
                           std::to_string(short_of_pods ? each.min_pods : each.min_children) +
                           (short_of_pods ? " pods" : " groups") + " that it needs"});
  }

  void check_required(std::uint32_t group, const Nodes& nodes) {
    const solver::GroupTopology& asked = gang_.groups[group].topology;
    if (!asked.required || places_.share(nodes, asked.topology, *asked.required)) return;
    broken_.push_back({"Required", of_group(workload_, group),
                       "is not in one domain of " + asked.required->str()});
  }

  void check_slices(std::uint32_t group) {
    const solver::GangGroup& each = gang_.groups[group];
    for (std::uint32_t p = each.pods_begin; p < each.pods_end; ++p) {
      for (const solver::SliceLayer& layer : gang_.pod_sets[p].topology.layers) {
        std::map<std::string, std::int64_t> pods;  // by domain
        for (const AnsweredPod& pod : places_.pods()) {
          if (pod.pod_set != p) continue;
          ++pods[places_.domain(pod.node, each.topology.topology, layer.level).value_or("")];
        }
        std::int64_t broken = 0;
        for (const auto& [domain, count] : pods) broken += count % layer.size != 0 ? 1 : 0;
        // One short slice, the last, is allowed.
        if (broken <= 1 && pods.count("") == 0) continue;
        broken_.push_back({"Slice", of_group(workload_, group),
                           "slices of " + std::to_string(layer.size) +
                               " are split over domains of " + layer.level.str()});
      }
    }
  }

  void check_spread(std::uint32_t group, const std::vector<Nodes>& children) {
    const solver::GangGroup& each = gang_.groups[group];
    if (!each.spread.level) return;
    std::map<std::string, std::int64_t> groups;  // by domain
    for (const Nodes& nodes : children) {
      std::set<std::string> domains;
      for (const std::string& node : nodes) {
        domains.insert(
            places_.domain(node, each.topology.topology, *each.spread.level).value_or(""));
      }
      for (const std::string& domain : domains) ++groups[domain];
    }
    for (const auto& [domain, count] : groups) {
      if (count <= each.spread.most) continue;
      broken_.push_back({"Spread", of_group(workload_, group),
                         std::to_string(count) + " of its groups are in one domain of " +
                             each.spread.level->str()});
    }
  }

  /// The domain of an exclusive group holds no other exclusive group of the gang, or no other pod
  /// of it.
  void check_exclusive() {
    for (std::uint32_t g = 0; g < gang_.groups.size(); ++g) {
      const solver::GangGroup& each = gang_.groups[g];
      if (!each.exclusive.level || nodes_of_[g].empty()) continue;
      const auto own =
          places_.domain(nodes_of_[g][0], each.topology.topology, *each.exclusive.level);
      for (std::uint32_t other = 0; other < gang_.groups.size(); ++other) {
        const bool related =
            (other >= g && other < each.end) || (g >= other && g < gang_.groups[other].end);
        const bool counts = each.exclusive.everyone || gang_.groups[other].exclusive.level;
        if (related || !counts) continue;
        for (const std::string& node : nodes_of_[other]) {
          if (places_.domain(node, each.topology.topology, *each.exclusive.level) != own) continue;
          broken_.push_back({"Exclusive", of_group(workload_, g),
                             "shares its domain with group " + gang_.groups[other].name});
          break;
        }
      }
    }
  }

  const GangPlaces& places_;
  const Workload& workload_;
  const solver::Gang& gang_;
  std::map<std::uint32_t, Nodes> nodes_of_;  // by group
  std::vector<BrokenRule> broken_;
};

}  // namespace

bool passes_filter(const topology::NodeFilter& filter,
                   const std::vector<topology::Toleration>& tolerated,
                   const topology::NodeRecord& node) {
  for (const auto& [key, value] : filter.node_selector) {
    const auto has = node.labels.find(Symbol(key.view()));
    if (!has || has->view() != value.view()) return false;
  }
  if (filter.required) {
    const bool some = std::any_of(filter.required->begin(), filter.required->end(),
                                  [&](const auto& term) { return term.matches(node); });
    if (!some) return false;
  }
  return topology::first_untolerated(node.taints, filter.tolerations, tolerated) == nullptr;
}

std::optional<std::string> GangPlaces::domain(std::string_view node, const std::string& topology,
                                              Symbol level) const {
  const auto record = nodes_->find(node);
  if (record == nodes_->end()) return std::nullopt;
  for (const topology::TopologySpec& each : *topologies_) {
    if (!topology.empty() && each.name != topology) continue;
    const std::optional<int> at = each.find_level(level.view());
    if (!at) continue;
    std::string path;
    for (std::size_t l = 0; l <= static_cast<std::size_t>(*at); ++l) {
      const auto value = value_of(*record->second, each, l);
      if (!value) return std::nullopt;
      path += std::to_string(value->size()) + ":" + *value + "/";
    }
    return path;
  }
  return std::nullopt;
}

bool GangPlaces::share(const Nodes& nodes, const std::string& topology, Symbol level) const {
  std::set<std::optional<std::string>> domains;
  for (const std::string& node : nodes) domains.insert(domain(node, topology, level));
  return domains.size() <= 1 && domains.count(std::nullopt) == 0;
}

std::vector<BrokenRule> check_tree(const GangPlaces& places) { return TreeRules(places).run(); }

std::vector<BrokenRule> check_flat(const GangPlaces& places) {
  std::vector<BrokenRule> broken;
  const Workload& workload = places.workload();
  std::map<std::string, Nodes> of_unit;
  std::map<std::string, Symbol> level_of_unit;
  for (std::size_t p = 0; p < workload.gang.pod_sets.size(); ++p) {
    const solver::PodSet& pod_set = workload.gang.pod_sets[p];
    std::vector<std::pair<std::int64_t, std::string>> by_rank;
    Nodes nodes;
    for (const AnsweredPod& pod : places.pods()) {
      if (pod.pod_set != p) continue;
      by_rank.emplace_back(pod.rank, pod.node);
      nodes.push_back(pod.node);
    }
    const std::string subject = workload.key() + " pod set " + pod_set.name;
    const std::int64_t least = pod_set.min_count.value_or(pod_set.count);
    if (static_cast<std::int64_t>(nodes.size()) < least) {
      broken.push_back(
          {"Minimum", subject,
           "has " + std::to_string(nodes.size()) + " of " + std::to_string(least) + " pods"});
    }
    if (pod_set.topology.required) {
      if (!places.share(nodes, "", *pod_set.topology.required)) {
        broken.push_back(
            {"Required", subject, "is not in one domain of " + pod_set.topology.required->str()});
      }
      if (!pod_set.unit.empty()) level_of_unit.emplace(pod_set.unit, *pod_set.topology.required);
    }
    if (!pod_set.unit.empty()) {
      of_unit[pod_set.unit].insert(of_unit[pod_set.unit].end(), nodes.begin(), nodes.end());
    }
    std::sort(by_rank.begin(), by_rank.end());
    for (const solver::SliceLayer& layer : pod_set.topology.layers) {
      if (layer.size < 1) continue;
      for (std::size_t first = 0; first < by_rank.size();
           first += static_cast<std::size_t>(layer.size)) {
        Nodes slice;
        for (std::size_t k = first;
             k < std::min(by_rank.size(), first + static_cast<std::size_t>(layer.size)); ++k) {
          slice.push_back(by_rank[k].second);
        }
        if (places.share(slice, "", layer.level)) continue;
        broken.push_back({"Slice", subject,
                          "pods " + std::to_string(first) + " to " +
                              std::to_string(first + slice.size() - 1) +
                              " are not in one domain of " + layer.level.str()});
      }
    }
  }
  for (const auto& [unit, nodes] : of_unit) {
    const auto level = level_of_unit.find(unit);
    if (level == level_of_unit.end() || places.share(nodes, "", level->second)) continue;
    broken.push_back({"Unit", workload.key() + " pod set group " + unit,
                      "is not in one domain of " + level->second.str()});
  }
  return broken;
}

}  // namespace tessera::core
