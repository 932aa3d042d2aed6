// SPDX-License-Identifier: Apache-2.0
// SearchOptions: the choices of a profile that decide where a gang goes, and how long the search
// may look.
//
// Filled by the planner from the profile (config/), read by place_gang() and by every part of the
// search. Values; they say what is chosen, not how: the orders are in deal.h, balance in
// balanced.h.
#pragma once

#include <atomic>
#include <cstdint>

#include "topology/placement_choices.h"

namespace tessera::solver {

using topology::Algorithm;
using topology::BalancedPlacement;
using topology::DomainChoice;
using topology::LeaderFilters;
using topology::SliceRemainder;

/// Choices of a profile that the search knows (ux.md section 4).
struct SearchOptions {
  Algorithm required = Algorithm::kBestFit;
  Algorithm preferred = Algorithm::kBestFit;
  Algorithm unconstrained = Algorithm::kLeastFreeCapacity;
  BalancedPlacement balanced = BalancedPlacement::kOff;
  bool preferred_affinity = true;
  LeaderFilters leader_filters = LeaderFilters::kOwn;
  SliceRemainder slice_remainder = SliceRemainder::kReject;
  /// Pod sets are placed flavor by flavor, in byte order of the flavors' names (placement.md 2.4);
  /// false: in spec order whatever their flavors.
  bool by_flavor = true;
  /// Of one place_gang(), all pod sets together (solver/choice/steps.h).
  std::int64_t max_steps = INT64_MAX;
  /// When it is true the search ends as if it had no steps left; null: never.
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace tessera::solver
