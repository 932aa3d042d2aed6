// SPDX-License-Identifier: Apache-2.0
// EngineText: random words for engine_script(): 12 hosts in 4 racks, three queues of which two
// share a pool, six instants 10 s apart in which gangs come, start, end, are evicted in one step or
// two, and are suspended and resumed.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::test {

struct EngineText {
  std::string hosts, queues, instants;
};

/// A function of the seed.
EngineText random_engine_text(std::uint64_t seed);

}  // namespace tessera::test
