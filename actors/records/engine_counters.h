// SPDX-License-Identifier: Apache-2.0
// EngineCounters: figures of the engine's work, for reports and metrics. No decision depends on
// them.
#pragma once

#include <cstdint>

namespace tessera::core {

struct EngineCounters {
  std::uint64_t cycles = 0, inputs = 0, messages = 0;
  std::uint64_t solves = 0;           // evaluations of a workload
  std::uint64_t retries_avoided = 0;  // waiting workloads that a cycle did not evaluate again
  std::uint64_t admitted = 0, refused = 0, retracted = 0;
  std::uint64_t deferred = 0;  // searches that went on in the background
};

}  // namespace tessera::core
