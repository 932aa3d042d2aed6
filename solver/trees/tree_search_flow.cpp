// SPDX-License-Identifier: Apache-2.0
// The part of TreeSearch that asks whether the children of a group can be met at once, before any
// of them is placed. Its answers are never no where a placement exists.
#include <algorithm>
#include <map>
#include <set>

#include "solver/trees/tree_search.h"

namespace tessera::solver {
namespace {

/// Pairs of child and domain from which on a flow would cost more than it saves.
constexpr std::size_t kMostFlowLinks = 4'096;

}  // namespace

/// False if there are more equal children, all of which are needed, than their domains can take.
bool TreeSearch::copies_suffice(const std::vector<std::uint32_t>& children) {
  std::map<std::uint32_t, std::int64_t> wanted;  // by kind
  for (const std::uint32_t child : children) ++wanted[bounds_.kind(child)];
  std::set<std::uint32_t> done;
  for (const std::uint32_t child : children) {
    const std::int64_t equal = wanted[bounds_.kind(child)];
    const TreeLevel level = state_.level(child);
    if (equal < 2 || !level || state_.domain(child) || !done.insert(bounds_.kind(child)).second) {
      continue;
    }
    TreeBounds::Candidates* list = candidates(child);
    std::int64_t copies = 0;
    for (std::size_t i = 0; list != nullptr && i < list->size() && copies < equal; ++i) {
      copies += bounds_.copies(child, level, list->at(i).domain);
    }
    if (copies < equal) return false;
  }
  return true;
}

/// False if the children cannot get domains at once that each of them could get alone. Looks at
/// groups that lie apart and, if all children are needed, at each resource.
bool TreeSearch::flow_allows(std::uint32_t group, const std::vector<std::uint32_t>& children,
                             std::int64_t lacking) {
  const TreeLevel level = children.empty() ? TreeLevel() : state_.level(children[0]);
  if (!level || children.size() < 2) return true;
  std::vector<TreeBounds::Candidates*> lists;
  std::vector<Supply> supplies(children.size(), Supply{1, {}});
  std::map<std::uint32_t, std::uint32_t> numbers;  // of the domains that somebody may get
  std::size_t links = 0;
  bool scarce = false;  // else each child finds a domain that the others leave
  for (const std::uint32_t child : children) {
    if (state_.level(child) != level) return true;
    if (state_.domain(child)) return true;
    TreeBounds::Candidates* list = candidates(child);
    scarce = scarce || list == nullptr;
    lists.push_back(list);
    if (list == nullptr) continue;
    links += list->size();
    scarce = scarce || list->size() < children.size();
    if (links > kMostFlowLinks) return true;
  }
  if (!scarce) return true;
  for (std::size_t c = 0; c < children.size(); ++c) {
    for (std::size_t i = 0; lists[c] != nullptr && i < lists[c]->size(); ++i) {
      const auto number = static_cast<std::uint32_t>(numbers.size());
      supplies[c].domains.push_back(numbers.emplace(lists[c]->at(i).domain, number).first->second);
    }
  }
  if (!steps_.spend(static_cast<std::int64_t>(links) / 4 + 1)) return true;
  return domains_suffice(group, children, lacking, supplies, numbers) &&
         (lacking < static_cast<std::int64_t>(children.size()) ||
          room_suffices(children, level, supplies, numbers));
}

/// Each child takes one place of a domain of the level at which the children lie apart.
bool TreeSearch::domains_suffice(std::uint32_t group, const std::vector<std::uint32_t>& children,
                                 std::int64_t lacking, const std::vector<Supply>& supplies,
                                 const std::map<std::uint32_t, std::uint32_t>& numbers) const {
  const TreeLevel own = state_.level(children[0]);
  TreeLevel apart = problem_.groups[group].spread.level;
  std::int64_t most = problem_.groups[group].spread.most;
  if (!apart) {
    apart = problem_.groups[children[0]].exclusive.level;
    most = 1;
    for (const std::uint32_t child : children) {
      if (problem_.groups[child].exclusive.level != apart) return true;
    }
  }
  if (!apart || apart.runs != own.runs) return true;
  const auto& runs = *problem_.runs[static_cast<std::size_t>(own.runs)];
  std::map<std::uint32_t, std::uint32_t> above;  // domain of that level -> its number
  std::vector<std::uint32_t> number_above(numbers.size());
  for (const auto& [domain, number] : numbers) {
    std::uint32_t up = domain;
    for (int l = own.level; l > apart.level; --l) up = runs.level(l)[up].parent;
    number_above[number] =
        above.emplace(up, static_cast<std::uint32_t>(above.size())).first->second;
  }
  std::vector<Supply> units;
  for (const Supply& supply : supplies) {
    std::set<std::uint32_t> domains;
    for (const std::uint32_t number : supply.domains) domains.insert(number_above[number]);
    units.push_back({1, {domains.begin(), domains.end()}});
  }
  return most_shared_out(units, std::vector<std::int64_t>(above.size(), most)) >= lacking;
}

/// What the children need together of each resource fits into their domains.
bool TreeSearch::room_suffices(const std::vector<std::uint32_t>& children, TreeLevel level,
                               std::vector<Supply> supplies,
                               const std::map<std::uint32_t, std::uint32_t>& numbers) {
  for (std::size_t row = 0; row < problem_.rows.size(); ++row) {
    std::int64_t total = 0;
    for (std::size_t c = 0; c < children.size(); ++c) {
      supplies[c].units = bounds_.forced(children[c])[row];
      total += supplies[c].units;
    }
    std::vector<std::int64_t> room(numbers.size());
    for (const auto& [domain, number] : numbers) room[number] = bounds_.sums(level, domain)[row];
    if (total > 0 && most_shared_out(supplies, room) < total) return false;
  }
  return true;
}

}  // namespace tessera::solver
