// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/tree_bounds.h"

#include <algorithm>
#include <numeric>

namespace tessera::solver {
namespace {

using HostSet = std::shared_ptr<const std::vector<bool>>;

/// Equal numbers: the same set.
std::uint64_t barred_number(const std::vector<TreePods>& pods, const HostSet& barred) {
  const auto same = [&](const TreePods& each) { return each.barred == barred; };
  return static_cast<std::uint64_t>(std::find_if(pods.begin(), pods.end(), same) - pods.begin());
}

std::uint64_t foreign_number(const std::vector<TreeGroup>& groups, const HostSet& foreign) {
  const auto same = [&](const TreeGroup& each) { return each.exclusive.foreign == foreign; };
  return static_cast<std::uint64_t>(std::find_if(groups.begin(), groups.end(), same) -
                                    groups.begin());
}

}  // namespace

TreeBounds::TreeBounds(const TreeProblem& problem, Steps& steps, const std::vector<bool>& left_out)
    : problem_(problem),
      steps_(steps),
      room_(problem),
      met_(problem.groups.size(), false),
      never_(problem.groups.size(), false),
      shapes_(problem.groups.size(), 0),
      kinds_(problem.groups.size(), 0),
      step_(problem.rows.size(), 0),
      counted_(problem.pods.size()) {
  std::uint32_t at = 0;
  for (std::uint32_t g = 0; g <= problem.groups.size(); ++g) {
    while (at < problem.pods.size() && problem.pods[at].group < g) ++at;
    first_leaf_.push_back(at);
  }
  for (const TreePods& leaf : problem.pods) {
    for (const Need::Part& part : leaf.need.parts) {
      step_[part.row] = std::gcd(step_[part.row], part.value);
    }
  }
  for (std::uint32_t leaf = 0; leaf < problem.pods.size(); ++leaf) {
    const auto same = [&](const TreePods& other) {
      return other.need == problem.pods[leaf].need && other.barred == problem.pods[leaf].barred;
    };
    const auto first = std::find_if(problem.pods.begin(), problem.pods.end(), same);
    like_.push_back(static_cast<std::uint32_t>(first - problem.pods.begin()));
  }
  for (std::size_t g = problem.groups.size(); g-- > 0;) {
    judge(static_cast<std::uint32_t>(g), left_out);
    name_kind(static_cast<std::uint32_t>(g));
  }
}

void TreeBounds::judge(std::uint32_t group, const std::vector<bool>& left_out) {
  const TreeGroup& each = problem_.groups[group];
  bool pods_met = true;
  for (auto [leaf, last] = own_leaves(group); leaf < last; ++leaf) {
    if (problem_.pods[leaf].must > 0) pods_met = false;
  }
  std::int64_t met = 0, open = 0;
  for (std::uint32_t c = group + 1; c < each.end; c = problem_.groups[c].end) {
    if (met_[c]) ++met;
    if (!met_[c] && !never_[c]) ++open;
  }
  never_[group] = each.short_of_pods || met + open < each.min_children;
  met_[group] = !never_[group] && pods_met && met >= each.min_children;
  if (left_out.empty() || !left_out[group]) return;
  met_[group] = true;
  never_[group] = false;
}

std::int64_t TreeBounds::children_lacking(std::uint32_t group) const {
  std::int64_t lacking = problem_.groups[group].min_children;
  for (std::uint32_t c = group + 1; c < problem_.groups[group].end; c = problem_.groups[c].end) {
    if (met_[c]) --lacking;
  }
  return std::max<std::int64_t>(lacking, 0);
}

std::vector<std::uint32_t> TreeBounds::open_children(std::uint32_t group) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t c = group + 1; c < problem_.groups[group].end; c = problem_.groups[c].end) {
    if (!met_[c] && !never_[c]) out.push_back(c);
  }
  return out;
}

