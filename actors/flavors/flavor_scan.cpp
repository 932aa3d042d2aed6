// SPDX-License-Identifier: Apache-2.0
#include "actors/flavors/flavor_scan.h"

#include <algorithm>

namespace tessera::core {
namespace {

/// Kueue would look for victims and find none: the flavor has no candidates (queues.md 6).
class NoVictims final : public ShortagePolicy {
 public:
  FlavorRank rank(const FlavorProblem& problem, const QuotaCheck& check) const override {
    const Ledger& ledger = *problem.ledger;
    const QuotaNode node = *problem.queue->quota;
    const std::int64_t wanted = check.wanted();
    // These are Kueue's policies. KAI reclaims by other rules.
    const bool may_preempt =
        !problem.queue->is_kai && (ledger.nominal(node, *check.column) >= wanted ||
                                   ledger.stays_below_root(node, *check.column, wanted) ||
                                   problem.queue->preempts_while_borrowing);
    return {may_preempt ? FlavorFit::kNoCandidates : FlavorFit::kNone,
            ledger.borrowing_level(node, *check.column, wanted)};
  }
};

/// The members of a unit share its reasons, and each records what it takes.
void note(const UnitFinding& found, const FlavorChoice& choice, FlavorScan& scan) {
  for (const std::size_t i : found.pod_sets) {
    PodSetScan& pod_set = scan.pod_sets[i];
    pod_set.reasons = found.reasons;
    if (found.uncovered) {
      FlavorRejection& rejection = pod_set.reasons.emplace_back();
      rejection.kind = FlavorRejection::Kind::kUncovered;
      rejection.resource = *found.uncovered;
    }
    for (FlavorRejection& rejection : pod_set.reasons) rejection.pod_set = i;
    pod_set.unfit = found.unfit;
    pod_set.tried = found.tried;
    for (const auto& [resource, flavor] : choice.pod_sets[i].by_resource) {
      const UnitFinding::Taken& taken = found.taken.find(resource)->second;
      pod_set.has_flavors = true;
      pod_set.worst = std::min(pod_set.worst, taken.rank.fit);
      scan.record.stopped[{i, resource.id()}] = taken.stopped;
    }
  }
}

}  // namespace

FlavorScan scan_flavors(const FlavorProblem& problem, const ScanRecord& from,
                        const FlavorChoice* pinned) {
  const NoVictims policy;
  FlavorWalk walk(problem, {nullptr, &from, pinned}, policy);
  FlavorScan scan;
  scan.pod_sets.resize(problem.workload->gang.pod_sets.size());
  while (const UnitFinding* found = walk.next()) note(*found, walk.choice(), scan);
  scan.choice = std::move(walk.choice());
  return scan;
}

}  // namespace tessera::core
