// SPDX-License-Identifier: Apache-2.0
// Tournament: the smallest of n numbers, each of which may change. A change costs O(log n).
//
// A value, used by one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::solver {

class Tournament {
 public:
  static constexpr std::int64_t kAbsent = INT64_MAX;

  explicit Tournament(std::size_t size = 0) : size_(size), nodes_(2 * size, kAbsent) {}

  /// kAbsent if there are no numbers.
  std::int64_t smallest() const { return size_ == 0 ? kAbsent : nodes_[1]; }

  void set(std::size_t i, std::int64_t value) {
    std::size_t at = i + size_;
    nodes_[at] = value;
    // The winner of nodes 2i and 2i + 1 is at i. The climb ends where the winner does not change.
    for (at /= 2; at > 0; at /= 2) {
      const std::int64_t winner = std::min(nodes_[2 * at], nodes_[2 * at + 1]);
      if (nodes_[at] == winner) return;
      nodes_[at] = winner;
    }
  }

 private:
  std::size_t size_;
  std::vector<std::int64_t> nodes_;  // leaves from size_; 1 is the winner of all
};

}  // namespace tessera::solver
