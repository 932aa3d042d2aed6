// SPDX-License-Identifier: Apache-2.0
#include "actors/shortage/leaf_room.h"

#include <algorithm>

#include "actors/shortage/joint_room.h"
#include "solver/counting/counts.h"

namespace tessera::core {

LeafRoom count_leaf_room(const solver::FlavorView& view, const Books& books,
                         const solver::PodSet& pod_set) {
  solver::CountRequest request;
  request.view = &view;
  request.worker = solver::pod_amounts(pod_set.request);
  request.worker_filter = view.filter_class(pod_set.filter);
  LeafRoom leaves{{}, request.worker_filter->verdict};
  leaves.pods.reserve(view.cells().size());
  const auto resolved = solver::resolve(pod_set.topology, view.tree().topology());
  const auto* levels = std::get_if<solver::ResolvedRequest>(&resolved);
  if (levels != nullptr && books.live_index().enabled()) {
    solver::Index snapshot = books.live_index();
    const auto found = snapshot.counts(request, *levels, books.capacity(), topology::Basis::kFree);
    const auto add = [&](std::span<const std::int32_t> codes) {
      for (const std::int32_t code : codes) leaves.pods.push_back(std::max(code, 0));
    };
    found.counts->leaves().rows.for_each_part(solver::LeafRows::kCode, 0, view.tree().leaf_count(),
                                              add);
    return leaves;
  }
  for (std::size_t i = 0; i < view.cells().size(); ++i) {
    leaves.pods.push_back(leaves.verdict[i] != 0
                              ? 0
                              : solver::pods_that_fit(books.capacity(), topology::Basis::kFree,
                                                      view.cells()[i], request.worker));
  }
  return leaves;
}

std::int64_t room_together(const solver::FlavorView& view, const Books& books,
                           const solver::PodSet& pod_set) {
  solver::CountRequest request;
  request.view = &view;
  request.worker = solver::pod_amounts(pod_set.request);
  request.worker_filter = view.filter_class(pod_set.filter);
  const auto resolved = solver::resolve({}, view.tree().topology());
  if (const auto* levels = std::get_if<solver::ResolvedRequest>(&resolved)) {
    JointRoom joint(request, *levels, books.capacity());
    if (joint.binds()) return joint.all().pods;
  }
  std::int64_t sum = 0;
  for (const std::int64_t pods : count_leaf_room(view, books, pod_set).pods) {
    sum = topology::saturating_add(sum, pods);
  }
  return sum;
}

}  // namespace tessera::core
