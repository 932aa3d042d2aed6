// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/tree_state.h"

#include <algorithm>
#include <utility>

#include "solver/trees/packing.h"

namespace tessera::solver {
namespace {

/// Sorts by host and makes one entry of several of a host.
void merge_hosts(std::vector<HostPods>& list) {
  std::sort(list.begin(), list.end(),
            [](const HostPods& a, const HostPods& b) { return a.host < b.host; });
  std::size_t size = 0;
  for (const HostPods& each : list) {
    if (size > 0 && list[size - 1].host == each.host) {
      list[size - 1].pods += each.pods;
    } else {
      list[size++] = each;
    }
  }
  list.resize(size);
}

}  // namespace

TreeState::TreeState(const TreeProblem& problem, std::vector<TreeLevel> levels, Steps& steps)
    : problem_(problem),
      steps_(&steps),
      room_(problem),
      levels_(std::move(levels)),
      domains_(problem.groups.size()),
      torn_(problem.groups.size(), false),
      placed_(problem.pods.size()) {
  for (std::uint32_t g = 0; g < problem.groups.size(); ++g) {
    if (problem.groups[g].exclusive.everyone) owners_.push_back(g);
    find_used_domain(g);
  }
}

void TreeState::find_used_domain(std::uint32_t group) {
  const TreeLevel level = levels_[group];
  if (!level) return;
  const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
  for (const TreePods& leaf : problem_.pods) {
    if (leaf.group < group || leaf.group >= problem_.groups[group].end) continue;
    for (const std::uint32_t host : leaf.running) {
      const std::uint32_t domain = runs.domain_of(level.level, host);
      if (domain == topology::DomainRuns::kNone ||
          (domains_[group] && *domains_[group] != domain)) {
        torn_[group] = true;
      } else {
        domains_[group] = domain;
      }
    }
  }
}

void TreeState::loosen(std::uint32_t group, TreeLevel level) {
  std::uint32_t domain = domains_[group].value_or(0);
  if (domains_[group] && level) {
    const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
    for (int l = levels_[group].level; l > level.level; --l) domain = runs.level(l)[domain].parent;
    domains_[group] = domain;
  } else {
    domains_[group].reset();
  }
  levels_[group] = level;
}

bool TreeState::choose_domain(std::uint32_t group, std::uint32_t domain) {
  if (!allowed(group, domain)) return false;
  const Mark before = mark();
  domains_[group] = domain;
  log_.push_back({group, false, {}});
  if (!problem_.groups[group].exclusive.everyone || clear_domain(group)) return true;
  undo(before);
  return false;
}

std::uint32_t TreeState::domain_above(TreeLevel from, std::uint32_t domain, int level) const {
  const auto& runs = *problem_.runs[static_cast<std::size_t>(from.runs)];
  for (int l = from.level; l > level; --l) domain = runs.level(l)[domain].parent;
  return domain;
}

bool TreeState::allowed(std::uint32_t group, std::uint32_t domain) const {
  return (group == 0 || spread_allows(group, domain)) && others_allow(group, domain);
}

bool TreeState::spread_allows(std::uint32_t group, std::uint32_t domain) const {
  const std::uint32_t parent = problem_.groups[group].parent;
  const TreeSpread& spread = problem_.groups[parent].spread;
  if (!spread.level) return true;
  const std::uint32_t wanted = domain_above(levels_[group], domain, spread.level.level);
  std::int64_t there = 0;
  for (std::uint32_t g = parent + 1; g < problem_.groups[parent].end; g = problem_.groups[g].end) {
    if (g == group || !domains_[g]) continue;
    if (domain_above(levels_[g], *domains_[g], spread.level.level) == wanted) ++there;
  }
  return there < spread.most;
}

/// Exclusive domains of two groups have no host in common.
bool TreeState::others_allow(std::uint32_t group, std::uint32_t domain) const {
  const TreeExclusive& own = problem_.groups[group].exclusive;
  if (!own.level) return true;
  const auto& runs = *problem_.runs[static_cast<std::size_t>(own.level.runs)];
  const auto& wanted =
      runs.level(own.level.level)[domain_above(levels_[group], domain, own.level.level)];
  for (std::uint32_t at = wanted.begin; own.foreign && at < wanted.end; ++at) {
    if ((*own.foreign)[runs.order()[at]]) return false;
  }
  for (std::uint32_t g = 0; g < problem_.groups.size(); ++g) {
    const TreeExclusive& other = problem_.groups[g].exclusive;
    if (g == group || !other.level || !domains_[g]) continue;
    const bool above = g < group && group < problem_.groups[g].end;
    const bool below = group < g && g < problem_.groups[group].end;
    if (above || below) continue;
    const auto& others = *problem_.runs[static_cast<std::size_t>(other.level.runs)];
    const std::uint32_t taken = domain_above(levels_[g], *domains_[g], other.level.level);
    for (std::uint32_t at = wanted.begin; at < wanted.end; ++at) {
      if (others.domain_of(other.level.level, runs.order()[at]) == taken) return false;
    }
  }
  return true;
}

/// Moves the pods of other groups out of a domain that a group now has to itself. False: they have
/// nowhere else to go.
bool TreeState::clear_domain(std::uint32_t group) {
  for (std::uint32_t leaf = 0; leaf < problem_.pods.size(); ++leaf) {
    const std::uint32_t owner = problem_.pods[leaf].group;
    if (owner >= group && owner < problem_.groups[group].end) continue;
    for (const std::uint32_t host : problem_.pods[leaf].running) {
      if (repelled(owner, host)) return false;
    }
    const bool inside =
        std::any_of(placed_[leaf].begin(), placed_[leaf].end(),
                    [&](const HostPods& each) { return repelled(owner, each.host); });
    if (inside && !pack_again(leaf, 0)) return false;
  }
  return true;
}

/// True if the host is in a domain that another group has to itself.
bool TreeState::repelled(std::uint32_t group, std::uint32_t host) const {
  for (const std::uint32_t owner : owners_) {
    if (!domains_[owner] || (group >= owner && group < problem_.groups[owner].end)) continue;
    const TreeLevel level = problem_.groups[owner].exclusive.level;
    const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
    const std::uint32_t taken = domain_above(levels_[owner], *domains_[owner], level.level);
    if (runs.domain_of(level.level, host) == taken) return true;
  }
  return false;
}

TreeState::Scope TreeState::scope(std::uint32_t group) const {
  Scope out{-1, 0, static_cast<std::uint32_t>(problem_.cells.size())};
  for (std::uint32_t g = group;; g = problem_.groups[g].parent) {
    if (domains_[g]) {
      const TreeLevel level = levels_[g];
      const auto& domain =
          problem_.runs[static_cast<std::size_t>(level.runs)]->level(level.level)[*domains_[g]];
      if (domain.hosts() < out.end - out.begin || out.runs < 0) {
        out = {level.runs, domain.begin, domain.end};
      }
    }
    if (g == 0) return out;
  }
}

bool TreeState::in_domains(std::uint32_t group, std::uint32_t host) const {
  for (std::uint32_t g = group;; g = problem_.groups[g].parent) {
    if (domains_[g]) {
      const TreeLevel level = levels_[g];
      const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
      if (runs.domain_of(level.level, host) != *domains_[g]) return false;
    }
    if (g == 0) return true;
  }
}

bool TreeState::place(std::uint32_t leaf, std::int64_t pods) {
  return pods == 0 || place_beside(leaf, pods) || pack_again(leaf, pods);
}

std::int64_t TreeState::place_up_to(std::uint32_t leaf, std::int64_t most) {
  const Need& need = problem_.pods[leaf].need;
  std::int64_t room = 0;
  for_each_host(leaf, [&](std::uint32_t host) { room += room_.fits(host, need); });
  const std::int64_t pods = std::min(room, most);
  if (pods > 0) place_beside(leaf, pods);
  return pods;
}

bool TreeState::unlabelled(std::uint32_t host) const {
  if (problem_.runs.empty() || problem_.runs[0]->level_count() == 0) return false;
  const auto& runs = *problem_.runs[0];
  return runs.domain_of(runs.level_count() - 1, host) == topology::DomainRuns::kNone;
}

/// Puts the pods on the fullest hosts that still take one.
bool TreeState::place_beside(std::uint32_t leaf, std::int64_t pods) {
  struct Room {
    bool unlabelled;  // such a host is for pods that nothing else takes
    std::int64_t fits;
    std::uint32_t host;
  };
  const Need& need = problem_.pods[leaf].need;
  std::vector<Room> rooms;
  std::int64_t sum = 0, looked_at = 0;
  for_each_host(leaf, [&](std::uint32_t host) {
    ++looked_at;
    const std::int64_t fits = room_.fits(host, need);
    if (fits > 0) rooms.push_back({unlabelled(host), fits, host});
    sum += fits;
  });
  if (!steps_->spend(steps_of_pass(looked_at)) || sum < pods) return false;
  std::stable_sort(rooms.begin(), rooms.end(), [](const Room& a, const Room& b) {
    return a.unlabelled != b.unlabelled ? b.unlabelled : a.fits < b.fits;
  });
  std::vector<HostPods> out = placed_[leaf];
  for (const Room& each : rooms) {
    if (pods == 0) break;
    const std::int64_t taken = std::min(pods, each.fits);
    out.push_back({each.host, taken});
    pods -= taken;
  }
  merge_hosts(out);
  set_placed(leaf, std::move(out));
  return true;
}

/// Packs the pods of all leaves that compete with this one, with `pods` more of this one.
bool TreeState::pack_again(std::uint32_t leaf, std::int64_t pods) {
  const std::vector<std::uint32_t> leaves = competitors(leaf);
  std::vector<std::uint64_t> name = name_of(leaves, leaf, pods);
  if (impossible_.count(name) > 0) return false;
  for (const std::uint32_t each : leaves) apply(each, -1);
  std::vector<PackItem> items;
  for (const std::uint32_t each : leaves) {
    PackItem item{&problem_.pods[each].need, each == leaf ? pods : 0, {}};
    for (const HostPods& p : placed_[each]) item.pods += p.pods;
    for_each_host(each, [&](std::uint32_t host) { item.hosts.push_back(host); });
    items.push_back(std::move(item));
  }
  auto found = pack(items, room_, *steps_);
  for (const std::uint32_t each : leaves) apply(each, 1);
  if (!found) {
    if (!steps_->over()) impossible_.insert(std::move(name));
    return false;
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) set_placed(leaves[i], std::move((*found)[i]));
  return true;
}

/// The leaf and those with pods on hosts that it or another competitor may use, ascending.
std::vector<std::uint32_t> TreeState::competitors(std::uint32_t leaf) const {
  std::vector<Scope> scopes;
  for (const TreePods& each : problem_.pods) scopes.push_back(scope(each.group));
  // Domains of two topologies may always have hosts in common.
  const auto meet = [](const Scope& a, const Scope& b) {
    return a.runs < 0 || b.runs < 0 || a.runs != b.runs || (a.begin < b.end && b.begin < a.end);
  };
  std::vector<bool> in(problem_.pods.size(), false);
  std::vector<std::uint32_t> out{leaf};
  in[leaf] = true;
  for (std::size_t next = 0; next < out.size(); ++next) {
    for (std::uint32_t other = 0; other < problem_.pods.size(); ++other) {
      if (in[other] || placed_[other].empty() || !meet(scopes[out[next]], scopes[other])) continue;
      in[other] = true;
      out.push_back(other);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// What a packing depends on: the leaves, how many pods of each, and the domains above them.
std::vector<std::uint64_t> TreeState::name_of(std::span<const std::uint32_t> leaves,
                                              std::uint32_t leaf, std::int64_t pods) const {
  std::vector<std::uint64_t> out;
  for (const std::uint32_t owner : owners_) out.push_back(domains_[owner].value_or(UINT32_MAX));
  for (const std::uint32_t each : leaves) {
    std::int64_t count = each == leaf ? pods : 0;
    for (const HostPods& p : placed_[each]) count += p.pods;
    out.push_back(each);
    out.push_back(static_cast<std::uint64_t>(count));
    for (std::uint32_t g = problem_.pods[each].group;; g = problem_.groups[g].parent) {
      out.push_back(domains_[g] ? *domains_[g] : UINT64_MAX);
      if (g == 0) break;
    }
  }
  return out;
}

void TreeState::apply(std::uint32_t leaf, std::int64_t times) {
  for (const HostPods& p : placed_[leaf]) {
    room_.take(p.host, problem_.pods[leaf].need, p.pods * times);
  }
}

void TreeState::set_placed(std::uint32_t leaf, std::vector<HostPods> pods) {
  apply(leaf, -1);
  log_.push_back({leaf, true, std::exchange(placed_[leaf], std::move(pods))});
  apply(leaf, 1);
}

void TreeState::undo(Mark mark) {
  while (log_.size() > mark) {
    Undo& last = log_.back();
    if (last.is_leaf) {
      apply(last.number, -1);
      placed_[last.number] = std::move(last.before);
      apply(last.number, 1);
    } else {
      domains_[last.number].reset();
    }
    log_.pop_back();
  }
}

}  // namespace tessera::solver
