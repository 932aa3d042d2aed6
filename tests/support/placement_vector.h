// SPDX-License-Identifier: Apache-2.0
// One line of placement-*.jsonl: a world, a gang and the reference's answer.
//
// Read by the conformance test. Starts from the options of profile kueue-0.19; the vector's own
// gates change them. Broken test data fails the running test.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "solver/gang/gang.h"
#include "solver/search/place.h"
#include "tests/support/world.h"
#include "topology/capacity.h"

namespace tessera::test {

struct PlacementVector {
  std::string id, theme;
  WorldSpec world;
  solver::Gang gang;
  topology::Basis basis = topology::Basis::kFree;
  solver::SearchOptions options;
  /// By pod set name: "level,level: value/value=count ..." in order, or "refused: " and the reason
  /// that the reference gives.
  std::map<std::string, std::string> expected;
  /// Kueue's own answer is wrong: any whole placement or refusal is right.
  bool kueue_defect = false;
};

PlacementVector parse_placement_vector(const std::string& line);

}  // namespace tessera::test
