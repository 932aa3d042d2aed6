// SPDX-License-Identifier: Apache-2.0
// CycleRecord: what one cycle took in and decided (design.md 2.2).
//
// Made by the coordinator, durable when it is handed out, never changed afterwards. The rolling
// hash is made over the canonical text of what all cycles decided (record_text.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/records/admitted.h"
#include "actors/records/attempt.h"
#include "actors/records/cycle_number.h"
#include "actors/records/input.h"
#include "actors/records/life_change.h"

namespace tessera::core {

/// A workload that was looked at and not admitted.
struct RefusedWorkload {
  GangId gang{};
  std::shared_ptr<const Workload> workload;
  std::string cluster_queue;
  Attempt attempt;                // its evaluation; not judged yet (Waits or Never)
  Reason reason = Reason::kNone;  // why it was not evaluated, or lost its round
  std::string detail;
  std::optional<RoundOutcome> round;  // only with `rounds: Kueue`
  std::int64_t nanoseconds = 0;       // of the evaluation
  std::uint32_t placed_before = 0;    // workloads placed before it in its cycle
};

/// A workload that is known from this cycle on.
struct Submitted {
  GangId gang{};
  std::shared_ptr<const Workload> workload;
};

/// What one cycle decided; durable when it is handed out.
struct CycleRecord {
  CycleNumber cycle = 0;
  std::int64_t now = INT64_MIN;  // of the last Advance
  /// The first after an abort: it holds the inputs of the cycles that did not become durable, which
  /// stay applied, and decides nothing.
  bool recovers = false;
  std::uint64_t first_input = 0;          // the number of the first of `inputs`, from 1
  std::vector<Input> inputs;              // whole, in the order in which they were taken
  std::vector<GangId> finished, evicted;  // in the order in which they happened
  std::vector<LifeChange> changes;        // in the order in which they happened
  std::vector<Admitted> admitted;         // in plan order: the prefix that all owners accepted
  std::vector<RefusedWorkload> refused;   // in plan order
  std::uint32_t planned = 0;              // placed by the plan, also behind that prefix
  std::array<std::uint8_t, 32> hash{};    // SHA-256 over the decisions up to here

  /// The number of the last input; below `first_input`: there is none.
  std::uint64_t last_input() const { return first_input + inputs.size() - 1; }
  /// The gangs that are known from this cycle on, with their ids.
  std::vector<Submitted> submitted() const;
};

/// Lower-case hex.
std::string hash_text(const std::array<std::uint8_t, 32>& hash);

}  // namespace tessera::core
