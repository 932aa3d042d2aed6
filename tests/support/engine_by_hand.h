// SPDX-License-Identifier: Apache-2.0
// EngineByHand: one run of a script through the engine behind actors. It runs message by message in
// one thread, in a random but possible order. The checker looks after each message, and failures
// are made at random.
//
// At the end, an engine that starts from the final state must find nothing that it can place. A run
// is a function of its arguments. Uses CAF's test coordinator.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/engine_checker.h"
#include "tests/support/engine_script.h"

namespace tessera::test {

struct ByHandOptions {
  config::Rounds rounds = config::Rounds::kSequential;
  core::CycleLimits limits = {};
  const char* shard_level = "";  // EngineOptions::shard_level
  std::int64_t max_steps = config::Profile().search_max_steps;
  bool settle_between = false;  // the next instant comes only when the engine has settled
  bool slow_journal = false;    // the journal runs when nothing else can, and seldom otherwise
  // Failpoints: chances in percent, and how many there may be in one run.
  int append_fails = 0;
  bool append_fails_in_a_row = false;
  int refuses = 0;
  int queue_fails = 0, gang_fails = 0, shard_fails = 0, planner_fails = 0;  // actors that throw
  int most_failures = 4, most_shell_failures = 2;  // the second: besides the first
  std::int64_t shell_failures_apart = 0;           // at least so many seconds of the engine's time
};

struct ByHandRun {
  std::string wrong;           // what the checker found, empty: nothing
  std::string fatal;           // what Hooks::fatal was told, empty: not called
  std::uint64_t schedule = 0;  // hash of the order in which actors ran
  std::size_t steps = 0, most_in_flight = 0, most_searching = 0, failures = 0, shell_failures = 0;
  std::vector<std::shared_ptr<const core::CycleRecord>> records;
  core::EngineCounters counters;
  EngineChecker::Seen seen;
};

ByHandRun run_by_hand(const EngineScript& script, const ByHandOptions& options, std::uint64_t seed);

}  // namespace tessera::test