/// Spells everything below the group, except names, and numbers what it has not met before.
void TreeBounds::name_kind(std::uint32_t group) {
  const TreeGroup& each = problem_.groups[group];
  std::vector<std::uint64_t> words{static_cast<std::uint64_t>(each.required.runs + 1),
                                   static_cast<std::uint64_t>(each.required.level + 1),
                                   static_cast<std::uint64_t>(each.preferred.runs + 1),
                                   static_cast<std::uint64_t>(each.preferred.level + 1),
                                   static_cast<std::uint64_t>(each.min_children),
                                   each.short_of_pods ? 1U : 0U,
                                   static_cast<std::uint64_t>(each.exclusive.level.runs + 1),
                                   static_cast<std::uint64_t>(each.exclusive.level.level + 1),
                                   each.exclusive.everyone ? 1U : 0U,
                                   foreign_number(problem_.groups, each.exclusive.foreign),
                                   static_cast<std::uint64_t>(each.spread.level.runs + 1),
                                   static_cast<std::uint64_t>(each.spread.level.level + 1),
                                   static_cast<std::uint64_t>(each.spread.most)};
  for (auto [at, last] = own_leaves(group); at < last; ++at) {
    const TreePods& leaf = problem_.pods[at];
    words.insert(
        words.end(),
        {UINT64_MAX, static_cast<std::uint64_t>(leaf.must), static_cast<std::uint64_t>(leaf.more),
         barred_number(problem_.pods, leaf.barred), leaf.need.unknown ? 1U : 0U});
    for (const Need::Part& part : leaf.need.parts) {
      words.insert(words.end(), {part.row, static_cast<std::uint64_t>(part.value)});
    }
    words.push_back(UINT64_MAX - 1);
    words.insert(words.end(), leaf.running.begin(), leaf.running.end());
  }
  std::vector<std::uint64_t> children;
  for (std::uint32_t c = group + 1; c < each.end; c = problem_.groups[c].end) {
    children.push_back(shapes_[c]);
  }
  std::sort(children.begin(), children.end());
  words.push_back(UINT64_MAX - 2);
  words.insert(words.end(), children.begin(), children.end());
  shapes_[group] = number(words);
  kinds_[group] = number({UINT64_MAX - 3, each.parent, shapes_[group]});
}

