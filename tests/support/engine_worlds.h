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

/// Gang trees that grow while others come and go; some end while they grow, some are evicted.
inline constexpr const char* kTrees =
    "@1 +a/left:2-8x1 +b/right:1-4x2@rack +c/solo:1-4x2,1-2x1;"
    "+d/left:2x4@rack!1 +e/right:1-6x1!1 +f/left:0-3x2;"
    "@5 *a -b +g/solo:2-4x1@block;"
    "%a ~c +h/right:2-4x2@rack -d;"
    "@9 /a +i/left:1-8x1!2 -e;"
    "-g _h +j/solo:4x2; /h -f; ^h -j -i";

/// Nodes and queues change under gang trees.
inline constexpr const char* kTreesMove =
    "+a/left:2-6x1 +b/right:1-4x2@rack; =b1/r3/a +c/solo:1-8x1; !left/other; +d/left:1-4x1 -b;"
    "#h !left/pool; -a; +e/right:2-6x2";

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
