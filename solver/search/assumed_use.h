// SPDX-License-Identifier: Apache-2.0
// AssumedUse: what earlier pod sets of the gang at work will use, booked while the gang is being
// placed.
//
// Made by place_gang(). The destructor gives everything back, when the placement is decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "topology/capacity.h"

namespace tessera::solver {

class AssumedUse {
 public:
  explicit AssumedUse(topology::Capacity& capacity) : capacity_(capacity) {}
  ~AssumedUse() { undo(0); }
  AssumedUse(const AssumedUse&) = delete;
  AssumedUse& operator=(const AssumedUse&) = delete;

  /// `per_pod` outlives this object.
  void take(topology::CellId cell, const topology::RowAmounts& per_pod, std::int64_t pods) {
    capacity_.assume(cell, per_pod, pods);
    taken_.push_back({cell, &per_pod, pods});
  }

  std::size_t size() const { return taken_.size(); }
  /// Gives back all but the first `size` takes.
  void undo(std::size_t size) {
    while (taken_.size() > size) {
      const Taken& last = taken_.back();
      capacity_.forget(last.cell, *last.per_pod, last.pods);
      taken_.pop_back();
    }
  }

 private:
  struct Taken {
    topology::CellId cell;
    const topology::RowAmounts* per_pod;
    std::int64_t pods;
  };
  topology::Capacity& capacity_;
  std::vector<Taken> taken_;
};

}  // namespace tessera::solver
