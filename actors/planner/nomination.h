// SPDX-License-Identifier: Apache-2.0
// Nominator: one evaluation of a head in Kueue's rounds (queues.md 2 step 2, 7, 8): what it would
// take, or what it waits for.
//
// Called by Rounds for every head on the books at the start of the round, and again for an entry
// that lost its domains. Leaves the books as they were.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/flavors/flavor_scan.h"
#include "actors/planner/planner.h"

namespace tessera::core {

/// Kueue's modes of an assignment. This version does not preempt: a head with kPreempt waits until
/// others release.
enum class Mode : std::uint8_t { kNoFit, kPreempt, kFit };

struct Nomination {
  Mode mode = Mode::kNoFit;
  int level = 0;  // Ledger::borrowing_level(), the highest of all
  FlavorChoice choice;
  /// kFit: what it takes; kPreempt: what it would take if no workload held nodes.
  std::vector<PodSetDecision> pod_sets;
  /// What refused it, for messages and verdicts; filled unless kFit.
  Attempt attempt;
  std::optional<Severity> severity;
  ScanRecord record;
};

class Nominator {
 public:
  /// The planner and the flavors outlive the nominator.
  Nominator(const Planner& planner, std::span<const Flavor> flavors, QuotaRule rule);

  Nomination nominate(const Workload& workload, const PlanQueue& queue, Books& books,
                      const ScanRecord& from) const;
  /// Searches again from the first flavor. Each resource may take only the flavor that it was
  /// nominated with.
  Nomination nominate_again(const Workload& workload, const PlanQueue& queue, Books& books,
                            const Nomination& lost) const;

 private:
  struct Start {
    const ScanRecord& from;
    const FlavorChoice* pinned;
  };
  Nomination nominate_tree(const Workload& workload, const PlanQueue& queue, Books& books) const;
  Nomination search_counts(const Workload& workload, const PlanQueue& queue, Books& books,
                           Start start) const;
  Nomination evaluate(const Workload& workload, std::span<const std::int64_t> counts,
                      const PlanQueue& queue, Books& books, Start start) const;

  const Planner* planner_;
  std::span<const Flavor> flavors_;
  QuotaRule rule_;
};

}  // namespace tessera::core
