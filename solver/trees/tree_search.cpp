// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/tree_search.h"

#include <algorithm>
#include <set>

namespace tessera::solver {

using topology::DomainRange;

namespace {

/// Steps of one choice: it picks a group, and looks at domains and hosts.
constexpr std::int64_t kChoiceSteps = 50;

}  // namespace

bool TreeSearch::place(std::uint32_t group) {
  if (bounds_.never(group)) return false;
  if (bounds_.met(group)) return true;
  const TreeState::Mark mark = state_.mark();
  Agenda agenda;
  agenda.groups.push_back(group);
  if (solve(std::move(agenda)) && !steps_.over()) return true;
  state_.undo(mark);
  return false;
}

DomainRange TreeSearch::domains_in_scope(std::uint32_t group) const {
  const TreeLevel level = state_.level(group);
  const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
  // Of the groups above with a domain in this topology the one with the finest level decides.
  TreeLevel outer;
  std::uint32_t domain = 0;
  for (std::uint32_t g = group; g != 0;) {
    g = problem_.groups[g].parent;
    const TreeLevel each = state_.level(g);
    if (!state_.domain(g) || each.runs != level.runs || each.level <= outer.level) continue;
    outer = each;
    domain = *state_.domain(g);
  }
  if (!outer) return {0, static_cast<std::uint32_t>(runs.level(level.level).size())};
  if (outer.level < level.level) return runs.inside(outer.level, domain, level.level);
  for (int l = outer.level; l > level.level; --l) domain = runs.level(l)[domain].parent;
  return {domain, domain + 1};
}

TreeBounds::Candidates* TreeSearch::candidates(std::uint32_t group) {
  if (state_.torn(group)) return nullptr;
  return &bounds_.candidates(group, state_.level(group), domains_in_scope(group));
}

bool TreeSearch::solve(Agenda agenda) {
  if (!steps_.spend(kChoiceSteps) || !open_free_groups(agenda)) return false;
  if (!agenda.groups.empty()) return choose_domain(std::move(agenda));
  if (!agenda.choices.empty()) return choose_child(std::move(agenda));
  return place_leaves(agenda);
}

/// Opens the groups that may go anywhere, or have a domain.
bool TreeSearch::open_free_groups(Agenda& agenda) {
  for (std::size_t i = 0; i < agenda.groups.size();) {
    const std::uint32_t group = agenda.groups[i];
    if (state_.torn(group)) return false;
    if (state_.level(group) && !state_.domain(group)) {
      ++i;
      continue;
    }
    agenda.groups.erase(agenda.groups.begin() + static_cast<std::ptrdiff_t>(i));
    if (!open(group, agenda)) return false;
  }
  return true;
}

/// The group has its domain or needs none: its parts are next.
bool TreeSearch::open(std::uint32_t group, Agenda& agenda) {
  for (auto [leaf, last] = bounds_.own_leaves(group); leaf < last; ++leaf) {
    if (problem_.pods[leaf].must == 0) continue;
    if (state_.level(group)) {
      if (!state_.place(leaf, problem_.pods[leaf].must)) return false;
    } else {
      agenda.leaves.push_back(leaf);
    }
  }
  const std::int64_t lacking = bounds_.children_lacking(group);
  std::vector<std::uint32_t> children = bounds_.open_children(group);
  if (lacking == 0) return true;
  if (lacking > static_cast<std::int64_t>(children.size())) return false;
  if (!flow_allows(group, children, lacking)) return false;
  if (lacking == static_cast<std::int64_t>(children.size()) && !copies_suffice(children)) {
    return false;
  }
  if (lacking == static_cast<std::int64_t>(children.size())) {
    agenda.groups.insert(agenda.groups.end(), children.begin(), children.end());
  } else {
    agenda.choices.push_back({lacking, std::move(children)});
  }
  return true;
}

/// The group with the fewest candidates. Nothing: some group has none.
std::optional<TreeSearch::Branch> TreeSearch::pick_group(Agenda agenda) {
  std::size_t pick = 0;
  TreeBounds::Candidates* list = nullptr;
  for (std::size_t i = 0; i < agenda.groups.size(); ++i) {
    TreeBounds::Candidates* each = candidates(agenda.groups[i]);
    if (each == nullptr || each->size() == 0) return std::nullopt;
    const bool fewer =
        list == nullptr || each->size() < list->size() ||
        (each->size() == list->size() && each != list && each->at(0).load > list->at(0).load);
    if (!fewer) continue;
    pick = i;
    list = each;
  }
  const std::uint32_t group = agenda.groups[pick];
  agenda.groups.erase(agenda.groups.begin() + static_cast<std::ptrdiff_t>(pick));
  return Branch{group, list, std::move(agenda)};
}

std::optional<TreeSearch::Branch> TreeSearch::first_branch(std::uint32_t group) {
  Agenda agenda;
  agenda.groups.push_back(group);
  if (bounds_.never(group) || bounds_.met(group) || !open_free_groups(agenda)) return std::nullopt;
  if (agenda.groups.empty()) return std::nullopt;
  return pick_group(std::move(agenda));
}

std::optional<TreeSearch::Branch> TreeSearch::branch_on(std::uint32_t group, std::uint32_t picked) {
  Agenda agenda;
  agenda.groups.push_back(group);
  if (!open_free_groups(agenda)) return std::nullopt;
  const auto at = std::find(agenda.groups.begin(), agenda.groups.end(), picked);
  if (at == agenda.groups.end()) return std::nullopt;
  agenda.groups.erase(at);
  return Branch{picked, nullptr, std::move(agenda)};
}

/// Tells the domains of one branch that need no try from the others.
class TreeSearch::Sieve {
 public:
  Sieve(TreeSearch& search, std::uint32_t group)
      : search_(search),
        group_(group),
        level_(search.state_.level(group)),
        runs_(*search.problem_.runs[static_cast<std::size_t>(level_.runs)]) {}

