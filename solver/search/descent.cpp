// SPDX-License-Identifier: Apache-2.0
#include "solver/search/descent.h"

#include <algorithm>
#include <span>

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::DomainRange;

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
    if (!problem.steps->spend(1)) return {};
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

/// About how many domains get a share, to reserve memory: each takes at least a pod or the leader.
std::size_t most_shares(const SearchProblem& problem, const std::vector<Share>& shares) {
  if (shares.empty()) return 0;
  const std::size_t children = problem.tree->children(shares.front().domain).size();
  return std::min(static_cast<std::size_t>(problem.pods + problem.leaders),
                  shares.size() * children);
}

/// Zone B: each domain deals its own share to its own children. The domains come in path order; any
/// order would do, since no domain sees the children of another.
std::vector<Share> deal_below(const SearchProblem& problem, int level, std::vector<Share> shares) {
  const std::int64_t unit = level < problem.request->slice_level
                                ? problem.request->slice_size
                                : problem.request->unit[static_cast<std::size_t>(level) + 1];
  sort_in_path_order(shares);
  std::vector<Share> out;
  out.reserve(most_shares(problem, shares));
  std::vector<Candidate> children;
  for (const Share& share : shares) {
    if (share.pods == 0 && share.leaders == 0) continue;
    if (!problem.steps->spend(1)) return {};
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

void append_candidates(const CountTable& table, DomainRange range, std::vector<Candidate>& out) {
  const std::size_t before = out.size();
  if (out.capacity() - before < range.size()) {
    out.reserve(std::max(2 * out.capacity(), before + range.size()));
  }
  if (table.is_leaf(DomainId{range.begin}) && table.plain_leaves()) {
    std::uint32_t d = range.begin;
    table.leaves().rows.for_each_part(LeafRows::kCode, range.begin - table.first_leaf(),
                                      range.end - table.first_leaf(),
                                      [&](std::span<const std::int32_t> codes) {
                                        for (const std::int32_t code : codes) {
                                          if (code > 0)
                                            out.push_back({DomainId{d}, table.of_pods(code)});
                                          ++d;
                                        }
                                      });
  } else {
    for (std::uint32_t d = range.begin; d < range.end; ++d) {
      const Counts counts = table.at(DomainId{d});
      if (counts.pods > 0 || counts.leaders > 0) out.push_back({DomainId{d}, counts});
    }
  }
}

std::int64_t count_candidates(const CountTable& table, DomainRange range) {
  std::int64_t out = 0;
  if (!table.is_leaf(DomainId{range.begin}) && !table.with_leader()) {
    table.inner().rows.for_each_part(0, range.begin, range.end,
                                     [&out](std::span<const std::int64_t> pods) {
                                       for (const std::int64_t each : pods) out += each > 0 ? 1 : 0;
                                     });
    return out;
  }
  if (!table.is_leaf(DomainId{range.begin})) {
    const InnerRows& inner = table.inner();
    for (std::uint32_t d = range.begin; d < range.end; ++d) {
      out += inner.rows.get(0, d) > 0 || inner.rows.get(inner.leaders, d) > 0 ? 1 : 0;
    }
    return out;
  }
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    const Counts counts = table.at(DomainId{d});
    out += counts.pods > 0 || counts.leaders > 0 ? 1 : 0;
  }
  return out;
}

void add_candidates(const SearchProblem& problem, DomainRange range, std::vector<Candidate>& out) {
  const std::size_t before = out.size();
  append_candidates(*problem.table, range, out);
  problem.steps->spend(static_cast<std::int64_t>(out.size() - before));
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

}  // namespace tessera::solver
