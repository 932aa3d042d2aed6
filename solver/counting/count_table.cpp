// SPDX-License-Identifier: Apache-2.0
#include "solver/counting/count_table.h"

namespace tessera::solver {

Counts CountTable::at(topology::DomainId domain) const {
  Counts out;
  const std::uint32_t i = index(domain);
  if (scores_ != nullptr) out.score = scores_->score[i];
  if (i < first_leaf_) {
    const auto& rows = inner_->rows;
    out.pods = rows.get(0, i);
    out.slices = rows.get(inner_->slices, i);
    out.pods_with_leader = rows.get(inner_->pods_with_leader, i);
    out.slices_with_leader = rows.get(inner_->slices_with_leader, i);
    if (with_leader()) out.leaders = rows.get(inner_->leaders, i);
    return out;
  }
  const std::uint32_t leaf = i - first_leaf_;
  out.pods = std::max(0, leaves_->rows.get(LeafRows::kCode, leaf));
  out.pods_with_leader = out.pods;
  if (with_leader()) {
    out.pods_with_leader = leaves_->rows.get(LeafRows::kPodsWithLeader, leaf);
    out.leaders = leaves_->rows.get(LeafRows::kLeaders, leaf);
  }
  if (leaf_slice_ == 1) {
    out.slices = out.pods;
    out.slices_with_leader = out.pods_with_leader;
  } else if (leaf_slice_ > 0) {
    out.slices = out.pods / leaf_slice_;
    out.slices_with_leader = out.pods_with_leader / leaf_slice_;
  }
  return out;
}

void Sum::add(const Counts& child) {
  std::int64_t pods = child.pods, with_leader = child.pods_with_leader;
  if (unit_ != 1) {
    pods = pods / unit_ * unit_;
    with_leader = with_leader / unit_ * unit_;
  }
  sum_.pods += pods;
  sum_.slices += child.slices;
  sum_.leaders = std::max(sum_.leaders, child.leaders);
  sum_.score += child.score;
  if (with_leader_ && child.leaders == 0) return;
  const std::int64_t pods_lost = pods - with_leader;
  const std::int64_t slices_lost = child.slices - child.slices_with_leader;
  least_pods_lost_ = has_contributor_ ? std::min(least_pods_lost_, pods_lost) : pods_lost;
  least_slices_lost_ = has_contributor_ ? std::min(least_slices_lost_, slices_lost) : slices_lost;
  has_contributor_ = true;
}

Counts Sum::total(std::int64_t slice_size) const {
  Counts out = sum_;
  out.pods_with_leader = has_contributor_ ? out.pods - least_pods_lost_ : 0;
  out.slices_with_leader = has_contributor_ ? out.slices - least_slices_lost_ : 0;
  if (slice_size > 0) {
    out.slices = out.pods / slice_size;
    out.slices_with_leader = out.pods_with_leader / slice_size;
  }
  return out;
}

}  // namespace tessera::solver
