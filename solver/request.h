// SPDX-License-Identifier: Apache-2.0
// A topology request resolved against the levels of one topology: level indexes instead of labels,
// rules of placement.md 3.3 and 3.4 checked. Pure; used by place.cpp and by whoever explains a
// refusal.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "solver/answer.h"
#include "solver/gang.h"
#include "topology/domain_tree.h"

namespace tessera::solver {

struct Layer {
  int level = 0;
  std::int64_t size = 1;
};

struct ResolvedRequest {
  int level = 0;        // where the search starts (r)
  int slice_level = 0;  // s; the leaf level without slices
  std::int64_t slice_size = 1;
  std::vector<Layer> layers;  // all layers, coarse to fine; empty without slices
  std::vector<std::int64_t>
      unit;  // by level: pods are dealt to domains of it in multiples of this (M of 3.3), 1 = any
  bool required = false;
  bool unconstrained = false;

  bool has_inner_layers() const { return layers.size() > 1; }
};

/// The resolved request, or the first rule of placement.md 3.4 that it breaks (obstacle and its
/// labels only).
std::variant<ResolvedRequest, Refusal> resolve(const TopologyRequest& request,
                                               const topology::TopologySpec& topology);

}  // namespace tessera::solver
