// SPDX-License-Identifier: Apache-2.0
// FlavorWalk: the one search for flavors: over the units of a workload, the resource groups of each
// unit and the flavors of each group (queues.md 7.1-7.3).
//
// Both orders of planning use it: choose_flavors() (flavors.h) and scan_flavors() (flavor_scan.h).
// They differ in what a request amounts to that quota does not hold now: that is a ShortagePolicy.
// Preemption is one more of them. What earlier units of the workload take counts against later
// ones. Changes nothing that it is given; does not know capacity. One evaluation, one walk.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "actors/flavors/flavor_problem.h"
#include "actors/flavors/quota_check.h"
#include "actors/queues/scan_record.h"

namespace tessera::core {

/// How well a flavor serves, worst first (queues.md 6).
enum class FlavorFit : std::uint8_t { kNone, kNoCandidates, kFits };

/// One resource, or the least preferred of several, in one flavor.
struct FlavorRank {
  FlavorFit fit = FlavorFit::kFits;
  int level = 0;  // of borrowing

  /// The order of queues.md 7.3, in which nothing else matters while nobody is preempted.
  bool worse_than(const FlavorRank& other) const {
    return fit != other.fit ? fit < other.fit : level > other.level;
  }
};

/// What a request amounts to that is above what is available now, but not above the maximum.
class ShortagePolicy {
 public:
  virtual FlavorRank rank(const FlavorProblem& problem, const QuotaCheck& check) const = 0;

 protected:
  ~ShortagePolicy() = default;
};

/// (first member of a unit, flavor): passed over without a word.
using PassedOver = std::set<std::pair<std::size_t, FlavorId>>;

/// Which flavors are tried at all. What is null bounds nothing; the rest outlives the walk.
struct WalkBounds {
  const PassedOver* passed_over = nullptr;
  const ScanRecord* from = nullptr;  // where each search starts
  /// Each resource only on the flavor that it has here; others are rejected (recomputation within a
  /// round, queues.md 2 step 4.1).
  const FlavorChoice* pinned = nullptr;
};

/// Flavors that were tried in a group and do not serve.
using UnfitFlavors = FlatMap<std::pair<const PlanGroup*, FlavorId>, Severity>;

/// What one unit found.
struct UnitFinding {
  struct Taken {
    FlavorId flavor{};
    FlavorRank rank;
    int stopped = -1;  // index of the flavor at which the search ended; -1: it was the last
  };

  std::vector<std::size_t> pod_sets;               // its members
  bool complete = true;                            // false: it found no flavor for some resource
  FlatMap<Symbol, Taken, topology::ByText> taken;  // by resource; none unless complete
  /// Why flavors were not taken, for groups whose flavor does not fit; if the unit is not complete,
  /// for the group that found nothing alone. All of the first member.
  std::vector<FlavorRejection> reasons;
  std::optional<Symbol> uncovered;  // no group covers it
  UnfitFlavors unfit;
  bool tried = false;  // any flavor at all
};

class FlavorWalk {
 public:
  /// All outlive the walk.
  FlavorWalk(const FlavorProblem& problem, const WalkBounds& bounds, const ShortagePolicy& policy);

  /// Searches flavors for the next unit and hands them to its pod sets. Null: no unit is left, or
  /// the last one found nothing. The finding stays until the next call.
  UnitFinding* next();

  /// What the units have so far. Topology flavors are not filled.
  FlavorChoice& choice() { return choice_; }

 private:
  bool begin_unit();
  bool search_resources(const Amounts& request);
  bool search_group(const PlanGroup& group, Symbol resource, const Amounts& request);
  bool tries_next(const FlavorRank& rank) const;
  bool passed_over(FlavorId flavor) const;
  std::optional<FlavorRejection> bar(FlavorId flavor, Symbol resource,
                                     const Amounts& request) const;
  bool pinned_elsewhere(FlavorId flavor, Symbol resource) const;
  FlavorRank rank_flavor(const PlanGroup& group, FlavorId flavor, const Amounts& request,
                         std::vector<FlavorRejection>& reasons);
  FlavorRank rank_resource(FlavorId flavor, const topology::Amount& amount,
                           std::vector<FlavorRejection>& reasons,
                           std::optional<Severity>& severity) const;
  void take_quota(const Amounts& request);
  void hand_out();

  const FlavorProblem* problem_;
  WalkBounds bounds_;
  const ShortagePolicy* policy_;
  std::vector<Amounts> requests_;   // by pod set
  std::size_t next_ = 0;            // no unit before this pod set is left
  UnitFinding found_;               // of the last unit
  std::vector<FlavorRank> ranked_;  // of the last flavor that was tried, by resource of its group
  TakenQuota quota_;
  FlavorChoice choice_;
};

}  // namespace tessera::core
