// SPDX-License-Identifier: Apache-2.0
// Driver: the engine as its users see it: inputs go in, committed cycles come out.
//
// There are two: LocalEngine runs the cycle in the calling thread (`schedule`), System runs it
// behind actors (`simulate`). The same inputs, handed over in the same instants, give the same
// records. One caller at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "actors/records/cycle_record.h"
#include "actors/records/engine_counters.h"
#include "actors/records/input.h"

namespace tessera::core {

class Driver {
 public:
  virtual ~Driver() = default;
  /// Takes all inputs of one instant.
  virtual void submit(std::vector<Input> inputs) = 0;
  /// Waits until everything handed over is applied, nothing more can be placed before another input
  /// or deadline, and all cycles are durable. Returns the cycles committed since the last call.
  virtual std::vector<std::shared_ptr<const CycleRecord>> settle() = 0;
  /// The next deadline of the engine; INT64_MAX: none. Call it after settle().
  virtual std::int64_t next_deadline() const = 0;
  virtual EngineCounters counters() const = 0;
};

}  // namespace tessera::core
