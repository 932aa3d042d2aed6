// SPDX-License-Identifier: Apache-2.0
// Engine: one run of the cycle over an Inventory, in the calling thread, until nothing more can be
// placed (`schedule`).
//
// Start here to see how the parts fit: Directory (which queue a workload enters), QueueState (which
// gang is next), PlannerState (plans), Planner (one evaluation: flavors, quota, placement), Worlds
// and Books (what is held), ShardState and RootState (the owners of capacity and quota), Cycle (the
// steps and their order), LocalEngine (all parts in one thread), Judge and Explainer (why a
// workload is refused). Not thread-safe. Deterministic: the same inventory and profile give the
// same decisions, in whatever order the input came.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "actors/books/accounting.h"
#include "actors/explain/cluster_view.h"
#include "actors/explain/evidence.h"
#include "actors/planner/engine_options.h"
#include "actors/records/decision.h"
#include "actors/records/inventory.h"

namespace tessera::core {

class Engine : public ClusterView {
 public:
  Engine(std::shared_ptr<const Inventory> inventory, EngineOptions options);
  /// The same, with an inventory that nobody else keeps.
  Engine(Inventory inventory, EngineOptions options);
  ~Engine() override;

  const Inventory& inventory() const;
  const EngineOptions& options() const;
  const Accounting& accounting() const;

  /// Plans the given waiting workloads (indexes into Inventory::workloads) in queue order until
  /// nothing more can be placed. Each sees the placements before it. Returns a decision for each:
  /// first the placed ones in the order of their placement, then the refused ones in queue order.
  std::vector<Decision> run(const std::vector<std::size_t>& to_place);

  /// The evidence of a refusal of the last run, on the state after that run.
  Evidence explain(const Decision& decision, Depth depth);

  // The cluster as it is after the last run.
  const Workload& workload(std::size_t id) const override;
  const config::Profile& profile() const override;
  std::span<const topology::NodeRecord> nodes() const override;
  std::span<const FlavorRecord> flavors() const override;
  std::span<const RefusedObject> refused() const override;
  const solver::FlavorView* view(const std::string& flavor, bool open = false) const override;
  std::vector<std::string> topology_flavors() const override;
  const topology::Capacity& capacity() const override;
  /// Admitted workloads of the input and those placed by run().
  std::vector<Holding> holdings() const override;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tessera::core
