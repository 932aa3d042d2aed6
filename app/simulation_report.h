// SPDX-License-Identifier: Apache-2.0
// What `simulate` prints of a run: a JSON object for programs, a table for people (ux.md D5).
//
// Pure functions. docs/simulate.md defines the figures.
#pragma once

#include <cstdint>
#include <string>

#include "actors/engine/simulation.h"

namespace tessera::app {

struct SimulationReport {
  std::string profile;
  std::int64_t nodes = 0, gpus = 0;  // usable nodes and their GPUs
  core::SimulationResult result;
  std::int64_t never = 0;  // of result.waiting: gangs that would not fit the empty, healthy cluster
  std::int64_t wall_nanoseconds = 0;
  int errors = 0, warnings = 0;
};

/// `kind: Simulation`; percentiles over no gang at all are null.
std::string simulation_json(const SimulationReport& report);

std::string simulation_table(const SimulationReport& report, bool headers);

}  // namespace tessera::app
