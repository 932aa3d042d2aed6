// SPDX-License-Identifier: Apache-2.0
// Workers: runs independent parts of one computation on several threads.
//
// Used by the index for cold counts of large trees. Each part writes to its own places, so the
// result is the same for any number of threads. Called by one thread at a time. An exception of a
// part comes out of run().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace tessera::solver {

class Workers {
 public:
  /// `threads`: 0 = as many as there are cores. Another number is used even if it is larger.
  /// `least_leaves`: the number of leaves from which several threads are worth it.
  Workers(int threads, std::uint32_t least_leaves);
  ~Workers();

  bool worth_it(std::uint32_t leaves) const { return leaves >= least_leaves_; }
  /// Calls part(0) .. part(parts - 1), in any order.
  void run(std::uint32_t parts, const std::function<void(std::uint32_t)>& part);
  /// How many different threads have run parts so far.
  int threads_seen() const;

 private:
  class Arena;
  std::uint32_t least_leaves_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace tessera::solver
