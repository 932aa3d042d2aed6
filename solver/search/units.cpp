// SPDX-License-Identifier: Apache-2.0
#include "solver/search/units.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tessera::solver {

namespace {

/// Apart from units_of(): most gangs have no groups, and code that is not read costs no cache line.
[[gnu::cold, gnu::noinline]] void add_groups(const Gang& gang, std::span<const std::int64_t> counts,
                                             std::span<const PodSetTarget> targets,
                                             const SearchOptions& options,
                                             std::vector<SearchUnit>& out) {
  const bool apart = options.leader_filters == LeaderFilters::kWorkers;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    const std::string& group = gang.pod_sets[i].unit;
    if (targets[i].view == nullptr || counts[i] == 0 || group.empty()) continue;
    groups[{apart ? targets[i].flavor : std::string(), group}].push_back(i);
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
}

[[gnu::cold, gnu::noinline]] void sort_units(std::span<const PodSetTarget> targets,
                                             const SearchOptions& options,
                                             std::vector<SearchUnit>& out) {
  std::sort(out.begin(), out.end(), [&](const SearchUnit& a, const SearchUnit& b) {
    const std::string &x = targets[a.first].flavor, &y = targets[b.first].flavor;
    return options.by_flavor && x != y ? x < y : a.first < b.first;
  });
}

}  // namespace

std::vector<SearchUnit> units_of(const Gang& gang, std::span<const std::int64_t> counts,
                                 std::span<const PodSetTarget> targets,
                                 const SearchOptions& options) {
  std::vector<SearchUnit> out;
  bool grouped = false;
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    if (targets[i].view == nullptr || counts[i] == 0) continue;
    if (gang.pod_sets[i].unit.empty()) {
      out.push_back({i, std::nullopt, i, true});
    } else {
      grouped = true;
    }
  }
  if (grouped) add_groups(gang, counts, targets, options, out);
  if (out.size() > 1) sort_units(targets, options, out);
  return out;
}

}  // namespace tessera::solver
