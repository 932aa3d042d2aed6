// SPDX-License-Identifier: Apache-2.0
// Chooses exactly n domains with the least total room that takes a load: the dynamic programme of
// placement.md 5.5.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/choice/deal.h"
#include "solver/choice/steps.h"

namespace tessera::solver {

struct ChoiceProblem {
  std::size_t domains = 0;   // exactly so many
  std::int64_t leaders = 0;  // 0 or 1
  std::int64_t pods = 0;
};

/// Positions in `list`, ascending. Nothing if there is no such set, if the steps are used up, or if
/// the problem is larger than any real request makes it (a bound in this function).
std::optional<std::vector<std::size_t>> choose_domains(std::span<const Candidate> list,
                                                       const ChoiceProblem& problem, Steps& steps);

}  // namespace tessera::solver
