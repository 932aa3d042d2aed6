// SPDX-License-Identifier: Apache-2.0
#include "topology/node_sets.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace tessera::topology {
namespace {

bool cross(const NodeSet& a, const NodeSet& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end() &&
         !std::includes(a.begin(), a.end(), b.begin(), b.end()) &&
         !std::includes(b.begin(), b.end(), a.begin(), a.end());
}

std::size_t root_of(std::vector<std::size_t>& parent, std::size_t set) {
  while (parent[set] != set) set = parent[set] = parent[parent[set]];
  return set;
}

}  // namespace

std::vector<std::vector<std::size_t>> overlapping_groups(const std::vector<NodeSet>& sets,
                                                         std::uint32_t node_count) {
  std::vector<std::vector<std::size_t>> sets_of_node(node_count);
  std::vector<std::size_t> parent(sets.size()), shared(sets.size(), 0), touched;
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  std::vector<bool> crosses(sets.size(), false);
  for (std::size_t set = 0; set < sets.size(); ++set) {
    for (const NodeId node : sets[set]) {
      for (const std::size_t other : sets_of_node[index(node)]) {
        if (shared[other]++ == 0) touched.push_back(other);
      }
      sets_of_node[index(node)].push_back(set);
    }
    for (const std::size_t other : touched) {
      const std::size_t both = std::exchange(shared[other], 0);
      if (both == sets[set].size() || both == sets[other].size()) continue;
      crosses[set] = crosses[other] = true;
      parent[root_of(parent, other)] = root_of(parent, set);
    }
    touched.clear();
  }
  std::vector<std::vector<std::size_t>> by_root(sets.size()), groups;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    if (crosses[set]) by_root[root_of(parent, set)].push_back(set);
  }
  for (std::vector<std::size_t>& group : by_root) {
    if (!group.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::optional<std::vector<NodeSet>> all_unions(std::vector<NodeSet> sets) {
  std::set<NodeSet> known(sets.begin(), sets.end());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!cross(sets[i], sets[j])) continue;
      NodeSet both;
      std::set_union(sets[i].begin(), sets[i].end(), sets[j].begin(), sets[j].end(),
                     std::back_inserter(both));
      if (!known.insert(both).second) continue;
      if (known.size() > kMostUnions) return std::nullopt;
      sets.push_back(std::move(both));
    }
  }
  return sets;
}

}  // namespace tessera::topology
