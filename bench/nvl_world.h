// SPDX-License-Identifier: Apache-2.0
// The NVL shape of performance.md 4.2 for benchmarks: racks of 18 trays with 4 GPUs, 8 racks a
// block; fixed seeds.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "solver/place.h"

namespace tessera::bench {

class NvlWorld {
 public:
  /// `nodes` trays, 2 % of them cordoned; about `used` of the racks are full, at random places.
  NvlWorld(std::uint32_t nodes, double used);

  const solver::FlavorView& view() const { return *view_; }
  topology::Capacity& capacity() { return *capacity_; }
  std::vector<solver::PodSetTarget> targets() const { return {{view_.get(), "gb200"}}; }

 private:
  std::vector<topology::NodeRecord> nodes_;
  std::unique_ptr<topology::DomainTree> tree_;
  std::shared_ptr<const topology::CellMap> cells_;
  std::unique_ptr<topology::Capacity> capacity_;
  std::unique_ptr<solver::FlavorView> view_;
};

/// One pod set of `pods` pods with `gpus` GPUs each; `level` required ("rack" or "block"), slices
/// of `slice` at rack if not 0.
solver::Gang gang(std::int64_t pods, std::int64_t gpus, const char* level, std::int64_t slice);

/// Books (or gives back) a placement.
void book(NvlWorld& world, const solver::Gang& gang, const solver::Placement& placement);
void release(NvlWorld& world, const solver::Gang& gang, const solver::Placement& placement);

}  // namespace tessera::bench
