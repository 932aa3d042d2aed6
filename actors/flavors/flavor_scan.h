// SPDX-License-Identifier: Apache-2.0
// Flavor scan: which flavors a workload takes in Kueue's rounds (queues.md 6, 7): fit, or held for
// quota that others use, or not at all; how far each search got; and what Kueue says of it.
//
// A pure function of its arguments, called by the Nominator. Preemption is not simulated: what
// could be freed has no candidates. Does not know capacity: placement comes after.
#pragma once

#include <vector>

#include "actors/flavors/flavor_walk.h"

namespace tessera::core {

/// What the scan found for one pod set.
struct PodSetScan {
  std::vector<FlavorRejection> reasons;  // why flavors were not taken; none: the pod set fits
  bool has_flavors = false;
  bool error = false;                  // its flavors contradict its topology request (M7)
  FlavorFit worst = FlavorFit::kFits;  // of the flavors that it takes
  UnfitFlavors unfit;                  // of its unit
  bool tried = false;                  // any flavor at all

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
