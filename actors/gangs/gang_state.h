// SPDX-License-Identifier: Apache-2.0
// GangState: where one gang is in its life (design.md 3).
//
// One owner: the gang's actor, from its admission to the end of its eviction; before and after, the
// coordinator knows the phase (Cycle::phase()). Moves only along the table below; anything else is
// a broken invariant. Replacing and Preempting have no way in yet.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "actors/records/gang_id.h"
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
/// `phase` becomes `to`, which it may be already. Throws BrokenInvariant if it may not follow.
void move_phase(GangPhase& phase, GangPhase to, const Workload& workload);

class GangState {
 public:
  GangState(GangId id, std::shared_ptr<const Workload> workload, GangPhase phase)
      : id_(id), workload_(std::move(workload)), phase_(phase) {}

  GangId id() const { return id_; }
  const Workload& workload() const { return *workload_; }
  GangPhase phase() const { return phase_; }
  /// Throws BrokenInvariant if it may not follow. The phase it is in already: nothing happens.
  void move_to(GangPhase phase) { move_phase(phase_, phase, *workload_); }

 private:
  GangId id_;
  std::shared_ptr<const Workload> workload_;
  GangPhase phase_;
};

}  // namespace tessera::core
