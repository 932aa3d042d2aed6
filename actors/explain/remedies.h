// SPDX-License-Identifier: Apache-2.0
// Remedies: what would let a refused workload start, each solved again on a copy before it is told
// (ux.md rule 3).
//
// Called by Engine::explain() on request: each of the at most kMaxCandidates candidates costs a
// placement, a repaired node a new tree. Candidates are chosen by what the refusal lacks; those
// that neither suffice nor bring the workload further are dropped. Changes nothing of what it is
// given.
#pragma once

#include <vector>

#include "actors/explain/explain.h"
#include "actors/planner/planner.h"
#include "actors/planner/worlds.h"

namespace tessera::core {

inline constexpr int kMaxCandidates = 8;

struct RemedyProblem {
  const Inventory* inventory = nullptr;
  std::span<const Flavor> flavors;
  const Planner* planner = nullptr;
  Worlds* worlds = nullptr;
  const Decision* decision = nullptr;
  const PlanQueue* queue = nullptr;
  bool ignore_quota = false;
  /// The scene of the refusal and its contested domain, if a topology is in play.
  std::optional<Scene> scene;
  std::optional<topology::DomainId> contested;
};

std::vector<Remedy> find_remedies(const RemedyProblem& problem, const Evidence& evidence);

}  // namespace tessera::core
