// SPDX-License-Identifier: Apache-2.0
#include "solver/search.h"

#include <algorithm>

#include "solver/balanced.h"
#include "solver/level_scan.h"

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::DomainRange;

struct Start {
  int level = 0;
  std::vector<Candidate> list;
};
using Found = std::variant<Start, Shortfall>;

/// Several domains of one level: the leader's first, then by size (last part of 4.4).
Found spread(const SearchProblem& problem, int level) {
  const Ordering& ordering = problem.ordering;
  // What can take neither a slice nor the leader is given nothing, wherever it stands.
  std::vector<Candidate> list;
  const DomainRange domains = problem.tree->level(level);
  for (std::uint32_t d = domains.begin; d < domains.end; ++d) {
    const Counts counts = problem.table->at(DomainId{d});
    if (counts.slices > 0 || counts.leaders > 0) list.push_back({DomainId{d}, counts});
  }
  sort_with_leader(list, ordering);
  std::int64_t left = problem.slices(), leaders = problem.leaders;
  lead_first(list, left, leaders, Unit::kSlices);

  Start start{level, {}};
  std::size_t next = 0;
  const auto take = [&](bool leading) {
    const auto rest = std::span<const Candidate>(list).subspan(next);
    std::size_t pick = 0;
    if (ordering.best_fit() && amount(rest[0].counts, Unit::kSlices, leading) >= left) {
      pick = best_fit(rest, left, leaders, Unit::kSlices, ordering);
    }
    start.list.push_back(rest[pick]);
    left -= amount(rest[pick].counts, Unit::kSlices, leading);
    if (leading) leaders -= rest[pick].counts.leaders;
    ++next;
  };
  while (leaders > 0 && next < list.size() && list[next].counts.leaders > 0) take(true);
  if (leaders > 0) {
    std::int64_t fits = 0;
    for (const Candidate& c : list) fits += c.counts.slices;
    return Shortfall{level, false, 0, fits >= problem.slices()};
  }
  sort_for_workers(std::span<Candidate>(list).subspan(next), ordering);
  while (left > 0 && next < list.size()) take(false);
  if (left > 0) return Shortfall{level, false, problem.slices() - left, false};
  return start;
}

/// The level and the domains at which the descent starts: 4.4, climbing for preferred requests.
Found find(const SearchProblem& problem) {
  for (int level = problem.request->level;; --level) {
    if (problem.tree->shown_leaf_count() == 0) return Shortfall{level, true, 0, false};
    if (auto one = single_domain(problem, level)) {
      return Start{level, {{*one, problem.table->at(*one)}}};
    }
    if (problem.request->required) return required_shortfall(problem, level);
    if (level == 0 || problem.request->unconstrained) return spread(problem, level);
  }
}

/// Numbers of children that are dealt in multiples of `unit`: replaces the slices after sorting
/// (4.5, zone B).
void count_in_units(std::vector<Candidate>& list, std::int64_t unit) {
  for (Candidate& c : list) {
    c.counts.slices = c.counts.pods / unit;
    c.counts.slices_with_leader = c.counts.pods_with_leader / unit;
  }
}

/// Zone A: the children of all domains in one pool; the split at the level above is forgotten.
std::vector<Share> pool_children(const SearchProblem& problem, const std::vector<Share>& shares) {
  std::vector<Candidate> pool;
  for (const Share& share : shares) {
    add_candidates(problem, problem.tree->children(share.domain), pool);
  }
  sort_for_workers(pool, problem.ordering);
  std::vector<Share> out;
  consume(pool, problem.load(), problem.ordering, out);
  return out;
}

bool in_path_order(const Share& a, const Share& b) { return a.domain < b.domain; }

void sort_in_path_order(std::span<Share> shares) {
  if (std::is_sorted(shares.begin(), shares.end(), in_path_order)) return;
  std::sort(shares.begin(), shares.end(), in_path_order);
}

/// Zone B: each domain deals its own share to its own children. In path order, since no domain sees
/// another's.
std::vector<Share> deal_below(const SearchProblem& problem, int level, std::vector<Share> shares) {
  const std::int64_t unit = level < problem.request->slice_level
                                ? problem.request->slice_size
                                : problem.request->unit[static_cast<std::size_t>(level) + 1];
  sort_in_path_order(shares);
  std::vector<Share> out;
  std::vector<Candidate> children;
  for (const Share& share : shares) {
    if (share.pods == 0 && share.leaders == 0) continue;
    children.clear();
    add_candidates(problem, problem.tree->children(share.domain), children);
    sort_for_workers(children, problem.ordering);
    if (unit > 1) count_in_units(children, unit);
    const Load load{share.pods, share.leaders, unit, unit > 1 ? Unit::kSlices : Unit::kPods};
    const std::size_t first = out.size();
    consume(children, load, problem.ordering, out);
    sort_in_path_order(std::span<Share>(out).subspan(first));
  }
  return out;
}

}  // namespace

void add_candidates(const SearchProblem& problem, DomainRange range, std::vector<Candidate>& out) {
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    out.push_back({DomainId{d}, problem.table->at(DomainId{d})});
  }
}

std::vector<Candidate> candidates(const SearchProblem& problem, DomainRange range) {
  std::vector<Candidate> out;
  out.reserve(range.size());
  add_candidates(problem, range, out);
  return out;
}

Leaves descend(const SearchProblem& problem, int level, std::vector<Share> shares, bool balanced) {
  const int lowest = problem.tree->leaf_level();
  const int pooled_until = balanced ? level : std::min(lowest, problem.request->slice_level);
  for (; level < pooled_until; ++level) shares = pool_children(problem, shares);
  for (; level < lowest; ++level) shares = deal_below(problem, level, std::move(shares));

  shares.erase(std::remove_if(shares.begin(), shares.end(),
                              [](const Share& s) { return s.pods == 0 && s.leaders == 0; }),
               shares.end());
  sort_in_path_order(shares);
  return shares;
}

std::variant<Leaves, Shortfall> search(const SearchProblem& problem) {
  const bool preferred = !problem.request->required && !problem.request->unconstrained;
  std::optional<Leaves> even;
  if (preferred && problem.balanced != BalancedPlacement::kOff) {
    even = place_balanced(problem);
    if (even && problem.balanced == BalancedPlacement::kKueue) return *even;
  }
  Found found = find(problem);
  if (auto* shortfall = std::get_if<Shortfall>(&found))
    return even ? std::variant<Leaves, Shortfall>(*even) : *shortfall;
  auto& start = std::get<Start>(found);
  std::vector<Share> shares;
  consume(start.list, problem.load(), problem.ordering, shares);
  Leaves leaves = descend(problem, start.level, std::move(shares), false);
  if (even && fewer_domains(*problem.tree, problem.request->level, *even, leaves)) return *even;
  return leaves;
}

}  // namespace tessera::solver
