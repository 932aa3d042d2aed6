// SPDX-License-Identifier: Apache-2.0
// Engine: one run of the cycle over an Inventory, in the calling thread, until nothing more can be
// placed (`schedule`).
//
// Start here to see how core's parts fit: Directory (which queue a workload enters), QueueState
// (who is next), PlannerState (plans), Planner (one evaluation: flavors, quota, placement), Worlds
// and Books (what is held), ShardState and RootState (who owns it), Cycle (the order of things),
// LocalEngine (all of it in one thread), Judge and Explainer (what a refusal amounts to). Not
// thread-safe. Deterministic: same inventory and profile, same decisions, in any input order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/explain/evidence.h"
#include "actors/planner/accounting.h"
#include "actors/planner/engine_options.h"
#include "actors/records/decision.h"
#include "actors/records/inventory.h"
#include "solver/gang/flavor_view.h"
#include "topology/capacity.h"

namespace tessera::core {

/// Pods of one workload on one cell.
struct Holding {
  std::size_t workload = 0;  // position in Inventory::workloads
  std::size_t pod_set = 0;
  topology::CellId cell;
  std::int64_t pods = 0;
};

class Engine {
 public:
  Engine(const Inventory& inventory, EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const Inventory& inventory() const;
  const EngineOptions& options() const;
  const Accounting& accounting() const;

  /// Plans the given waiting workloads (indexes into Inventory::workloads) in queue order, each
  /// seeing those before it, until nothing more can be placed. One decision each, in decision
  /// order: the placed as they were placed, then the refused in queue order.
  std::vector<Decision> run(const std::vector<std::size_t>& to_place);

  /// Evidence of a refusal of the last run, against the state after it. With remedies only if
  /// asked: each costs a placement.
  Evidence explain(const Decision& decision, bool with_remedies);

  /// A flavor's view in the current world; null for flavors without topology. `open`: with
  /// unlabelled nodes as leaves.
  const solver::FlavorView* view(const std::string& flavor, bool open = false) const;
  /// Topology flavors, byte order ("default" when the input has no flavors).
  std::vector<std::string> topology_flavors() const;
  const topology::Capacity& capacity() const;
  /// Everything booked now: admitted workloads of the input and those placed by run().
  std::vector<Holding> holdings() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tessera::core
