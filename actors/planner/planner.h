// SPDX-License-Identifier: Apache-2.0
// Planner: one evaluation of one workload against given books: flavors, quota, placement, partial
// admission.
//
// Called by the cycle on the current books, and by never.h and remedies.h on copies of them.
// Changes nothing that it is given. Sequential rule (design.md 3.2): a flavor whose placement fails
// is passed over and the search goes on, until the flavors are exhausted; then the first failing
// placement is what is told first.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "actors/records/attempt.h"
#include "actors/planner/books.h"
#include "actors/planner/flavors.h"
#include "config/profile.h"

namespace tessera::core {

/// Pods of each pod set when all are placed.
std::vector<std::int64_t> full_counts(const Workload& workload);

/// Searches the candidates of queues.md 8 for the one with the most pods that `fits` accepts; the
/// last accepted call is that one. Not called at all if no pod set may have fewer pods.
void search_fewer(const Workload& workload,
                  const std::function<bool(std::span<const std::int64_t>)>& fits);

/// What an evaluation may take in steps (solver/steps.h), all its searches together, and what it
/// took.
struct Allowance {
  std::int64_t most = INT64_MAX;
  const std::atomic<bool>* stop = nullptr;  // SearchOptions::stop
  std::int64_t spent = 0;
  bool over = false;  // it ended without an answer
};

class Planner {
 public:
  /// `flavors` outlive the planner.
  Planner(std::span<const Flavor> flavors, const config::Profile& profile);

  /// `queue`: the one the workload stands in.
  Attempt evaluate(const Workload& workload, const PlanQueue& queue, Books& books,
                   QuotaRule rule) const {
    Allowance unlimited;
    return evaluate(workload, queue, books, rule, unlimited);
  }
  /// The attempt is of no use if the allowance is over.
  Attempt evaluate(const Workload& workload, const PlanQueue& queue, Books& books, QuotaRule rule,
                   Allowance& allowance) const;

  /// Places all pod sets on the topology flavors of `choice`.
  solver::Answer place(const Workload& workload, std::span<const std::int64_t> counts,
                       const FlavorChoice& choice, Books& books, topology::Basis basis) const {
    Allowance unlimited;
    return place(workload, counts, choice, books, basis, unlimited);
  }
  std::vector<PodSetDecision> decide(std::span<const std::int64_t> counts,
                                     const FlavorChoice& choice, solver::Placement placement,
                                     const Cluster& cluster) const;

 private:
  solver::Answer place(const Workload& workload, std::span<const std::int64_t> counts,
                       const FlavorChoice& choice, Books& books, topology::Basis basis,
                       Allowance& allowance) const;
  Attempt evaluate_counts(const Workload& workload, std::span<const std::int64_t> counts,
                          const PlanQueue& queue, Books& books, QuotaRule rule,
                          Allowance& allowance) const;
  std::optional<Attempt> evaluate_partially(const Workload& workload, const PlanQueue& queue,
                                            Books& books, QuotaRule rule,
                                            Allowance& allowance) const;

  std::span<const Flavor> flavors_;
  solver::SearchOptions options_;
  bool partial_admission_;
};

}  // namespace tessera::core