  /// What the bounds say costs a look at every host, so they are asked once something has failed.
  /// Domains that look alike are filled alike, so only those with the load of one that failed are
  /// compared with it.
  bool passes(std::uint32_t domain, std::int64_t load) {
    fresh_ = search_.problem_.runs.size() == 1 && search_.untouched(level_, domain);
    domain_ = domain;
    load_ = load;
    if (!failed_any_) return true;
    if (fresh_ && looks_like_failed(domain, load)) return false;
    return search_.bounds_.sums_fit(group_, level_, domain);
  }
  /// The domain that passed last is done with, after a try of so many steps. A short try costs less
  /// than a look.
  void drop_likes(std::int64_t steps) {
    failed_any_ = true;
    if (fresh_ && steps >= kLongTry) failed_.emplace(load_, domain_);
  }

 private:
  static constexpr std::int64_t kLongTry = 100;  // steps

  bool looks_like_failed(std::uint32_t domain, std::int64_t load) {
    const std::uint32_t parent = runs_.level(level_.level)[domain].parent;
    for (auto [at, last] = failed_.equal_range(load); at != last; ++at) {
      if (runs_.level(level_.level)[at->second].parent != parent) continue;
      if (search_.bounds_.look(level_, at->second) == search_.bounds_.look(level_, domain)) {
        return true;
      }
    }
    return false;
  }

  TreeSearch& search_;
  std::uint32_t group_;
  TreeLevel level_;
  const topology::DomainRuns& runs_;
  bool failed_any_ = false;
  // What was asked for last; fresh: nobody uses the domain.
  std::uint32_t domain_ = 0;
  std::int64_t load_ = 0;
  bool fresh_ = false;
  std::multimap<std::int64_t, std::uint32_t> failed_;  // fresh domains, by load
};

/// Where the profile wants few domains: the candidates that other groups of the gang have already.
std::vector<std::uint32_t> TreeSearch::domains_in_use(Branch& branch) const {
  std::vector<std::uint32_t> out;
  if (problem_.choice != DomainChoice::kFewestDomains) return out;
  const TreeLevel level = state_.level(branch.group);
  for (std::size_t i = 0; i < branch.candidates->size(); ++i) {
    const std::uint32_t domain = branch.candidates->at(i).domain;
    if (!untouched(level, domain)) out.push_back(domain);
  }
  return out;
}

std::vector<std::uint32_t> TreeSearch::worth_trying(Branch& branch) {
  Sieve sieve(*this, branch.group);
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < branch.candidates->size(); ++i) {
    const auto [domain, load, rank] = branch.candidates->at(i);
    if (!sieve.passes(domain, load)) continue;
    sieve.drop_likes(INT64_MAX);
    out.push_back(domain);
  }
  return out;
}

