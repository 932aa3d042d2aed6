// SPDX-License-Identifier: Apache-2.0
#include "solver/search/units.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tessera::solver {

std::vector<SearchUnit> units_of(const Gang& gang, std::span<const std::int64_t> counts,
                                 std::span<const PodSetTarget> targets,
                                 const SearchOptions& options) {
  const bool apart = options.leader_filters == LeaderFilters::kWorkers;
  std::vector<SearchUnit> out;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    if (targets[i].view == nullptr || counts[i] == 0) continue;
    const std::string& group = gang.pod_sets[i].group;
    if (group.empty()) {
      out.push_back({i, std::nullopt, i, true});
    } else {
      groups[{apart ? targets[i].flavor : std::string(), group}].push_back(i);
    }
  }
  for (const auto& [key, members] : groups) {
    SearchUnit unit{members[0], std::nullopt, members[0], true};
    if (members.size() >= 2) {
      unit.leader = members[1];
      if (counts[members[1]] > counts[members[0]]) std::swap(unit.workers, *unit.leader);
      unit.well_formed = members.size() == 2 && counts[*unit.leader] == 1;
    }
    out.push_back(unit);
  }
  std::sort(out.begin(), out.end(), [&](const SearchUnit& a, const SearchUnit& b) {
    const std::string &x = targets[a.first].flavor, &y = targets[b.first].flavor;
    return options.by_flavor && x != y ? x < y : a.first < b.first;
  });
  return out;
}

}  // namespace tessera::solver
