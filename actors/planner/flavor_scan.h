// SPDX-License-Identifier: Apache-2.0
// Flavor scan: which flavors a workload takes in Kueue's rounds (queues.md 6, 7): fit, or held for
// quota that others use, or not at all; how far each search got; and what Kueue says of it.
//
// A pure function of its arguments, called by the Nominator. Preemption is not simulated: what
// could be freed has no candidates. Does not know capacity: placement comes after.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "actors/planner/flavors.h"
#include "actors/queues/scan_record.h"

namespace tessera::core {

/// How well a flavor serves, worst first (queues.md 6); with a level the order of 7.3, in which
/// nothing else matters while nobody is preempted.
enum class FlavorFit : std::uint8_t { kNone, kNoCandidates, kFits };

/// What the scan found for one pod set.
struct PodSetScan {
  std::vector<FlavorRejection> reasons;  // why flavors were not taken; none: the pod set fits
  bool has_flavors = false;
  bool error = false;                  // its flavors contradict its topology request (M7)
  FlavorFit worst = FlavorFit::kFits;  // of the flavors that it takes
  /// Flavors that were tried and do not serve, by resource group.
  std::map<const PlanGroup*, std::map<FlavorId, Severity>> unfit;
  bool tried = false;  // any flavor at all

  bool fits() const { return reasons.empty(); }
  bool refused() const {
    return !reasons.empty() && (error || !has_flavors || worst == FlavorFit::kNone);
  }
};

struct FlavorScan {
  FlavorChoice choice;
  std::vector<PodSetScan>
      pod_sets;  // in spec order; those after a unit that found nothing are empty
  ScanRecord record;
};

/// `from`: where to start. `pinned`: only these flavors (recomputation within a round, queues.md 2
/// step 4.1); null: all.
FlavorScan scan_flavors(const FlavorProblem& problem, const ScanRecord& from,
                        const FlavorChoice* pinned);

}  // namespace tessera::core
