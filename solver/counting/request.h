// SPDX-License-Identifier: Apache-2.0
// A topology request resolved against the levels of one topology: level indexes instead of labels,
// and the rules of placement.md 3.3 and 3.4 checked. Pure; used by solver/search/place.cpp and by
// actors/explain.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "solver/gang/answer.h"
#include "solver/gang/gang.h"
#include "topology/domain_tree.h"

namespace tessera::solver {

struct Layer {
  int level = 0;
  std::int64_t size = 1;
};

/// By level: the pods that a domain of the level gets are a multiple of this (M of
/// placement.md 3.3); 1 = any number. Without heap memory, since every decision makes one.
class Units {
 public:
  Units() = default;
  explicit Units(std::size_t levels) : levels_(static_cast<std::uint8_t>(levels)) {
    units_.fill(1);
  }
  std::int64_t& operator[](std::size_t level) { return units_[level]; }
  std::int64_t operator[](std::size_t level) const { return units_[level]; }
  std::int64_t back() const { return units_[levels_ - 1U]; }
  std::size_t size() const { return levels_; }
  friend bool operator==(const Units& a, const Units& b) {
    return a.levels_ == b.levels_ &&
           std::equal(a.units_.begin(), a.units_.begin() + a.levels_, b.units_.begin());
  }

 private:
  static constexpr std::size_t kMostLevels = 16;  // TopologySpec::levels
  std::array<std::int64_t, kMostLevels> units_{};
  std::uint8_t levels_ = 0;
};

struct ResolvedRequest {
  int level = 0;        // where the search starts (r)
  int slice_level = 0;  // s; the leaf level without slices
  std::int64_t slice_size = 1;
  std::vector<Layer> layers;  // all layers, coarse to fine; empty without slices
  Units unit;
  bool required = false;
  bool unconstrained = false;

  bool has_inner_layers() const { return layers.size() > 1; }
};

/// The resolved request, or the first rule of placement.md 3.4 that it breaks (obstacle and its
/// labels only).
std::variant<ResolvedRequest, Refusal> resolve(const TopologyRequest& request,
                                               const topology::TopologySpec& topology);

}  // namespace tessera::solver
