// SPDX-License-Identifier: Apache-2.0
// The solver's entry point: place_gang() decides where the pods of a gang go under the rules of
// Kueue's Topology Aware Scheduling (spec/placement.md 2-5), or says why they do not fit, or that
// its steps are used up.
//
// A pure function of its arguments: the Capacity is changed only by assumed bookings that are
// undone before it returns. The caller (actors/planner) books the answer. The same arguments give
// the same answer, with or without an index and for any number of threads. Does not know queues,
// quota or flavors' order: the caller has chosen a flavor, hence a tree, for every pod set.
#pragma once

#include <cstdint>
#include <span>

#include "solver/choice/options.h"
#include "solver/gang/answer.h"
#include "solver/gang/flavor_view.h"
#include "solver/gang/gang.h"
#include "solver/search/target.h"
#include "topology/capacity.h"

namespace tessera::solver {

class Index;

/// Places all pod sets of `gang` that have a target. `counts[i]`: pods of pod set i (partial
/// admission may lower the count of the spec). Pod sets of one group must share a target. A pod set
/// sees what earlier pod sets of this call take. `live`: the index that belongs to `capacity`. If
/// it is null or not enabled, every leaf is counted (the plain search); the answer names the same
/// steps either way.
Answer place_gang(const Gang& gang, std::span<const std::int64_t> counts,
                  std::span<const PodSetTarget> targets, topology::Capacity& capacity,
                  topology::Basis basis, const SearchOptions& options, Index* live = nullptr);

/// What one pod with this request takes of a cell: the request and one pod slot.
Amounts pod_amounts(const Amounts& request);

}  // namespace tessera::solver
