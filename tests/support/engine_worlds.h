// SPDX-License-Identifier: Apache-2.0
// InterleavingCase: a script and how the engine behind actors is run over it, for
// tests/actors/runtime/interleaving_test.cpp. engine_worlds() are the cases of worlds with more
// than one flavor of hosts.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include "tests/support/engine_by_hand.h"

namespace tessera::test {

/// What most cases are about: four racks, three queues in two trees, gangs that come and go.
inline constexpr const char* kHosts =
    "b1/r1/a:4 b1/r1/b:4 b1/r2/c:4 b1/r2/d:4 b2/r3/e:4 b2/r3/f:4 b2/r4/g:4 b2/r4/h:4";
inline constexpr const char* kQueues = "left:10/pool right:10+2/pool solo:8 ^pool/all:4";
inline constexpr const char* kComeAndGo =
    "@1 +a/left:4x2@block +b/right:2x4@rack +c/solo:2x2;"
    "+d/left:6x1 +e/right:3x2@rack? +f/left:8x1!1;"
    "@5 -b +g/solo:1x4,2x2;"
    "-a -d +h/right:4x2@rack ~c;"
    "@9 +i/left:2x2 -f ~e@12;"
    "-g +j/solo:8x1";

/// What must be the same as in a run of the LocalEngine.
enum class Same : std::uint8_t { kHash, kAdmissions, kNothing };

struct InterleavingCase {
  const char* name;
  const char* hosts;
  const char* queues;
  const char* instants;
  ByHandOptions options;
  Same same = Same::kHash;
  /// What the case is about: it must be seen in most runs.
  std::size_t EngineChecker::Seen::*about = nullptr;
};

std::ostream& operator<<(std::ostream& out, const InterleavingCase& each);

/// Two flavors over the same nodes, leaves above the host, nodes without labels, nodes that move,
/// queues that change cohort, gangs of several pod sets.
std::vector<InterleavingCase> engine_worlds();

}  // namespace tessera::test
