// SPDX-License-Identifier: Apache-2.0
#include "actors/engine/engine_hashes.h"

namespace tessera::core {

EngineHashes hashes_of(const LocalEngine& engine) {
  EngineHashes hashes;
  for (const auto& shard : engine.owners().shards) hashes.shards.push_back(shard->hash());
  for (const auto& [root, state] : engine.owners().roots) hashes.roots[root] = state->hash();
  for (const auto& queue : engine.queues()) hashes.queues.push_back(queue->hash());
  hashes.gangs = engine.cycle().look().gangs.hash();
  return hashes;
}

}  // namespace tessera::core
