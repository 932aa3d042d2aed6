// SPDX-License-Identifier: Apache-2.0
// PrivateRoom: what is free on the hosts as one search sees it. Its takes change nobody else's
// numbers.
//
// Made for one search, on its thread; the capacity outlives it and does not change meanwhile. Hosts
// are read from the capacity when the search first asks for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/trees/tree_problem.h"

namespace tessera::solver {

class PrivateRoom {
 public:
  explicit PrivateRoom(const TreeProblem& problem)
      : problem_(&problem), rows_(problem.rows.size()), slots_(problem.cells.size() / kChunk + 1) {}

  std::size_t rows() const { return rows_; }
  /// What is free on a host, by row. Valid until the next call.
  std::span<const std::int64_t> free(std::uint32_t host) { return {load(host), rows_}; }
  /// Pods that fit on the host.
  std::int64_t fits(std::uint32_t host, const Need& need) {
    return pods_that_fit({load(host), rows_}, need);
  }
  void take(std::uint32_t host, const Need& need, std::int64_t pods) {
    std::int64_t* free = load(host);
    for (const Need::Part& part : need.parts) free[part.row] -= part.value * pods;
  }

  static std::int64_t pods_that_fit(std::span<const std::int64_t> free, const Need& need) {
    if (need.unknown) return 0;
    std::int64_t most = INT32_MAX;
    for (const Need::Part& part : need.parts) {
      if (free[part.row] < part.value) return 0;
      most = std::min(most, free[part.row] / part.value);
    }
    return most;
  }

 private:
  /// Hosts whose places are kept together. A search usually reads few of many hosts.
  static constexpr std::uint32_t kChunk = 256;

  std::int64_t* load(std::uint32_t host) {
    std::unique_ptr<std::uint32_t[]>& chunk = slots_[host / kChunk];
    if (!chunk) chunk = std::make_unique<std::uint32_t[]>(kChunk);
    std::uint32_t& slot = chunk[host % kChunk];
    if (slot == 0) slot = fetch(host);
    return amounts_.data() + std::size_t{slot - 1} * rows_;
  }
  std::uint32_t fetch(std::uint32_t host) {
    for (const std::uint32_t row : problem_->rows) {
      amounts_.push_back(
          problem_->capacity->rows(problem_->basis).get(row, index(problem_->cells[host])));
    }
    return ++loaded_;
  }

  const TreeProblem* problem_;
  std::size_t rows_;
  std::vector<std::unique_ptr<std::uint32_t[]>> slots_;  // by host: 0 not read, else its number + 1
  std::vector<std::int64_t> amounts_;                    // host by host
  std::uint32_t loaded_ = 0;
};

}  // namespace tessera::solver
