// SPDX-License-Identifier: Apache-2.0
// tree_of_gang(): a gang tree as the problem that its search solves.
//
// Made by the planner for each decision on a gang tree (actors/planner/tree_placing.h). Pure. Each
// group becomes a TreeGroup whose level is the finest of what it asks for: its required level, the
// domain that it owns, the spread of its parent. Constraints in two topologies become two groups,
// one inside the other. Slices become child groups of their pod set's group, one for each slice,
// layer by layer. What runs and what the gang holds already counts towards every minimum.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solver/gang/answer.h"
#include "solver/gang/gang.h"
#include "solver/trees/tree_problem.h"

namespace tessera::solver {

/// A topology that groups of the gang name, by its hosts.
struct TreeTopology {
  const topology::TopologySpec* spec = nullptr;
  const topology::DomainRuns* runs = nullptr;
};

/// A gang tree, and where it may go. Hosts are numbers of nodes.
struct TreeOfGang {
  const Gang* gang = nullptr;
  std::vector<TreeTopology> topologies;     // each once
  std::vector<int> topology_of_group;       // index into `topologies`; -1: it names no level
  std::span<const topology::CellId> cells;  // by host
  const topology::Capacity* capacity = nullptr;
  topology::Basis basis = topology::Basis::kFree;
  DomainChoice choice = DomainChoice::kTightest;
  /// By pod set: true where its pods may not go; null: nowhere.
  std::vector<std::shared_ptr<const std::vector<bool>>> barred;
  std::vector<CountedPods> counted;                 // by pod set; empty: nothing is counted
  std::vector<std::int64_t> counts;                 // by pod set: pods that are placed at most
  std::vector<std::vector<std::uint32_t>> running;  // by group: the host of each pod that runs
  /// By pod set: pods that an earlier decision placed. They are in `counts` as well.
  std::vector<std::vector<HostPods>> held;
};

/// What a part of the problem stands for.
struct TreeNames {
  std::vector<std::uint32_t> group_of;    // by TreeGroup: the gang's group
  std::vector<std::uint32_t> pod_set_of;  // by TreePods; UINT32_MAX: only pods that run
};

struct GangTree {
  TreeProblem problem;
  TreeNames names;
};

GangTree tree_of_gang(const TreeOfGang& from);

/// By pod set, the hosts of what an answer adds, ascending.
std::vector<std::vector<HostPods>> pods_by_set(const TreeAnswer& answer, const TreeNames& names,
                                               std::size_t pod_sets);

}  // namespace tessera::solver
