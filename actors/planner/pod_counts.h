// SPDX-License-Identifier: Apache-2.0
// PodCounts: how many pods of each pod set may be placed: all of them, or under partial admission
// fewer.
//
// Made by the orders of planning for each evaluation, and by the check of a request
// (request_fault.h). Under SliceRemainder::kReject every candidate is whole slices: a count that
// the slices do not divide is none. Says what may be tried, not what fits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "actors/records/workload.h"
#include "config/profile.h"

namespace tessera::core {

/// Of two members of a group the one with fewer pods is the leader; of equals, the second
/// (placement.md 4.9).
bool is_leader(const solver::Gang& gang, std::size_t i);

/// The size of the slices in which pods of pod set `i` are placed; 1: no slices. A leader goes with
/// the slices of its workers and has none of its own.
std::int64_t slice_size_of(const solver::Gang& gang, std::size_t i);

class PodCounts {
 public:
  /// `partial`: pod sets with a minimum count may have fewer pods.
  PodCounts(const Workload& workload, bool partial, topology::SliceRemainder remainder);

  /// The largest candidate.
  const std::vector<std::int64_t>& most() const { return most_; }
  /// A pod set of which no allowed count is whole slices.
  std::optional<std::size_t> broken() const { return broken_; }
  /// How many candidates there are besides the largest one.
  std::int64_t fewer() const { return steps_; }
  /// Candidate `k` of 0..fewer(): 0 is the largest, and no pod set gets more pods from one to the
  /// next (queues.md 8).
  std::vector<std::int64_t> candidate(std::int64_t k) const;

  /// Searches for the most pods that `fits` accepts, by halving. The last call that `fits` accepted
  /// is the answer; returns its number. Never calls `fits` if there is only one candidate.
  std::optional<std::int64_t> search(
      const std::function<bool(std::span<const std::int64_t>)>& fits) const;

 private:
  std::vector<std::int64_t> most_;
  std::vector<std::int64_t> unit_;   // by pod set: pods that are left out together
  std::vector<std::int64_t> spare_;  // by pod set: how many units it can do without
  std::int64_t steps_ = 0;           // sum of the above
  std::optional<std::size_t> broken_;
};

}  // namespace tessera::core
