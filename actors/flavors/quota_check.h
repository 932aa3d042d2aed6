// SPDX-License-Identifier: Apache-2.0
// Quota check: what one workload asks of one (flavor, resource), against the quota of its queue
// (queues.md 6).
//
// Pure functions of their arguments, called by FlavorWalk. What the earlier pod sets of the
// workload take counts as well. Says how much there is and how much is missing; whether quota can
// be freed is the question of a ShortagePolicy (flavor_walk.h).
#pragma once

#include <cstdint>
#include <optional>

#include "actors/flavors/flavor_problem.h"

namespace tessera::core {

/// A request for one resource of one flavor against quota.
struct QuotaCheck {
  Symbol resource;
  std::optional<QuotaColumn> column;  // nothing: nobody has quota for the pair
  std::int64_t previous = 0;          // of the workload's earlier pod sets
  std::int64_t request = 0, most = 0, left = 0;

  std::int64_t wanted() const { return topology::saturating_add(previous, request); }
  bool over_maximum() const { return wanted() > most; }
  bool fits() const { return !over_maximum() && wanted() <= left; }
};

/// Quota that the earlier pod sets of the workload take in the evaluation.
using TakenQuota = FlatMap<QuotaColumn, std::int64_t>;

/// Only for a queue that has quota.
QuotaCheck check_quota(const FlavorProblem& problem, FlavorId flavor,
                       const topology::Amount& amount, const TakenQuota& taken);

/// The rejection for a check that does not fit. It names `pod_set`.
FlavorRejection quota_rejection(const FlavorProblem& problem, const QuotaCheck& check,
                                std::size_t pod_set, FlavorId flavor);

}  // namespace tessera::core
