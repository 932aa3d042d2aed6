// SPDX-License-Identifier: Apache-2.0
#include "solver/search/booking.h"

namespace tessera::solver {

Booking book(const Gang& gang, const Placement& placement, std::span<const PodSetTarget> targets,
             topology::Capacity& capacity) {
  Booking booking;
  booking.requests.reserve(gang.pod_sets.size());
  std::size_t parts = 0;
  for (const PodSetPlacement& leaves : placement.pod_sets) parts += leaves.size();
  booking.parts.reserve(parts);
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    booking.requests.push_back(capacity.rows_of(pod_amounts(gang.pod_sets[i].request)));
    for (const LeafPods& leaf : placement.pod_sets[i]) {
      const topology::CellId cell = targets[i].view->cells()[index(leaf.leaf)];
      capacity.book(cell, booking.requests.back(), leaf.pods);
      booking.parts.push_back({cell, static_cast<std::uint32_t>(i), leaf.pods});
    }
  }
  return booking;
}

void release(const Booking& booking, topology::Capacity& capacity) {
  for (auto part = booking.parts.rbegin(); part != booking.parts.rend(); ++part) {
    capacity.release(part->cell, booking.requests[part->request], part->pods);
  }
}

}  // namespace tessera::solver
