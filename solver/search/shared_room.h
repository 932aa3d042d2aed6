// SPDX-License-Identifier: Apache-2.0
// SharedRoom: divides what several leaves may take only together.
//
// A count looks at each leaf alone. Where a flavor above the host holds something on the same
// nodes, what is left of its leaf is counted for each of the hosts below. place_gang() finds that
// when it books (Obstacle::kOverbooked), divides the room and searches once more. The division
// favours the domain with the most room, and gives whole slices first; it never gives more than
// there is. The destructor takes it back.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/counting/counts.h"
#include "solver/search/search_problem.h"

namespace tessera::solver {

class SharedRoom {
 public:
  explicit SharedRoom(topology::Capacity& capacity) : capacity_(capacity) {}
  ~SharedRoom();
  SharedRoom(const SharedRoom&) = delete;
  SharedRoom& operator=(const SharedRoom&) = delete;

  /// From now on the leaves together have no more room for the pods of `request` than there is.
  /// `problem`: the search that was tried, with its numbers.
  void divide(const SearchProblem& problem, const CountRequest& request);

 private:
  struct Withheld {
    topology::CellId cell;
    std::uint32_t row;
    std::int64_t amount;
  };
  topology::Capacity& capacity_;
  std::vector<Withheld> withheld_;
};

}  // namespace tessera::solver
