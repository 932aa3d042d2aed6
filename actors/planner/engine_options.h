// SPDX-License-Identifier: Apache-2.0
// EngineOptions: how one engine plans: the profile, and what only its driver may choose.
//
// A plain value, given once when an engine is made. Threads, clock and shard level change no
// answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/profile.h"

namespace tessera::core {

struct EngineOptions {
  config::Profile profile = {};
  bool ignore_quota = false;
  int rounds = 0;                // --rounds N; 0: until quiescent
  bool live = false;             // nodes, pods and definitions may change while it runs
  bool defers = false;           // searches over the profile's search.maxSteps leave their cycle
  std::string shard_level = {};  // empty: chosen by ShardLayout; no answer depends on it
  int solver_threads = 0;        // 0: as many as there are cores; no answer depends on it
  /// solver::IndexLimits::parallel_leaves; nothing: the default there. No answer depends on it
  /// either.
  std::optional<std::uint32_t> parallel_leaves = {};
  std::int64_t (*clock)() = nullptr;  // nanoseconds, for figures only; decisions never depend on it
};

}  // namespace tessera::core
