// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/pod_counts.h"

#include <algorithm>

namespace tessera::core {
bool is_leader(const solver::Gang& gang, std::size_t i) {
  const solver::PodSet& own = gang.pod_sets[i];
  if (own.unit.empty()) return false;
  for (std::size_t j = 0; j < gang.pod_sets.size(); ++j) {
    const solver::PodSet& other = gang.pod_sets[j];
    if (j == i || other.unit != own.unit) continue;
    if (other.count > own.count || (other.count == own.count && j < i)) return true;
  }
  return false;
}

std::int64_t slice_size_of(const solver::Gang& gang, std::size_t i) {
  const std::vector<solver::SliceLayer>& layers = gang.pod_sets[i].topology.layers;
  if (layers.empty() || layers.front().size <= 1 || is_leader(gang, i)) return 1;
  return layers.front().size;
}

PodCounts::PodCounts(const Workload& workload, bool partial, topology::SliceRemainder remainder) {
  const std::vector<solver::PodSet>& pod_sets = workload.gang.pod_sets;
  most_.reserve(pod_sets.size());
  spare_.assign(pod_sets.size(), 0);
  unit_.assign(pod_sets.size(), 1);
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    const solver::PodSet& pod_set = pod_sets[i];
    std::int64_t least = pod_set.count;
    if (partial && pod_set.min_count) {
      least =
          std::clamp<std::int64_t>(*pod_set.min_count, 0, std::max<std::int64_t>(0, pod_set.count));
    }
    const std::int64_t unit = slice_size_of(workload.gang, i);
    // Kueue cuts a count into whole slices as it places it: every count is tried.
    const bool whole = least < pod_set.count || remainder == topology::SliceRemainder::kReject;
    std::int64_t most = pod_set.count;
    if (whole && unit > 1) {
      most -= most % unit;
      least += (unit - least % unit) % unit;
      unit_[i] = unit;
    }
    if (most < least) {
      if (!broken_ && remainder == topology::SliceRemainder::kReject) broken_ = i;
      most = least = pod_set.count;
    }
    most_.push_back(most);
    spare_[i] = (most - least) / unit_[i];
    steps_ = topology::saturating_add(steps_, spare_[i]);
  }
}

std::vector<std::int64_t> PodCounts::candidate(std::int64_t k) const {
  // d_i: how many units pod set i can do without. D: their sum. Candidate k leaves out
  // floor(d_i * k / D) units of pod set i.
  std::vector<std::int64_t> counts = most_;
  for (std::size_t i = 0; i < counts.size() && steps_ > 0; ++i) {
    __extension__ using Wide = __int128;  // d_i * k passes 63 bits
    counts[i] -= unit_[i] * static_cast<std::int64_t>(static_cast<Wide>(spare_[i]) * k / steps_);
  }
  return counts;
}

std::optional<std::int64_t> PodCounts::search(
    const std::function<bool(std::span<const std::int64_t>)>& fits) const {
  if (steps_ <= 0) return std::nullopt;
  std::int64_t low = 0, high = steps_ + 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (fits(candidate(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low <= steps_ ? std::optional(low) : std::nullopt;
}

}  // namespace tessera::core
