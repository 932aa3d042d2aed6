// SPDX-License-Identifier: Apache-2.0
// Workers: runs independent parts of one computation on several threads.
//
// Used by the index for cold counts of large trees. Parts write to places of their own, so the
// result is the same for any number of threads. Called by one thread at a time; exceptions of a
// part come out of run().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace tessera::solver {

class Workers {
 public:
  /// `threads`: 0 = as many as there are cores; an explicit number is honoured even above that.
  /// `least_leaves`: leaves from which a count is worth them.
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
