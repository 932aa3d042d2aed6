// SPDX-License-Identifier: Apache-2.0
// Units: what of a gang is placed in one search, and in which order.
//
// Made by place_gang() for one gang. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/choice/options.h"
#include "solver/gang/gang.h"
#include "solver/search/target.h"

namespace tessera::solver {

/// A pod set, or the workers of a group with their leader.
struct SearchUnit {
  std::size_t workers = 0;
  std::optional<std::size_t> leader;
  std::size_t first =
      0;  // first member in spec order: decides the unit's turn, and is named in refusals
  bool well_formed = true;  // false: a group that is not one leader and its workers
};

/// The units to place: pod sets, and groups of pod sets (placement.md 4.9). Flavor by flavor, in
/// byte order of the flavors' names (2.4), or in spec order (SearchOptions::by_flavor). With
/// LeaderFilters::kWorkers (Kueue) the members of a group on two flavors are units of their own.
std::vector<SearchUnit> units_of(const Gang& gang, std::span<const std::int64_t> counts,
                                 std::span<const PodSetTarget> targets,
                                 const SearchOptions& options);

}  // namespace tessera::solver
