// SPDX-License-Identifier: Apache-2.0
// GroundTruth: eligible leaves and what is free on them, worked out from the plain data of a world.
//
// The verifier and the brute force use it. Simple and slow on purpose: it uses no trees, cells or
// bookings of the engine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/world.h"

namespace tessera::test {

using Path = std::vector<std::string>;  // level values, coarsest first
using AmountsByName = std::map<std::string, std::int64_t>;

void add_amounts(AmountsByName& to, const topology::Amounts& amounts, std::int64_t factor);

struct GroundLeaf {
  std::vector<const topology::NodeRecord*> nodes;  // in the spec's order
  AmountsByName free;
};

class GroundTruth {
 public:
  /// `spec` outlives this.
  GroundTruth(const WorldSpec& spec, topology::Basis basis);

  const std::map<Path, GroundLeaf>& leaves() const { return leaves_; }  // in path order
  const GroundLeaf* find(const Path& path) const;

  /// Whether the pods accept the leaf. Pods accept every leaf above the host (placement.md 2.2).
  bool accepts(const GroundLeaf& leaf, const topology::NodeFilter& filter) const;

 private:
  void take_holdings();
  bool names(const Holding& holding, const Path& path) const;

  const WorldSpec& spec_;
  std::map<Path, GroundLeaf> leaves_;
};

/// Index of a level by its label.
std::optional<std::size_t> level_index(const WorldSpec& spec, topology::Symbol label);

/// The leading values of a path, down to and including `level`.
Path domain_at(const Path& leaf, std::size_t level);

}  // namespace tessera::test
