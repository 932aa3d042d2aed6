// SPDX-License-Identifier: Apache-2.0
// Driver: the engine as its users see it: inputs go in, committed cycles come out.
//
// Two of them: core's LocalEngine runs the cycle in the calling thread (`schedule`), actors' System
// behind actors (`simulate`, `serve`); same inputs and boundaries, same records. One caller at a
// time.
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
  /// One instant.
  virtual void submit(std::vector<Input> inputs) = 0;
  /// Waits until everything handed over is applied, nothing more can be placed before another input
  /// or deadline, and all cycles are durable. The cycles committed since the last call.
  virtual std::vector<std::shared_ptr<const CycleRecord>> settle() = 0;
  /// The next time at which something falls due without an input; INT64_MAX: none. After settle().
  virtual std::int64_t next_deadline() const = 0;
  virtual EngineCounters counters() const = 0;
};

}  // namespace tessera::core
