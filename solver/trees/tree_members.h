// SPDX-License-Identifier: Apache-2.0
// Which group of a gang tree can never be met, because it has fewer pods or child groups than it
// needs.
//
// Asked by the planner before a search, and by whoever explains a refusal. Pure. Looks at the gang
// alone: not at nodes.
#pragma once

#include <cstdint>
#include <optional>

#include "solver/gang/gang.h"

namespace tessera::solver {

struct ShortGroup {
  std::uint32_t group = 0;
  std::int64_t need = 0, have = 0;  // pods; of a group with too few child groups, child groups
  bool children = false;
};

/// The deepest group that keeps the root from being met; nothing if there are pods enough.
std::optional<ShortGroup> short_of_pods(const Gang& gang);

}  // namespace tessera::solver