bool TreeSearch::follow(const Branch& branch, std::uint32_t domain) {
  Agenda next = branch.rest;
  return state_.choose_domain(branch.group, domain) && open(branch.group, next) &&
         solve(std::move(next));
}

bool TreeSearch::choose_domain(Agenda agenda) {
  std::optional<Branch> branch = pick_group(std::move(agenda));
  if (!branch) return false;
  Sieve sieve(*this, branch->group);
  auto& shut = branch->rest.shut;
  const std::vector<std::uint32_t> used = domains_in_use(*branch);
  for (std::size_t i = 0; i < used.size() + branch->candidates->size(); ++i) {
    // The domains in use are not fresh: their load does not matter.
    const TreeBounds::Candidate candidate = i < used.size()
                                                ? TreeBounds::Candidate{used[i], 0, 0}
                                                : branch->candidates->at(i - used.size());
    const std::uint32_t domain = candidate.domain;
    const bool again =
        i >= used.size() && std::find(used.begin(), used.end(), domain) != used.end();
    if (again) continue;
    const std::pair<std::uint32_t, std::uint32_t> key{bounds_.kind(branch->group), domain};
    if (std::find(shut.begin(), shut.end(), key) != shut.end()) continue;
    if (!sieve.passes(domain, candidate.load)) continue;
    const TreeState::Mark mark = state_.mark();
    const std::int64_t before = steps_.spent();
    if (follow(*branch, domain)) return true;
    if (steps_.over()) return false;
    state_.undo(mark);
    sieve.drop_likes(steps_.spent() - before);
    shut.push_back(key);
  }
  return false;
}

/// Takes or leaves the next child of a group that needs only some of them.
bool TreeSearch::choose_child(Agenda agenda) {
  Choice choice = std::move(agenda.choices.back());
  agenda.choices.pop_back();
  if (choice.lacking == 0) return solve(std::move(agenda));
  std::set<std::uint32_t> left;  // kinds that were left out: an equal child changes nothing
  while (static_cast<std::int64_t>(choice.from.size()) >= choice.lacking) {
    const std::uint32_t child = choice.from.front();
    choice.from.erase(choice.from.begin());
    if (left.count(bounds_.kind(child)) > 0) continue;
    Agenda next = agenda;
    next.choices.push_back({choice.lacking - 1, choice.from});
    next.groups.push_back(child);
    const TreeState::Mark mark = state_.mark();
    if (solve(std::move(next))) return true;
    if (steps_.over()) return false;
    state_.undo(mark);
    left.insert(bounds_.kind(child));
  }
  return false;
}

/// Places the leaves that share the domain of a group above, those with the least choice first.
bool TreeSearch::place_leaves(const Agenda& agenda) {
  std::vector<std::uint32_t> leaves = agenda.leaves;
  const auto hosts = [&](std::uint32_t leaf) {
    const TreeState::Scope scope = state_.scope(problem_.pods[leaf].group);
    return scope.end - scope.begin;
  };
  std::stable_sort(leaves.begin(), leaves.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return hosts(a) < hosts(b); });
  for (const std::uint32_t leaf : leaves) {
    if (!state_.place(leaf, problem_.pods[leaf].must)) return false;
  }
  return true;
}

/// True if no group has a domain inside this one.
bool TreeSearch::untouched(TreeLevel level, std::uint32_t domain) const {
  const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
  const auto& where = runs.level(level.level)[domain];
  for (std::uint32_t g = 0; g < problem_.groups.size(); ++g) {
    const TreeLevel each = state_.level(g);
    if (!state_.domain(g) || each.runs != level.runs || each.level < level.level) continue;
    const auto& inner = runs.level(each.level)[*state_.domain(g)];
    if (inner.begin >= where.begin && inner.begin < where.end) return false;
  }
  return true;
}

}  // namespace tessera::solver
