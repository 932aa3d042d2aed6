// SPDX-License-Identifier: Apache-2.0
// Driver: the engine as its users see it: inputs go in, committed cycles come out.
//
// Two of them: core's LocalEngine runs the cycle in the calling thread (`schedule`), actors' System
// behind actors (`simulate`, `serve`); same inputs and boundaries, same records. One caller at a
// time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "actors/records/admitted.h"
#include "actors/records/attempt.h"
#include "actors/records/input.h"
#include "actors/records/life_change.h"
#include "actors/capacity/owner_step.h"

namespace tessera::core {

/// A workload that was looked at and not admitted.
struct RefusedWorkload {
  std::size_t number = 0;
  std::shared_ptr<const Workload> workload;
  std::string cluster_queue;
  Attempt attempt;                // of its evaluation; not judged (Never against Waits)
  Reason reason = Reason::kNone;  // it was not evaluated, or lost in its round: why
  std::string detail;
  std::optional<RoundOutcome> round;  // `rounds: Kueue`
  std::int64_t nanoseconds = 0;       // of the evaluation
  std::uint32_t placed_before = 0;    // in its cycle
};

/// A workload that is known from this cycle on.
struct Submitted {
  std::size_t number = 0;
  std::shared_ptr<const Workload> workload;
};

/// What one cycle decided; durable when it is handed out.
struct CycleRecord {
  CycleNumber cycle = 0;
  std::int64_t now = INT64_MIN;  // of the last Advance
  /// The first after an abort: it holds the inputs of the cycles that did not become durable, which
  /// stay applied, and decides nothing.
  bool recovers = false;
  std::uint64_t first_input = 0, last_input = 0;  // numbers from 1; first > last: none
  std::vector<Submitted> submitted;               // as they came; an input, not hashed
  std::vector<std::size_t> finished, evicted;     // as the inputs came
  std::vector<LifeChange> changes;                // as they came; before `evicted`
  std::vector<Admitted> admitted;                 // in plan order
  std::vector<RefusedWorkload> refused;           // in plan order
  std::array<std::uint8_t, 32> hash{};            // SHA-256 over all bodies up to here
};

/// Figures of the engine's work; no decision depends on them.
struct EngineCounters {
  std::uint64_t cycles = 0, inputs = 0, messages = 0;
  std::uint64_t solves = 0;           // evaluations of a workload
  std::uint64_t retries_avoided = 0;  // waiting workloads that a cycle did not evaluate again
  std::uint64_t admitted = 0, refused = 0, retracted = 0;
  std::uint64_t deferred = 0;  // searches that went on in the background
};

class Driver {
 public:
  virtual ~Driver() = default;
  /// One instant.
  virtual void submit(std::vector<Input> inputs) = 0;
  /// Waits until everything handed over is applied, nothing more can be placed before another input
  /// or deadline, and all cycles are durable. The cycles committed since the last call.
  virtual std::vector<std::shared_ptr<const CycleRecord>> settle() = 0;
  /// The next time at which something falls due without an input; INT64_MAX: none. After settle().
  virtual std::int64_t next_deadline() const = 0;
  virtual EngineCounters counters() const = 0;
};

/// Lower-case hex.
std::string hash_text(const std::array<std::uint8_t, 32>& hash);

}  // namespace tessera::core