std::size_t TreeBounds::HashOfWords::operator()(const std::vector<std::uint64_t>& words) const {
  std::uint64_t hash = words.size();
  for (const std::uint64_t word : words) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

std::uint32_t TreeBounds::number(const std::vector<std::uint64_t>& words) {
  const auto known = numbers_.find(words);
  if (known != numbers_.end()) return known->second;
  return numbers_.emplace(words, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

/// Pods that fit into a domain that the index has not counted.
std::int64_t TreeBounds::count(std::uint32_t leaf, TreeLevel level, std::uint32_t domain) {
  std::vector<Counted>& levels = counted_[like_[leaf]];
  const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
  auto counted = std::find_if(levels.begin(), levels.end(),
                              [&](const Counted& each) { return each.level == level; });
  if (counted == levels.end()) {
    levels.push_back(
        {level, std::vector<std::int64_t>(runs.level(level.level).size(), kNotCounted)});
    counted = levels.end() - 1;
  }
  std::int64_t& pods = counted->pods[domain];
  if (pods != kNotCounted) return pods;
  const TreePods& each = problem_.pods[leaf];
  const auto& where = runs.level(level.level)[domain];
  pods = 0;
  for (std::uint32_t k = where.begin; k < where.end; ++k) {
    const std::uint32_t host = runs.order()[k];
    if (!each.barred || !(*each.barred)[host]) pods += room_.fits(host, each.need);
  }
  return pods;
}

std::int64_t TreeBounds::fits_anywhere(std::uint32_t leaf) {
  const TreePods& each = problem_.pods[leaf];
  std::int64_t pods = 0;
  for (std::uint32_t host = 0; host < problem_.cells.size(); ++host) {
    if (!each.barred || !(*each.barred)[host]) pods += room_.fits(host, each.need);
  }
  return pods;
}

TreeBounds::Candidates& TreeBounds::candidates(std::uint32_t group, TreeLevel level,
                                               topology::DomainRange among) {
  for (Listed& each : listed_) {
    if (each.shape == shapes_[group] && each.level == level && each.among.begin == among.begin &&
        each.among.end == among.end) {
      return *each.candidates;
    }
  }
  auto out = std::make_unique<Candidates>();
  for (std::uint32_t d = among.begin; d < among.end; ++d) {
    const std::optional<std::int64_t> load = load_of_parts(group, level, d);
    if (load) out->list_.push_back({d, *load, rank(level, d, *load)});
  }
  steps_.spend(among.size() / 8 + 1);
  std::make_heap(out->list_.begin(), out->list_.end(), Candidates::after);
  listed_.push_back({shapes_[group], level, among, std::move(out)});
  return *listed_.back().candidates;
}

std::int64_t TreeBounds::rank(TreeLevel level, std::uint32_t domain, std::int64_t load) {
  switch (problem_.choice) {
    case DomainChoice::kTightest:
      // Above the whole the parts fit one by one and hardly together: those come last.
      return load <= kWhole ? -load : load;
    case DomainChoice::kLoosest:
    case DomainChoice::kFewestDomains:  // the search puts the domains of the gang before the others
      return load;
    case DomainChoice::kWholePrice:
      return whole_price(level, domain) * (kWhole << 20) - load;
    case DomainChoice::kLowestId:
      break;
  }
  return 0;
}

/// How many domains that nobody uses a group breaks in this one: itself and those above it.
std::int64_t TreeBounds::whole_price(TreeLevel level, std::uint32_t domain) {
  const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
  std::int64_t price = 0;
  for (; level.level >= 0; --level.level) {
    if (!is_whole(level, domain)) break;  // then no domain above it is whole
    ++price;
    domain = runs.level(level.level)[domain].parent;
  }
  return price;
}

/// True if all that the empty cluster has there is free.
bool TreeBounds::is_whole(TreeLevel level, std::uint32_t domain) {
  const auto [at, fresh] = whole_.emplace(Place{level.runs, level.level, domain}, true);
  if (!fresh) return at->second;
  const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
  const auto& where = runs.level(level.level)[domain];
  const auto& empty = problem_.capacity->rows(topology::Basis::kEmpty);
  for (std::uint32_t k = where.begin; at->second && k < where.end; ++k) {
    const std::uint32_t host = runs.order()[k];
    const std::span<const std::int64_t> free = room_.free(host);
    for (std::size_t r = 0; r < free.size(); ++r) {
      if (free[r] != empty.get(problem_.rows[r], index(problem_.cells[host]))) at->second = false;
    }
  }
  return at->second;
}

const TreeBounds::Candidate& TreeBounds::Candidates::at(std::size_t i) {
  for (; taken_ <= i; ++taken_) {
    std::pop_heap(list_.begin(), list_.end() - static_cast<std::ptrdiff_t>(taken_), after);
  }
  return list_[list_.size() - 1 - i];
}

std::optional<std::int64_t> TreeBounds::load_of_parts(std::uint32_t group, TreeLevel level,
                                                      std::uint32_t domain) {
  std::int64_t out = 0;
  for (auto [leaf, last] = own_leaves(group); leaf < last; ++leaf) {
    const TreePods& pods = problem_.pods[leaf];
    if (pods.must == 0) continue;
    const std::int64_t room = fits(leaf, level, domain);
    if (room < pods.must) return std::nullopt;
    out += pods.must * kWhole / room;
  }
  if (problem_.groups[group].end == group + 1) return out;
  std::int64_t lacking = children_lacking(group);
  for (std::uint32_t child = group + 1; child < problem_.groups[group].end && lacking > 0;
       child = problem_.groups[child].end) {
    if (met_[child] || never_[child]) continue;
    std::optional<std::int64_t> part = load_of_parts(child, level, domain);
    if (!part) continue;
    const std::int64_t copies = copies_inside(child, level, domain);
    if (copies == 0) continue;
    out += std::max(*part, kWhole / copies);
    --lacking;
  }
  if (lacking > 0) return std::nullopt;
  return out;
}

/// How many such groups the domains of a finer level inside this one could take, if the group needs
/// such a domain; 0: it fits into none of them. Many: it needs none.
std::int64_t TreeBounds::copies_inside(std::uint32_t group, TreeLevel level, std::uint32_t domain) {
  const TreeLevel own = problem_.groups[group].required;
  if (own.runs != level.runs || own.level <= level.level) return kWhole;
  const topology::DomainRange inside =
      problem_.runs[static_cast<std::size_t>(level.runs)]->inside(level.level, domain, own.level);
  std::int64_t copies = 0;
  if (problem_.groups[group].end == group + 1) {
    for (std::uint32_t d = inside.begin; d < inside.end; ++d) copies += this->copies(group, own, d);
    return std::min(copies, kWhole);
  }
  for (std::uint32_t d = inside.begin; d < inside.end; ++d) {
    const std::optional<std::int64_t> load = load_of_parts(group, own, d);
    if (load) copies += std::max<std::int64_t>(kWhole / std::max<std::int64_t>(*load, 1), 1);
  }
  return std::min(copies, kWhole);
}

std::int64_t TreeBounds::copies(std::uint32_t group, TreeLevel level, std::uint32_t domain) {
  std::int64_t most = INT32_MAX;
  for (auto [leaf, last] = own_leaves(group); leaf < last; ++leaf) {
    const std::int64_t must = problem_.pods[leaf].must;
    if (must > 0) most = std::min(most, fits(leaf, level, domain) / must);
  }
  return most;
}

/// Adds what all pods need that every placement of the group has.
void TreeBounds::add_forced(std::uint32_t group, std::vector<std::int64_t>& need) const {
  for (auto [at, last] = own_leaves(group); at < last; ++at) {
    const TreePods& leaf = problem_.pods[at];
    for (const Need::Part& part : leaf.need.parts) need[part.row] += part.value * leaf.must;
  }
  const std::vector<std::uint32_t> children = open_children(group);
  if (children_lacking(group) < static_cast<std::int64_t>(children.size())) return;
  for (const std::uint32_t child : children) add_forced(child, need);
}

std::vector<std::int64_t> TreeBounds::forced(std::uint32_t group) const {
  std::vector<std::int64_t> need(problem_.rows.size(), 0);
  add_forced(group, need);
  return need;
}

const std::vector<std::int64_t>& TreeBounds::sums(TreeLevel level, std::uint32_t domain) {
  std::vector<std::int64_t>& sums = sums_[Place{level.runs, level.level, domain}];
  if (!sums.empty()) return sums;
  sums.assign(problem_.rows.size(), 0);
  const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
  const auto& where = runs.level(level.level)[domain];
  for (std::uint32_t k = where.begin; k < where.end; ++k) {
    const std::span<const std::int64_t> free = room_.free(runs.order()[k]);
    for (std::size_t r = 0; r < sums.size(); ++r) {
      const std::int64_t step = std::max<std::int64_t>(step_[r], 1);
      sums[r] += std::max<std::int64_t>(free[r], 0) / step * step;
    }
  }
  return sums;
}

bool TreeBounds::sums_fit(std::uint32_t group, TreeLevel level, std::uint32_t domain) {
  const std::vector<std::int64_t>& room = sums(level, domain);
  const std::vector<std::int64_t> need = forced(group);
  for (std::size_t r = 0; r < need.size(); ++r) {
    if (need[r] > room[r]) return false;
  }
  return true;
}

std::uint32_t TreeBounds::look_of_host(std::uint32_t host) {
  words_.assign(1, UINT64_MAX - 4);
  for (const std::int64_t amount : room_.free(host)) {
    words_.push_back(static_cast<std::uint64_t>(amount));
  }
  for (const TreePods& leaf : problem_.pods) {
    words_.push_back(leaf.barred && (*leaf.barred)[host] ? 1 : 0);
  }
  for (const TreeGroup& group : problem_.groups) {
    if (group.exclusive.foreign) words_.push_back((*group.exclusive.foreign)[host] ? 1 : 0);
  }
  return number(words_);
}

std::uint32_t TreeBounds::look(TreeLevel level, std::uint32_t domain) {
  auto looks = std::find_if(looks_.begin(), looks_.end(),
                            [&](const auto& each) { return each->level == level; });
  const auto& runs = *problem_.runs[static_cast<std::size_t>(level.runs)];
  if (looks == looks_.end()) {
    auto fresh = std::make_unique<Looks>();
    fresh->level = level;
    fresh->numbers.assign(runs.level(level.level).size(), UINT32_MAX);
    looks = looks_.insert(looks_.end(), std::move(fresh));
  }
  std::vector<std::uint32_t>& numbers = (*looks)->numbers;
  if (numbers[domain] != UINT32_MAX) return numbers[domain];
  const auto& where = runs.level(level.level)[domain];
  std::vector<std::uint64_t> parts;
  std::uint32_t at = where.begin;
  if (level.level + 1 < runs.level_count()) {
    const topology::DomainRange inner = runs.inside(level.level, domain, level.level + 1);
    for (std::uint32_t d = inner.begin; d < inner.end; ++d) {
      parts.push_back(look({level.runs, level.level + 1}, d));
      at = runs.level(level.level + 1)[d].end;
    }
  }
  for (; at < where.end; ++at) parts.push_back(look_of_host(runs.order()[at]));
  std::sort(parts.begin(), parts.end());
  parts.push_back(UINT64_MAX - 5);
  parts.push_back(static_cast<std::uint64_t>(level.runs));
  parts.push_back(static_cast<std::uint64_t>(level.level));
  return numbers[domain] = number(parts);
}

}  // namespace tessera::solver
