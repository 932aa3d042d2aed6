// SPDX-License-Identifier: Apache-2.0
// Attempt: the answer of one evaluation of one workload. A value.
#pragma once

#include <optional>
#include <vector>

#include "actors/records/decision.h"

namespace tessera::core {

struct Attempt {
  bool placed = false;
  std::vector<PodSetDecision> pod_sets;  // if placed
  std::size_t failed_pod_set = 0;        // if refused, like all below
  std::vector<FlavorRejection> rejections;
  std::optional<Symbol> uncovered;

  /// Why the first placement failed; null: no placement was tried.
  const solver::Refusal* refusal() const;
  /// The request itself is at fault (placement.md 7 [D]).
  bool invalid() const;
};

}  // namespace tessera::core
