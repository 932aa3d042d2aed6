// SPDX-License-Identifier: Apache-2.0
// Booking: what a placed gang takes of the capacity, kept so that it can be given back. It is the
// undo record of a decision, and what a later release needs.
//
// Made from a Placement by book(). Holds cells, not leaves: a cell stays the same while its node
// moves or goes, so a booking is valid longer than the leaf numbers of its placement. Values; used
// by the owner of the capacity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/search/place.h"

namespace tessera::solver {

struct Booking {
  struct Part {
    topology::CellId cell;
    std::uint32_t request;  // index into requests
    std::int64_t pods;
  };
  std::vector<topology::RowAmounts> requests;  // of one pod, by pod set
  std::vector<Part> parts;
};

/// Books a placement of `gang` that was decided on this capacity.
Booking book(const Gang& gang, const Placement& placement, std::span<const PodSetTarget> targets,
             topology::Capacity& capacity);

/// Gives everything back, the last part first, so that an undo restores every amount exactly.
void release(const Booking& booking, topology::Capacity& capacity);

}  // namespace tessera::solver
