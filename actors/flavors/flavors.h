// SPDX-License-Identifier: Apache-2.0
// Flavor assignment in the sequential order: which flavor each pod set of a workload takes for each
// resource it asks (queues.md 6 and 7, Fit only).
//
// A pure function of its arguments, called by the planner for every evaluation. Preemption is not
// simulated: a request above what is available does not fit. Flavors whose placement failed earlier
// in the same evaluation are passed over (design.md 3.2, Sequential). Does not know capacity:
// placement comes after, in the planner. Kueue's rounds: flavor_scan.h.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "actors/flavors/flavor_walk.h"

namespace tessera::core {

/// The unit that found no flavor.
struct FlavorRefusal {
  std::size_t pod_set = 0;  // its first member
  std::vector<FlavorRejection> rejections;
  std::optional<Symbol> uncovered;  // no group covers it: nothing was tried
};

std::variant<FlavorChoice, FlavorRefusal> choose_flavors(const FlavorProblem& problem,
                                                         const PassedOver& passed_over);

}  // namespace tessera::core
