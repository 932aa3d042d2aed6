// SPDX-License-Identifier: Apache-2.0
#include "actors/gangs/gang_phase.h"

#include <array>

#include "actors/records/broken_invariant.h"

namespace tessera::core {
namespace {

using Phase = GangPhase;

struct Move {
  Phase from, to;
};
constexpr std::array kMoves = {
    Move{Phase::kPending, Phase::kPlacing},   Move{Phase::kPending, Phase::kSuspended},
    Move{Phase::kPending, Phase::kEvicted},   Move{Phase::kPending, Phase::kFinished},
    Move{Phase::kSuspended, Phase::kPending}, Move{Phase::kSuspended, Phase::kFinished},
    Move{Phase::kPlacing, Phase::kAdmitted},  Move{Phase::kPlacing, Phase::kPending},
    Move{Phase::kAdmitted, Phase::kRunning},  Move{Phase::kAdmitted, Phase::kEvicting},
    Move{Phase::kAdmitted, Phase::kFinished}, Move{Phase::kRunning, Phase::kEvicting},
    Move{Phase::kRunning, Phase::kFinished},  Move{Phase::kEvicting, Phase::kEvicted},
    Move{Phase::kEvicting, Phase::kFinished}, Move{Phase::kEvicted, Phase::kPending},
    Move{Phase::kEvicted, Phase::kSuspended}, Move{Phase::kEvicted, Phase::kFinished},
};

}  // namespace

std::string_view phase_name(GangPhase phase) {
  constexpr std::array<std::string_view, 10> kNames = {
      "Pending",   "Suspended",  "Placing",  "Admitted", "Running",
      "Replacing", "Preempting", "Evicting", "Evicted",  "Finished"};
  return kNames.at(static_cast<std::size_t>(phase));
}

bool may_follow(GangPhase from, GangPhase to) {
  for (const Move& move : kMoves) {
    if (move.from == from && move.to == to) return true;
  }
  return false;
}

bool holds(GangPhase phase) {
  return phase == GangPhase::kAdmitted || phase == GangPhase::kRunning ||
         phase == GangPhase::kEvicting;
}

void move_phase(GangPhase& phase, GangPhase to, const Workload& workload) {
  if (phase == to) return;
  if (!may_follow(phase, to)) {
    throw BrokenInvariant("gang " + workload.key() + " cannot go from " +
                          std::string(phase_name(phase)) + " to " + std::string(phase_name(to)));
  }
  phase = to;
}

}  // namespace tessera::core
