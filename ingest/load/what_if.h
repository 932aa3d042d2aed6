// SPDX-License-Identifier: Apache-2.0
// WhatIf: overrides of a request: another level, other slices, more or fewer replicas (ux.md rule
// 4).
//
// Called by `schedule` between reading and planning, for each workload of the request. Changes only
// the request, never the state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "actors/records/inventory.h"
#include "topology/text/result.h"

namespace tessera::ingest {

struct WhatIf {
  std::optional<std::string> required, preferred;  // level: label, alias or display label
  std::optional<std::pair<std::string, std::int64_t>> slice;  // level, pods
  std::optional<std::int64_t> replicas;  // of the pod set with the most pods, see apply()

  bool any() const { return required || preferred || slice || replicas; }
};

/// Reads "rack:16". A fault is kUsage, with an example of what is right.
Result<std::pair<std::string, std::int64_t>> parse_slice(const std::string& text);

/// Replaces the names of levels by node labels. kUsage if no topology knows a name:
/// `level "rak" is not in topology nvl72 (levels: zone, rack, host)`. If the input has no
/// topologies, every name passes.
Result<WhatIf> resolve_levels(WhatIf what_if, const core::Inventory& inventory);

/// Levels apply to every pod set that asks for a topology, or to all if none does. Slices and
/// replicas apply to the pod set with the most pods. A replica is a child job if the kind has them
/// (replicas of a JobSet), else a pod.
void apply(const WhatIf& what_if, core::Workload& workload);

}  // namespace tessera::ingest
