// SPDX-License-Identifier: Apache-2.0
// EngineStart: what an engine starts from: definitions, and a planner with the whole cluster in it.
//
// Made once, since the trees of a large cluster cost most of a start. Who keeps it may look at the
// planner until an engine takes it over, and again when that engine is gone; in between the planner
// is the engine's alone.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actors/planner/planner_state.h"

namespace tessera::core {

struct EngineStart {
  std::shared_ptr<const Definitions> definitions;
  std::shared_ptr<PlannerState> planner;
};
EngineStart make_start(std::shared_ptr<const Inventory> inventory, EngineOptions options);

/// Why each of the workloads would not start on the empty, healthy cluster either; nothing: it
/// would. For the time when no engine has the planner; leaves it as it is.
std::vector<std::optional<Reason>> never_reasons(
    const EngineStart& start, std::span<const std::shared_ptr<const Workload>> workloads);

}  // namespace tessera::core
