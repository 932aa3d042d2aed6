// SPDX-License-Identifier: Apache-2.0
// InterleavingCase: a script and how the engine behind actors is run over it, for
// tests/actors/interleaving_test.cpp; and the cases of other worlds than one flavor of hosts.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include "tests/support/engine_by_hand.h"

namespace tessera::test {

enum class Same : std::uint8_t { kHash, kAdmissions, kNothing };  // as the LocalEngine

struct InterleavingCase {
  const char* name;
  const char* hosts;
  const char* queues;
  const char* instants;
  ByHandOptions options;
  Same same = Same::kHash;
  /// What the scenario is about, seen in most runs.
  std::size_t EngineChecker::Seen::*about = nullptr;
};

std::ostream& operator<<(std::ostream& out, const InterleavingCase& each);

/// Two flavors over the same nodes, leaves above the host, nodes without labels, nodes that move,
/// queues that change cohort, gangs of several pod sets.
std::vector<InterleavingCase> engine_worlds();

}  // namespace tessera::test
