// SPDX-License-Identifier: Apache-2.0
// The gangs that hold something when the engine starts, with the ids they have in it.
//
// The only place that numbers them: from 1, in the order of the inventory. The coordinator goes on
// from there, and the planner books them under the same ids. A driver of an engine finds the ids of
// such workloads here, since no record submits them.
#pragma once

#include <memory>
#include <vector>

#include "actors/records/admitted.h"
#include "actors/records/inventory.h"

namespace tessera::core {

struct HeldAtStart {
  Admitted admitted;
  std::size_t position = 0;  // in Inventory::workloads
};
/// In the order of ids. Workloads and admissions are parts of the inventory: each pointer to one of
/// them keeps the whole inventory alive.
std::vector<HeldAtStart> held_at_start(const std::shared_ptr<const Inventory>& inventory);

}  // namespace tessera::core
