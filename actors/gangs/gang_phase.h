// SPDX-License-Identifier: Apache-2.0
// GangPhase: where one gang is in its life, and which phase may follow which (docs/engine.md).
//
// Values and pure functions. Only GangTable moves phases. Nothing leads to Replacing and Preempting
// yet.
#pragma once

#include <cstdint>
#include <string_view>

#include "actors/records/workload.h"

namespace tessera::core {

enum class GangPhase : std::uint8_t {
  kPending,
  kSuspended,
  kPlacing,
  kAdmitted,
  kRunning,
  kReplacing,
  kPreempting,
  kEvicting,
  kEvicted,
  kFinished,
};
std::string_view phase_name(GangPhase phase);

/// Pending -> Placing, Suspended, Evicted (it is put off), Finished; Suspended -> Pending,
/// Finished; Placing -> Admitted, Pending; Admitted -> Running, Evicting, Finished; Running ->
/// Evicting, Finished; Evicting -> Evicted, Finished; Evicted (its back-off lasts) -> Pending,
/// Suspended, Finished.
bool may_follow(GangPhase from, GangPhase to);
/// True if a gang in that phase holds capacity and quota.
bool holds(GangPhase phase);
/// Sets `phase` to `to`; they may be equal already. Throws BrokenInvariant if `to` may not follow.
void move_phase(GangPhase& phase, GangPhase to, const Workload& workload);

}  // namespace tessera::core
