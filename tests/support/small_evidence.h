// SPDX-License-Identifier: Apache-2.0
// SmallEvidence: compares the evidence of one refusal in a SmallCluster with brute force: what each
// level has, what is short, and who holds the room.
//
// Of a workload with several units only the first can be compared exactly: the rest depends on
// where the earlier ones went.
#pragma once

#include <string>
#include <vector>

#include "actors/engine/engine.h"
#include "tests/support/small_oracle.h"

namespace tessera::test {

struct SmallRefusal {
  const SmallCluster* cluster = nullptr;
  const SmallCluster::Work* work = nullptr;
  const core::Engine* engine = nullptr;
  const core::Decision* decision = nullptr;
  const core::Evidence* evidence = nullptr;
  SmallOracle::World now;
};

/// What is wrong, a line each.
std::vector<std::string> evidence_faults(const SmallRefusal& refusal);

}  // namespace tessera::test
