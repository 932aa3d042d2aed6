// SPDX-License-Identifier: Apache-2.0
// What became of a workload that is not planned: finished, admitted, or running, and on which
// nodes.
//
// Called for a workload of -f that is state already (ux.md rule 1), and by `explain` for one that
// is not planned. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "actors/records/inventory.h"

namespace tessera::encode {

/// "is finished", "is admitted in ClusterQueue q, on n1", "runs already, on n[1-2]". `fold`: host
/// lists as Slurm writes them.
std::string state_text(const core::Inventory& inventory, std::size_t workload, bool fold);

}  // namespace tessera::encode
