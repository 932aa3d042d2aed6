// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/group_tree.h"

#include <algorithm>
#include <map>

namespace tessera::ingest {

GroupTree::GroupTree(std::vector<Group> groups) : groups_(std::move(groups)) {
  for (Number i = 0; i < groups_.size(); ++i) {
    names_.insert(groups_[i].name);
    if (i != kRoot) groups_[groups_[i].parent].children.push_back(i);
  }
  count_leaves();
}

void GroupTree::count_leaves() {
  std::vector<Number> order = {kRoot};
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::vector<Number>& children = groups_[order[at]].children;
    order.insert(order.end(), children.begin(), children.end());
  }
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    Group& group = groups_[*at];
    if (!group.children.empty()) group.leaves = 0;
    for (const Number child : group.children) group.leaves += groups_[child].leaves;
  }
}

std::vector<GroupTree::Number> GroupTree::fewest(const std::vector<Number>& members) const {
  std::set<Number> leaves;
  std::vector<Number> open = members;
  while (!open.empty()) {
    const Number number = open.back();
    open.pop_back();
    const std::vector<Number>& children = groups_[number].children;
    if (children.empty()) leaves.insert(number);
    open.insert(open.end(), children.begin(), children.end());
  }
  std::map<Number, std::size_t> held;  // leaves of the members at or below a group
  for (const Number leaf : leaves) {
    for (Number at = leaf;; at = groups_[at].parent) {
      ++held[at];
      if (at == kRoot) break;
    }
  }
  std::set<Number> highest;
  for (const Number leaf : leaves) {
    Number at = leaf;
    for (Number up = groups_[at].parent; up != kRoot && held[up] == groups_[up].leaves;) {
      at = up;
      up = groups_[up].parent;
    }
    highest.insert(at);
  }
  return {highest.begin(), highest.end()};
}

/// The names of the first members. '+' is in no name of a group, so that the name is a new one.
std::string GroupTree::new_name(const std::vector<Number>& members) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string_view> names;
  for (const Number member : members) names.push_back(groups_[member].name);
  std::sort(names.begin(), names.end());
  std::string name;
  for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i) {
    name.append(i == 0 ? "" : "+").append(names[i]);
  }
  if (names.size() > kNamed) name += "+" + std::to_string(names.size() - kNamed) + " more";
  while (!names_.insert(name).second) name += "+";
  return name;
}

GroupTree::Joined GroupTree::join(const std::vector<Number>& members,
                                  const WrittenTopology& topology) {
  if (members.size() == 1 && groups_[members[0]].topology.empty()) {
    groups_[members[0]].topology = topology;
    return Joined::kDone;
  }
  const Number above = groups_[members[0]].parent;
  for (const Number member : members) {
    if (groups_[member].parent != above) return Joined::kNoSiblings;
  }
  const auto count = static_cast<std::int64_t>(members.size());
  const auto children = static_cast<std::int64_t>(groups_[above].children.size());
  Group joined{new_name(members), above, 0, count, topology, members, 0};
  std::int64_t& needed = groups_[above].min_children;
  if (needed >= children) {
    needed += 1 - count;  // more than there are stays more than there are
  } else if (count == children) {
    joined.min_children = needed;
    needed = std::min<std::int64_t>(needed, 1);
  } else if (count > 1) {
    return Joined::kSomeOfThem;
  }
  const auto number = static_cast<Number>(groups_.size());
  for (const Number member : members) {
    groups_[member].parent = number;
    joined.leaves += groups_[member].leaves;
  }
  const std::set<Number> moved(members.begin(), members.end());
  std::vector<Number>& siblings = groups_[above].children;
  siblings.erase(std::remove_if(siblings.begin(), siblings.end(),
                                [&](Number sibling) { return moved.count(sibling) > 0; }),
                 siblings.end());
  siblings.push_back(number);
  groups_.push_back(std::move(joined));
  return Joined::kDone;
}

std::vector<bool> GroupTree::constrained_below() const {
  std::vector<bool> found(groups_.size());
  for (Number i = 0; i < groups_.size(); ++i) {
    if (groups_[i].topology.empty()) continue;
    for (Number at = i; !found[at]; at = groups_[at].parent) {
      found[at] = true;
      if (at == kRoot) break;
    }
  }
  return found;
}

bool GroupTree::apply_default(const WrittenTopology& topology) {
  const std::vector<bool> constrained = constrained_below();
  if (!constrained[kRoot]) {
    groups_[kRoot].topology = topology;
    return true;
  }
  bool shared = true;
  std::vector<Number> open = {kRoot};
  while (!open.empty()) {
    const Number above = open.back();
    open.pop_back();
    if (!groups_[above].topology.empty()) continue;
    std::vector<Number> without;
    for (const Number child : groups_[above].children) {
      (constrained[child] ? open : without).push_back(child);
    }
    if (without.empty() || join(without, topology) == Joined::kDone) continue;
    shared = false;
    for (const Number each : without) groups_[each].topology = topology;
  }
  return shared;
}

void GroupTree::flatten(std::vector<solver::GangGroup>& groups,
                        std::vector<TopologyPlaces>& places) const {
  struct Step {
    Number number;
    std::uint32_t parent;
  };
  std::vector<Step> open = {{kRoot, 0}};
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    const Group& group = groups_[step.number];
    const auto position = static_cast<std::uint32_t>(groups.size());
    solver::GangGroup flat;
    flat.name = group.name;
    flat.parent = step.parent;
    flat.min_pods = group.min_pods;
    flat.min_children = group.min_children;
    flat.topology = group.topology.asked;
    groups.push_back(std::move(flat));
    places.push_back(group.topology.places);
    std::vector<Number> children = group.children;
    std::sort(children.begin(), children.end(), [&](Number a, Number b) {
      return groups_[a].name > groups_[b].name;  // the last is taken first
    });
    for (const Number child : children) open.push_back({child, position});
  }
  for (auto i = static_cast<std::uint32_t>(groups.size()); i-- > 0;) {
    groups[i].end = std::max(groups[i].end, i + 1);
    std::uint32_t& above = groups[groups[i].parent].end;
    above = std::max(above, groups[i].end);
  }
}

}  // namespace tessera::ingest
