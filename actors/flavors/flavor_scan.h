// SPDX-License-Identifier: Apache-2.0
// Flavor scan: which flavors a workload takes in Kueue's rounds (queues.md 6, 7). For each pod set
// it says whether the flavors fit now, fit only if others release quota, or do not fit; why flavors
// were not taken; and where each search stopped.
//
// A pure function of its arguments, called by the Nominator. Preemption is not simulated: quota
// that it could free ranks as kNoCandidates. Does not know capacity: placement comes after.
#pragma once

#include <vector>

#include "actors/flavors/flavor_walk.h"

namespace tessera::core {

/// What the scan found for one pod set.
struct PodSetScan {
  std::vector<FlavorRejection> reasons;  // why flavors were not taken; none: the pod set fits
  bool has_flavors = false;
  bool error = false;                  // its flavors and topology request clash (placement.md M7)
  FlavorFit worst = FlavorFit::kFits;  // of the flavors that it takes
  UnfitFlavors unfit;                  // of its unit
  bool tried = false;                  // at least one flavor was tried

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
