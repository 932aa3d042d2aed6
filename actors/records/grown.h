// SPDX-License-Identifier: Apache-2.0
// What a gang holds after a growth, and what it held before (docs/engine.md, "Growing").
//
// Used by everybody who keeps admissions: planner, GangTable, catalogue. Pure. Pods that are added
// come behind those that are there, so that no pod gets another rank. A domain may therefore stand
// in the list twice. The pods of one pod set share their flavors, and at least their last level:
// levels above those that all share are left out.
#pragma once

#include "actors/records/assignment.h"

namespace tessera::core {

Admission merged(const Admission& held, const Admission& added);
/// Undoes the last growth: what is left of `held` without `added`.
Admission unmerged(const Admission& held, const Admission& added);

}  // namespace tessera::core
