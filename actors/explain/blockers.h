// SPDX-License-Identifier: Apache-2.0
// find_blockers(): which workloads and bound pods hold the room that a refused unit lacks.
//
// Used by Explainer, off the decision path. Names what holds the resource that runs out, on the
// hosts where the unit finds less room than on empty ones: a gang, or the owner of bound pods that
// belong to no gang, or such a pod itself. A workload that waits holds nothing and is never named.
#pragma once

#include <optional>
#include <vector>

#include "actors/explain/evidence.h"
#include "actors/shortage/unit_room.h"

namespace tessera::core {

struct RoomInDispute {
  const RefusedCase& refused;
  const UnitRoom& now;
  const UnitRoom& empty;
  Amounts per_pod;                              // of a worker
  std::optional<Amounts> leader;                // what the leader asks, if there is one
  std::optional<topology::DomainId> contested;  // only this domain counts; nothing: all hosts
  /// Whoever holds any resource that the unit would find on the empty hosts; false: what runs out
  /// first there.
  bool every_resource = false;
};

/// Most pods first.
std::vector<Blocker> find_blockers(const RoomInDispute& room);

}  // namespace tessera::core
