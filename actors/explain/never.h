// SPDX-License-Identifier: Apache-2.0
// Judge: finds the dominant reason of a refusal, and tells Never from Waits.
//
// Called once for each refused workload, after the last pass. Invalid: the request itself is at
// fault (planner/request_fault.h), whatever is free. Never: the empty cluster refuses the workload
// too, with its nodes as they are and with every node healthy, with quota judged against the
// maximum, in every order of its pod sets (any_order.h). Everything else is Waits, also what only a
// policy that this version does not evaluate could lift. Evaluates on other worlds than the current
// one; changes only the decision.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "actors/books/worlds.h"
#include "actors/planner/planner.h"

namespace tessera::core {

class Judge {
 public:
  /// All outlive the judge.
  Judge(const Planner& planner, std::span<const Flavor> flavors, Worlds& worlds, bool ignore_quota);

  /// Fills outcome, reason, evidence and never_rejections of `decision` from the attempt that
  /// refused it.
  void judge(const Workload& workload, const PlanQueue& queue, Attempt attempt, Decision& decision);

 private:
  /// The answer that workloads of one shape get in the best case: every node healthy, nothing
  /// running, the quota of the whole cohort idle.
  struct BestCase {
    std::optional<FlavorRejection> fault;  // Invalid: the rest is not asked
    Attempt attempt;
    bool fits = false;                   // some order of pod sets may be placed
    bool orders_only = false;            // none is, but not every way was looked at
    std::optional<bool> fits_empty;      // the same with the nodes as they are
    std::optional<Reason> never_reason;  // why the attempt was refused
  };
  void wait_for_fewer(const Workload& workload, const PlanQueue& queue, Attempt& attempt,
                      Decision& decision) const;
  void say_invalid(Attempt attempt, const std::optional<FlavorRejection>& fault,
                   Decision& decision) const;
  BestCase& best_case(const Workload& workload, const PlanQueue& queue);
  bool fits_empty(const Workload& workload, const PlanQueue& queue, BestCase& best);
  QuotaRule now() const { return ignore_quota_ ? QuotaRule::kIgnore : QuotaRule::kAvailable; }
  QuotaRule ever() const { return ignore_quota_ ? QuotaRule::kIgnore : QuotaRule::kMaximum; }
  Reason dominant_reason(const Workload& workload, const PlanQueue& queue, const Attempt& attempt,
                         Books& books, QuotaRule rule) const;
  Reason placement_reason(const Workload& workload, const PlanQueue& queue,
                          const solver::Refusal& refusal, Books& books, QuotaRule rule) const;
  Reason tree_reason(const Workload& workload, const PlanQueue& queue,
                     const solver::Refusal& refusal, Books& books, QuotaRule rule) const;
  bool cohort_could_help(const PlanQueue& queue, const Decision& decision) const;
  bool fragmented(const Workload& workload, const Attempt& attempt) const;

  const Planner* planner_;
  std::span<const Flavor> flavors_;
  Worlds* worlds_;
  bool ignore_quota_;
  static constexpr std::size_t kMostBestCases = 4'096;  // a user may ask for new shapes for ever
  std::map<std::string, BestCase> best_cases_;          // by shape
};

}  // namespace tessera::core
