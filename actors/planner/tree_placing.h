// SPDX-License-Identifier: Apache-2.0
// TreePlacing: places the gang trees of the planner: makes the problem of a gang and its flavors,
// lets the solver search (solver/trees), and reads the answer as a placement.
//
// Made by Planner for one evaluation; changes nothing that it is given. The topologies that groups
// name are those of the input, whatever topology the flavors have. Pods of gang trees go to hosts
// only, in the open tree of their flavor: nodes that lack labels are usable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "actors/books/books.h"
#include "actors/flavors/flavors.h"
#include "config/profile.h"
#include "solver/trees/place_tree.h"
#include "solver/trees/tree_of_gang.h"

namespace tessera::core {

/// How gang trees are searched.
struct TreeChoices {
  solver::DomainChoice domains = solver::DomainChoice::kTightest;
  std::int64_t max_steps = INT64_MAX;  // in all, for one search
};

/// A gang tree on flavors.
struct TreeCase {
  const Workload* workload = nullptr;
  const FlavorChoice* choice = nullptr;
  std::span<const Flavor> flavors;
  const Admission* held = nullptr;  // what it holds already; null: nothing
  /// By pod set: pods that may be added. Empty: all.
  std::vector<std::int64_t> most = {};
};

class TreePlacing {
 public:
  /// All outlive this. `options`: for the gangs that slices can say.
  TreePlacing(std::span<const topology::TopologySpec> topologies, const TreeChoices& choices,
              const solver::SearchOptions& options, Books& books, topology::Basis basis)
      : topologies_(topologies),
        choices_(choices),
        options_(&options),
        books_(&books),
        basis_(basis) {}

  /// The minimum of the gang, or what it gets beyond that. `most_steps`, `stop`: as of
  /// SearchOptions. OutOfSteps: the search took more steps than `most_steps`, or was stopped.
  solver::Answer place(const TreeCase& of, solver::TreePart part, std::int64_t most_steps,
                       const std::atomic<bool>* stop) const;

  /// The problem itself; nothing if a group asks for a level that does not exist.
  std::optional<solver::GangTree> problem(const TreeCase& of) const;
  /// The first group that asks for a level that does not exist.
  std::optional<std::uint32_t> fault(const solver::Gang& gang) const;

 private:
  std::optional<solver::Answer> place_uniform(const TreeCase& of, std::int64_t most_steps,
                                              const std::atomic<bool>* stop) const;
  void count_domains(const TreeCase& of, solver::TreeOfGang& from) const;

  std::span<const topology::TopologySpec> topologies_;
  TreeChoices choices_;
  const solver::SearchOptions* options_;
  Books* books_;
  topology::Basis basis_;
};

/// The topology that a group names, by default the only one; null: there is none.
const topology::TopologySpec* find_topology(std::span<const topology::TopologySpec> topologies,
                                            const solver::GangGroup& group);

/// The least that a gang tree takes, by pod set: pods that every placement of the minimum has.
/// `held`: as of TreeCase.
std::vector<std::int64_t> forced_counts(const solver::Gang& gang, const Admission* held);

}  // namespace tessera::core
