// SPDX-License-Identifier: Apache-2.0
#include "solver/level_scan.h"

#include <algorithm>

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::DomainRange;

/// A level's slices and pods as the rows hold them, where no leader and no score plays a part:
/// visit(first domain, slices, pods) for each part of the level.
template <class Visit>
void for_each_part(const SearchProblem& problem, int level, Visit visit) {
  const CountTable& table = *problem.table;
  const DomainRange range = problem.tree->level(level);
  const auto& rows = table.inner().rows;
  std::uint32_t first = range.begin;
  rows.for_each_part(table.inner().slices, range.begin, range.end,
                     [&](std::span<const std::int64_t> slices) {
                       visit(first, slices);
                       first += static_cast<std::uint32_t>(slices.size());
                     });
}

/// Best of a plain level: the fewest slices that suffice, then the fewest pods, then the first.
class Tightest {
 public:
  explicit Tightest(std::int64_t need) : need_(need) {}

  /// `pods_of(i)` is asked only where slices tie.
  template <class Number, class PodsOf>
  void look_at(std::uint32_t first, std::span<const Number> slices, PodsOf pods_of) {
    for (std::uint32_t i = 0; i < slices.size(); ++i) {
      const std::int64_t have = slices[i];
      if (have < need_ || have > slices_) continue;
      const std::int64_t pods = pods_of(first + i);
      if (have == slices_ && pods >= pods_) continue;
      slices_ = have;
      pods_ = pods;
      best_ = DomainId{first + i};
    }
  }
  std::optional<DomainId> best() const { return best_; }

 private:
  std::int64_t need_, slices_ = INT64_MAX, pods_ = INT64_MAX;
  std::optional<DomainId> best_;
};

/// A request without leader and scores whose algorithm wants the tightest domain; K > 0.
std::optional<DomainId> tightest(const SearchProblem& problem, int level) {
  const CountTable& table = *problem.table;
  const DomainRange range = problem.tree->level(level);
  Tightest scan(problem.slices());
  if (level < problem.tree->leaf_level()) {
    for_each_part(problem, level, [&](std::uint32_t first, std::span<const std::int64_t> slices) {
      scan.look_at(first, slices, [&](std::uint32_t d) { return table.inner().rows.get(0, d); });
    });
    return scan.best();
  }
  if (table.leaf_slice() == 1) {
    std::uint32_t first = range.begin;
    table.leaves().rows.for_each_part(
        LeafRows::kCode, 0, range.size(), [&](std::span<const std::int32_t> pods) {
          const auto same = [&](std::uint32_t d) { return std::int64_t{pods[d - first]}; };
          scan.look_at(first, pods, same);
          first += static_cast<std::uint32_t>(pods.size());
        });
    return scan.best();
  }
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    const Counts counts = table.at(DomainId{d});
    scan.look_at(d, std::span<const std::int64_t>(&counts.slices, 1),
                 [&](std::uint32_t) { return counts.pods; });
  }
  return scan.best();
}

bool plain(const SearchProblem& problem) {
  return problem.leaders == 0 && !problem.ordering.affinity &&
         problem.ordering.algorithm != Algorithm::kMostFreeCapacity && problem.slices() > 0;
}

bool takes_all(const SearchProblem& problem, const Counts& counts) {
  return counts.slices_with_leader >= problem.slices() && counts.leaders >= problem.leaders;
}

/// True if `a` is chosen before `b` of two that take all: the highest score, then the tightest, or
/// the roomiest for MostFreeCapacity.
bool chosen_before(const Counts& a, const Counts& b, const Ordering& ordering) {
  if (ordering.affinity && a.score != b.score) return a.score > b.score;
  const bool most = ordering.algorithm == Algorithm::kMostFreeCapacity;
  if (a.slices_with_leader != b.slices_with_leader) {
    return (a.slices_with_leader < b.slices_with_leader) != most;
  }
  return a.pods_with_leader != b.pods_with_leader &&
         (a.pods_with_leader < b.pods_with_leader) != most;
}

/// The score that a domain must have. Only a required request, and the single-domain rule of
/// LeastFreeCapacity, look below the highest score of those that can lead (4.4, 4.8).
std::optional<std::int64_t> wanted_score(const SearchProblem& problem, DomainRange range) {
  if (!problem.ordering.affinity || problem.request->required ||
      problem.ordering.algorithm == Algorithm::kLeastFreeCapacity) {
    return std::nullopt;
  }
  std::int64_t leaders = -1, score = 0;
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    const Counts counts = problem.table->at(DomainId{d});
    if (counts.leaders < leaders) continue;
    score = counts.leaders > leaders ? counts.score : std::max(score, counts.score);
    leaders = counts.leaders;
  }
  return score;
}

}  // namespace

std::optional<DomainId> single_domain(const SearchProblem& problem, int level) {
  if (plain(problem)) return tightest(problem, level);
  const DomainRange range = problem.tree->level(level);
  const std::optional<std::int64_t> score = wanted_score(problem, range);
  std::optional<DomainId> best;
  Counts best_counts;
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    const Counts counts = problem.table->at(DomainId{d});
    if (!takes_all(problem, counts) || (score && counts.score != *score)) continue;
    if (best && !chosen_before(counts, best_counts, problem.ordering)) continue;
    best = DomainId{d};
    best_counts = counts;
  }
  return best;
}

Shortfall required_shortfall(const SearchProblem& problem, int level) {
  const DomainRange range = problem.tree->level(level);
  Shortfall out;
  out.level = level;
  if (plain(problem) && level < problem.tree->leaf_level()) {
    for_each_part(problem, level, [&](std::uint32_t, std::span<const std::int64_t> slices) {
      for (const std::int64_t have : slices) out.fits = std::max(out.fits, have);
    });
    return out;
  }
  // What is told is what the first domain of the order with a leader holds, or the best one of
  // LeastFreeCapacity, whose order begins with the fullest.
  const bool least = problem.ordering.algorithm == Algorithm::kLeastFreeCapacity;
  std::optional<Candidate> front;
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    const Candidate candidate{DomainId{d}, problem.table->at(DomainId{d})};
    if (least) out.fits = std::max(out.fits, candidate.counts.slices);
    out.only_leader |= candidate.counts.slices >= problem.slices();
    if (!front || before_with_leader(candidate, *front, problem.ordering)) front = candidate;
  }
  if (!least) out.fits = front->counts.slices;
  return out;
}

}  // namespace tessera::solver
