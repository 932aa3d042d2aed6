// SPDX-License-Identifier: Apache-2.0
// CellRun: the free amounts of a run of cells as plain arrays, as the counting kernel wants them.
//
// If leaves are numbered like their cells, the arrays are those of the capacity, where these have
// the width that is asked for. Else the numbers are gathered, each row once. Buffers are kept for
// the next run. Used by one thread at a time; valid until the capacity changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/counting/count_terms.h"
#include "topology/capacity.h"

namespace tessera::solver {

class CellRun {
 public:
  /// The cells first .. first + count - 1, all of one chunk of the capacity.
  void use_part(const topology::Capacity& capacity, std::uint32_t first, std::size_t count);
  /// Any cells, at most kChunkCells.
  void use_cells(const topology::Capacity& capacity, std::span<const topology::CellId> cells);

  std::size_t size() const { return count_; }
  /// True if the arrays are the capacity's own.
  bool in_place() const { return in_place_; }
  /// Points a term of the small kernel at its row; for runs in place.
  void set_row(int row, SmallTerm& term) const {
    const auto at = static_cast<std::uint32_t>(row);
    const topology::NarrowRows& free = capacity_->narrow_free();
    if (free.is_small(at)) {
      term.small = free.small(at, first_);
    } else {
      term.wide = free.wide(at, first_);
    }
  }
  /// Capacity::narrow_free(); row -1: nothing is free.
  const std::int32_t* narrow(int row) {
    const bool ready = row >= 0 && narrow_[static_cast<std::size_t>(row)].filled;
    return ready ? narrow_[static_cast<std::size_t>(row)].values.data() : make_narrow(row);
  }
  const std::int64_t* exact(topology::Basis basis, int row);

 private:
  template <class T>
  struct Gathered {
    std::vector<T> values;
    bool filled = false;
  };
  const std::int32_t* make_narrow(int row);

  const topology::Capacity* capacity_ = nullptr;
  std::size_t count_ = 0;
  bool in_place_ = false;
  std::uint32_t first_ = 0;
  std::vector<topology::CellId> cells_;
  std::vector<Gathered<std::int32_t>> narrow_;        // by row
  std::vector<Gathered<std::int64_t>> free_, empty_;  // by row
};

}  // namespace tessera::solver
