// SPDX-License-Identifier: Apache-2.0
// Remedies: what would let a refused workload start. Each remedy is solved again on a copy before
// it is reported.
//
// Called by Engine::explain() on request. There are at most kMaxCandidates candidates; each costs a
// placement, and a repaired node also a new tree. What the refusal lacks decides which candidates
// are tried. A candidate that neither suffices nor brings the workload further is dropped. Changes
// nothing that it is given.
#pragma once

#include <vector>

#include "actors/explain/evidence.h"
#include "actors/shortage/refused_case.h"

namespace tessera::core {

inline constexpr int kMaxCandidates = 8;

struct RemedyProblem : RefusedCase {
  /// The scene of the refusal and its contested domain. Empty if no topology has to do with it.
  std::optional<Scene> scene;
  std::optional<topology::DomainId> contested;
};

std::vector<Remedy> find_remedies(const RemedyProblem& problem, const Evidence& evidence);

}  // namespace tessera::core
