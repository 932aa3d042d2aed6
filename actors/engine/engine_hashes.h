// SPDX-License-Identifier: Apache-2.0
// EngineHashes: one hash for every owner of state of an engine: two engines with equal hashes hold
// the same, and have the same gangs waiting in the same order.
//
// Used to compare a rebuilt engine with the engine that wrote the records. The engine must be
// settled. Shards and queues are by position, quota roots by node.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "actors/engine/local_engine.h"

namespace tessera::core {

struct EngineHashes {
  std::vector<std::uint64_t> shards, queues;
  std::map<QuotaNode, std::uint64_t> roots;
  std::uint64_t gangs = 0;  // GangTable

  friend bool operator==(const EngineHashes&, const EngineHashes&) = default;
};

EngineHashes hashes_of(const LocalEngine& engine);

}  // namespace tessera::core
