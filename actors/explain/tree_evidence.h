// SPDX-License-Identifier: Apache-2.0
// Why a gang tree was refused: which group finds no domain, what it lacks in the best one, which
// groups and workloads stand in its way.
//
// Called by Engine::explain(), off the decision path: it costs further searches. The searches are
// those of solver/trees/tree_reasons.h; here the groups, domains and pod sets get their names.
// Changes nothing that it reads.
#pragma once

#include <vector>

#include "actors/explain/evidence.h"
#include "actors/shortage/refused_case.h"

namespace tessera::core {

/// "." for the root, else the names from the top: "worker/worker-0".
std::string group_path(const solver::Gang& gang, std::uint32_t group);

/// Of a gang tree whose placement was refused. Fills Evidence::tree, flavor, open and blockers.
Evidence explain_tree(const RefusedCase& refused, Depth depth);

/// Of a gang tree that is placed: why each optional group is not.
Evidence explain_left_out(const RefusedCase& placed);

}  // namespace tessera::core
