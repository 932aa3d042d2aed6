// SPDX-License-Identifier: Apache-2.0
// FlavorWalk: the one search for flavors: over the units of a workload, the resource groups of each
// unit and the flavors of each group (queues.md 7.1-7.3).
//
// Both orders of planning use it: choose_flavors() (flavors.h) and scan_flavors() (flavor_scan.h).
// They differ in one thing: how they rank a flavor whose quota is in use now. A ShortagePolicy says
// how; preemption will be another such policy. What earlier units of the workload take counts
// against later units. Changes nothing that it is given; does not know capacity. Each evaluation
// makes a walk of its own.
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
  int level = 0;  // Ledger::borrowing_level()

  /// The order of queues.md 7.3. The other criteria there matter only with preemption.
  bool worse_than(const FlavorRank& other) const {
    return fit != other.fit ? fit < other.fit : level > other.level;
  }
};

/// Ranks a flavor for a request that is above what is available now, but not above the maximum.
class ShortagePolicy {
 public:
  virtual FlavorRank rank(const FlavorProblem& problem, const QuotaCheck& check) const = 0;

 protected:
  ~ShortagePolicy() = default;
};

/// (first member of a unit, flavor): pairs that a walk leaves out without a rejection.
using PassedOver = std::set<std::pair<std::size_t, FlavorId>>;

/// Which flavors a walk tries. A null pointer sets no bound. What the others point to outlives the
/// walk.
struct WalkBounds {
  const PassedOver* passed_over = nullptr;
  const ScanRecord* from = nullptr;  // where each search starts
  /// Each resource may take only the flavor that it has here; other flavors are rejected
  /// (recomputation within a round, queues.md 2 step 4.1).
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
  /// Why flavors were not taken. If the unit is complete: for each group whose best flavor does not
  /// fit. If not: for the group that found no flavor. Quota rejections name the first member.
  std::vector<FlavorRejection> reasons;
  std::optional<Symbol> uncovered;  // no group covers it
  UnfitFlavors unfit;
  bool tried = false;  // at least one flavor was tried
};

class FlavorWalk {
 public:
  /// The problem and the policy outlive the walk.
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
