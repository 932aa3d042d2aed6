// SPDX-License-Identifier: Apache-2.0
#include "solver/search/level_scan.h"

#include <algorithm>

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::DomainRange;

/// The best domain of a plain level: the fewest slices that suffice, then the fewest pods, then the
/// first in path order.
class Tightest {
 public:
  explicit Tightest(std::int64_t need) : need_(need) {}

  /// Calls `pods` only if slices are equal. True if the domain suffices.
  template <class Pods>
  bool look_at(DomainId domain, std::int64_t slices, Pods pods) {
    if (slices < need_) return false;
    if (slices > slices_) return true;
    const std::int64_t have = pods();
    if (slices == slices_ && have >= pods_) return true;
    slices_ = slices;
    pods_ = have;
    best_ = domain;
    return true;
  }
  std::optional<DomainId> best() const { return best_; }

 private:
  std::int64_t need_, slices_ = INT64_MAX, pods_ = INT64_MAX;
  std::optional<DomainId> best_;
};

/// The slices of a level, as its search reads them: rows of inner domains, or pods of leaves. For
/// requests without leader and scores.
class PlainLevel {
 public:
  PlainLevel(const SearchProblem& problem, int level)
      : table_(*problem.table),
        range_(problem.tree->level(level)),
        leaves_(level == problem.tree->leaf_level()) {}

  /// If a slice has several pods, leaves have no row of slices.
  bool has_row() const { return !leaves_ || table_.leaf_slice() == 1; }
  DomainId domain(std::uint32_t position) const { return DomainId{first() + position}; }
  std::int64_t slices(std::uint32_t position) const {
    if (!leaves_) return table_.inner().rows.get(table_.inner().slices, position);
    return std::max(0, table_.leaves().rows.get(LeafRows::kCode, position));
  }
  std::int64_t pods(std::uint32_t position) const {
    return leaves_ ? slices(position) : table_.inner().rows.get(0, position);
  }
  /// If a slice is one pod, the first of equal domains is as good as any.
  Buckets::Equals equals() const {
    const bool same = leaves_ || table_.inner().slices == 0;
    return same ? Buckets::Equals::kFirst : Buckets::Equals::kAll;
  }
  /// Positions in the row: the DomainId of an inner domain, the LeafId of a leaf.
  std::uint32_t begin() const { return range_.begin - first(); }
  std::uint32_t end() const { return range_.end - first(); }

  /// Calls `search(buckets, numbers_from)`. False, without a call, if the level is too short to
  /// need buckets or the plain search keeps none. A leaf's code below 0 is of class 0, as 0 is.
  template <class Search>
  bool with_buckets(Search search) const {
    Buckets* const buckets = this->buckets();
    if (buckets == nullptr) return false;
    const std::uint32_t row = leaves_ ? LeafRows::kCode : table_.inner().slices;
    if (leaves_) {
      search(*buckets, [&](std::uint32_t at) { return table_.leaves().rows.peek(row, at); });
    } else {
      search(*buckets, [&](std::uint32_t at) { return table_.inner().rows.peek(row, at); });
    }
    return true;
  }

 private:
  std::uint32_t first() const { return leaves_ ? range_.begin : 0; }

  Buckets* buckets() const {
    if (range_.size() < 2 * Buckets::kWidth) return nullptr;
    if (!leaves_) return table_.inner().buckets.empty() ? nullptr : &table_.inner().buckets;
    const LeafRows& leaves = table_.leaves();
    if (!leaves.keeps_buckets) return nullptr;
    if (leaves.buckets.empty()) {
      leaves.buckets.reset(range_.size(), 0);
      for (std::uint32_t at = 0; at < range_.size(); ++at) leaves.buckets.note(at, slices(at));
    }
    return &leaves.buckets;
  }

  const CountTable& table_;
  DomainRange range_;
  bool leaves_;
};

/// A request without leader and scores whose algorithm wants the tightest domain; K > 0.
std::optional<DomainId> tightest(const SearchProblem& problem, int level) {
  const PlainLevel row(problem, level);
  Tightest scan(problem.slices());
  const auto look_at = [&](std::uint32_t at) {
    return scan.look_at(row.domain(at), row.slices(at), [&] { return row.pods(at); });
  };
  if (!row.has_row()) {
    for (std::uint32_t at = row.begin(); at < row.end(); ++at) {
      const Counts counts = problem.table->at(row.domain(at));
      scan.look_at(row.domain(at), counts.slices, [&] { return counts.pods; });
    }
    return scan.best();
  }
  const int from = Buckets::class_of(problem.slices());
  const bool searched = row.with_buckets([&](Buckets& buckets, auto numbers_from) {
    buckets.rising(row.begin(), row.end(), from, row.equals(), numbers_from, look_at);
  });
  for (std::uint32_t at = row.begin(); !searched && at < row.end(); ++at) look_at(at);
  return scan.best();
}

/// The most slices that one domain of a plain level has.
std::int64_t most_slices(const SearchProblem& problem, int level) {
  const PlainLevel row(problem, level);
  std::int64_t most = 0;
  const auto look_at = [&](std::uint32_t at) {
    most = std::max(most, row.slices(at));
    return true;
  };
  const bool searched = row.with_buckets([&](Buckets& buckets, auto numbers_from) {
    buckets.falling(row.begin(), row.end(), Buckets::Equals::kFirst, numbers_from, look_at);
  });
  for (std::uint32_t at = row.begin(); !searched && at < row.end(); ++at) look_at(at);
  return most;
}

bool plain(const SearchProblem& problem) {
  return problem.leaders == 0 && !problem.ordering.affinity &&
         problem.ordering.algorithm != Algorithm::kMostFreeCapacity && problem.slices() > 0;
}

bool takes_all(const SearchProblem& problem, const Counts& counts) {
  return counts.slices_with_leader >= problem.slices() && counts.leaders >= problem.leaders;
}

/// True if `a` is chosen before `b`, when both take the whole load: the higher score first, then
/// the tighter one, or the roomier one for MostFreeCapacity.
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
/// LeastFreeCapacity, look below the highest score among domains that can hold the leader
/// (4.4, 4.8).
std::optional<std::int64_t> wanted_score(const SearchProblem& problem, int level) {
  if (!problem.ordering.affinity || problem.request->required ||
      problem.ordering.algorithm == Algorithm::kLeastFreeCapacity) {
    return std::nullopt;
  }
  problem.steps->spend(steps_of_pass(problem.tree->existing(level)));
  const DomainRange range = problem.tree->level(level);
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
  if (!problem.steps->spend(steps_of_pass(problem.tree->existing(level)))) return std::nullopt;
  if (plain(problem)) return tightest(problem, level);
  const DomainRange range = problem.tree->level(level);
  const std::optional<std::int64_t> score = wanted_score(problem, level);
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
  if (!problem.steps->spend(steps_of_pass(problem.tree->existing(level)))) return out;
  if (plain(problem) && PlainLevel(problem, level).has_row()) {
    out.fits = most_slices(problem, level);
    return out;
  }
  // `fits` is what the first domain in the order for leaders holds. LeastFreeCapacity begins with
  // the fullest domain, so there it is the most that any domain holds.
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
