// SPDX-License-Identifier: Apache-2.0
// An independent check of a placement against the plain data of a world. Shares no code with the
// solver.
//
// Tests what a user may rely on, whatever the algorithm chose: the placement is whole or absent,
// and never takes more than there is (pod slots included). It uses only nodes that the pods accept,
// keeps required domains, and keeps slices, layers and groups together.
#pragma once

#include <string>
#include <vector>

#include "solver/gang/answer.h"
#include "solver/gang/gang.h"
#include "tests/support/world.h"
#include "topology/capacity.h"

namespace tessera::test {

struct Verdict {
  std::vector<std::string> faults;  // empty: the placement is right
  /// Leaders on nodes that only the filters of the workers accept. Kueue places them so
  /// (placement.md 2.2): right under LeaderFilters::kWorkers, a fault otherwise.
  int leaders_on_workers_filter = 0;
};

Verdict verify_placement(const World& world, const solver::Gang& gang,
                         const solver::Placement& placement, topology::Basis basis,
                         solver::LeaderFilters leader_filters);

}  // namespace tessera::test
