// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/uniform_tree.h"

#include <algorithm>

namespace tessera::solver {
namespace {

bool asks_for_more(const GangGroup& group) {
  return group.topology.preferred || group.exclusive.level || group.spread.level ||
         !group.running.empty();
}

/// The pod set of a group that is all of it and of which every pod must run; nothing: there is
/// none.
std::optional<std::uint32_t> only_pods(const Gang& gang, std::uint32_t group) {
  const GangGroup& each = gang.groups[group];
  if (each.end != group + 1 || each.pods_end != each.pods_begin + 1) return std::nullopt;
  const PodSet& pod_set = gang.pod_sets[each.pods_begin];
  const bool whole = pod_set.count > 0 && each.min_pods == pod_set.count;
  return whole && pod_set.topology.layers.empty() ? std::optional(each.pods_begin) : std::nullopt;
}

/// A placement of the pod sets puts equal pods in equal places.
bool alike(const PodSet& a, const PodSet& b) {
  return a.count == b.count && a.request == b.request && a.filter == b.filter;
}

}  // namespace

std::optional<UniformTree> uniform_tree(const Gang& gang) {
  if (!gang.is_tree() || asks_for_more(gang.groups[0])) return std::nullopt;
  UniformTree out;
  PodSet pods;
  pods.topology.required = gang.groups[0].topology.required;
  if (const auto root = only_pods(gang, 0)) {
    if (!pods.topology.required) return std::nullopt;  // unlabelled nodes come last
    out.members.push_back(*root);
  } else {
    const GangGroup& root_group = gang.groups[0];
    if (root_group.pods_end != root_group.pods_begin || gang.groups.size() < 2) return std::nullopt;
    const GroupTopology& first = gang.groups[1].topology;
    const bool one_topology =
        !root_group.topology.required || root_group.topology.topology == first.topology;
    if (!first.required || !one_topology) return std::nullopt;
    std::int64_t children = 0;
    for (std::uint32_t g = 1; g < gang.groups.size(); ++g, ++children) {
      const auto own = only_pods(gang, g);
      if (!own || asks_for_more(gang.groups[g]) || gang.groups[g].topology != first) {
        return std::nullopt;
      }
      if (!out.members.empty() && !alike(gang.pod_sets[*own], gang.pod_sets[out.members.front()])) {
        return std::nullopt;
      }
      out.members.push_back(*own);
    }
    if (root_group.min_children != children) return std::nullopt;
    pods.topology.layers = {{*first.required, gang.pod_sets[out.members.front()].count}};
  }
  const PodSet& first = gang.pod_sets[out.members.front()];
  pods.count = first.count * static_cast<std::int64_t>(out.members.size());
  pods.request = first.request;
  pods.filter = first.filter;
  out.flat.pod_sets.push_back(std::move(pods));
  return out;
}

std::vector<PodSetPlacement> deal_uniform(const UniformTree& tree, const Gang& gang,
                                          const PodSetPlacement& placed) {
  std::vector<PodSetPlacement> out(gang.pod_sets.size());
  std::size_t member = 0;
  std::int64_t wanted = gang.pod_sets[tree.members.front()].count;
  // The leaves come in path order and each domain holds whole slices, so each run of `count` pods
  // lies in one domain.
  for (const LeafPods& leaf : placed) {
    for (std::int64_t left = leaf.pods; left > 0;) {
      const std::int64_t some = std::min(left, wanted);
      out[tree.members[member]].push_back({leaf.leaf, some});
      left -= some;
      wanted -= some;
      if (wanted == 0 && ++member < tree.members.size()) {
        wanted = gang.pod_sets[tree.members[member]].count;
      }
    }
  }
  return out;
}

}  // namespace tessera::solver
