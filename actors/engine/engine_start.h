// SPDX-License-Identifier: Apache-2.0
// EngineStart: what an engine starts from: definitions, and a planner with the whole cluster in it.
//
// Made once, since the trees of a large cluster cost most of a start. Its keeper may read the
// planner until an engine takes the start over, and again when that engine is gone. In between, the
// planner belongs to the engine alone.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actors/planner/planner_state.h"

namespace tessera::core {

struct EngineStart {
  std::shared_ptr<const Definitions> definitions;
  std::shared_ptr<PlannerState> planner;
};
EngineStart make_start(std::shared_ptr<const Inventory> inventory, EngineOptions options);

/// What a workload that did not start may hope for: kWaits, kNever (it would not start even on the
/// empty, healthy cluster) or kInvalid. `reason` says why, unless it waits.
struct Outlook {
  Outcome outcome = Outcome::kWaits;
  Reason reason = Reason::kNone;
};

/// The outlook of each of the workloads. Called only while no engine has the planner. Leaves the
/// planner as it is.
std::vector<Outlook> outlooks(const EngineStart& start,
                              std::span<const std::shared_ptr<const Workload>> workloads);

}  // namespace tessera::core
