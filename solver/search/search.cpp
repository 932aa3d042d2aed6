// SPDX-License-Identifier: Apache-2.0
#include "solver/search/search.h"

#include <algorithm>
#include <span>

#include "solver/search/balanced.h"
#include "solver/search/descent.h"
#include "solver/search/level_scan.h"

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::DomainRange;

/// The level of the first domains, and what each domain gets.
struct Start {
  int level = 0;
  std::vector<Share> shares;
};
using Found = std::variant<Start, Shortfall>;

/// Deals slices to domains of one level, one domain after the other (last part of 4.4).
class Spread {
 public:
  Spread(const SearchProblem& problem, int level)
      : problem_(problem), ordering_(problem.ordering), left_(problem.slices()), level_(level) {
    // A domain that can take neither a slice nor the leader gets nothing, wherever it stands.
    if (!problem.steps->spend(steps_of_pass(problem.tree->existing(level)))) return;
    const DomainRange domains = problem.tree->level(level);
    for (std::uint32_t d = domains.begin; d < domains.end; ++d) {
      const Counts counts = problem.table->at(DomainId{d});
      if (counts.slices > 0 || counts.leaders > 0) list_.push_back({DomainId{d}, counts});
    }
    rest_ = list_;
  }

  Found run() {
    if (problem_.leaders > 0 && !take_leading()) {
      std::int64_t fits = 0;
      for (const Candidate& c : list_) fits += c.counts.slices;
      return Shortfall{level_, false, 0, fits >= problem_.slices()};
    }
    take_workers();
    if (left_ > 0) return Shortfall{level_, false, problem_.slices() - left_, false};
    Start start{level_, {}};
    consume(taken_, problem_.load(), ordering_, start.shares);
    return start;
  }

 private:
  /// Takes the domains for leaders first. False: not all leaders found a place.
  bool take_leading() {
    if (!problem_.steps->spend(static_cast<std::int64_t>(rest_.size()))) return false;
    std::int64_t leaders = problem_.leaders;
    sort_with_leader(rest_, ordering_);
    lead_first(rest_, left_, leaders, Unit::kSlices);
    while (leaders > 0 && !rest_.empty() && rest_[0].counts.leaders > 0) {
      std::size_t pick = 0;
      if (ordering_.best_fit() && rest_[0].counts.slices_with_leader >= left_) {
        pick = best_fit(rest_, left_, leaders, Unit::kSlices, ordering_);
      }
      taken_.push_back(rest_[pick]);
      left_ -= rest_[pick].counts.slices_with_leader;
      leaders -= rest_[pick].counts.leaders;
      rest_ = rest_.subspan(1);
    }
    return leaders <= 0;
  }

  /// Usually a few of many domains are taken: a heap saves sorting the others.
  void take_workers() {
    const auto size = static_cast<std::int64_t>(rest_.size());
    if (left_ <= 0 || !problem_.steps->spend(size / kHeapedInAStep + 1)) return;
    std::int64_t slices = 0;
    for (const Candidate& c : rest_) slices += c.counts.slices;
    if (slices < left_) {  // all of them are too few
      left_ -= slices;
      return;
    }
    const auto after = [this](const Candidate& a, const Candidate& b) {
      return before_for_workers(b, a, ordering_);
    };
    std::make_heap(rest_.begin(), rest_.end(), after);
    while (left_ > 0 && !rest_.empty() && problem_.steps->spend(kStepsOfTaking)) {
      const bool last = rest_[0].counts.slices >= left_;
      const Candidate& taken = last && ordering_.best_fit() ? tightest() : rest_[0];
      taken_.push_back(taken);
      left_ -= taken.counts.slices;
      std::pop_heap(rest_.begin(), rest_.end(), after);
      rest_ = rest_.first(rest_.size() - 1);
    }
  }

  /// The domain that best_fit() would pick from the sorted rest. The first of the rest covers what
  /// is left.
  const Candidate& tightest() const {
    const Candidate* best = &rest_[0];
    for (const Candidate& c : rest_) {
      if (c.counts.slices < left_ || c.counts.slices > best->counts.slices) continue;
      if (ordering_.affinity && c.counts.score != rest_[0].counts.score) continue;
      if (c.counts.slices < best->counts.slices || before_for_workers(c, *best, ordering_)) {
        best = &c;
      }
    }
    return *best;
  }

  static constexpr std::int64_t kHeapedInAStep = 4, kStepsOfTaking = 3;

  const SearchProblem& problem_;
  const Ordering& ordering_;
  std::int64_t left_;  // slices
  std::vector<Candidate> list_;
  std::span<Candidate> rest_;  // of the list
  int level_;
  std::vector<Candidate> taken_;
};

/// The level and the domains at which the descent starts: 4.4, climbing for preferred requests.
Found find(const SearchProblem& problem) {
  for (int level = problem.request->level;; --level) {
    if (problem.tree->shown_leaf_count() == 0) return Shortfall{level, true, 0, false};
    if (auto one = single_domain(problem, level)) {
      return Start{level,
                   {{*one, problem.slices() * problem.request->slice_size, problem.leaders}}};
    }
    if (problem.request->required) return required_shortfall(problem, level);
    if (level == 0 || problem.request->unconstrained) {
      return Spread(problem, level).run();
    }
  }
}

}  // namespace

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
  Leaves leaves = descend(problem, start.level, std::move(start.shares), false);
  if (!even) return leaves;
  problem.steps->spend(static_cast<std::int64_t>(even->size() + leaves.size()));
  if (fewer_domains(*problem.tree, problem.request->level, *even, leaves)) return *even;
  return leaves;
}

}  // namespace tessera::solver
