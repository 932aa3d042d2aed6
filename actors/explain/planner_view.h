// SPDX-License-Identifier: Apache-2.0
// PlannerView: the ClusterView of what a planner knows: its trees, and everything booked on them.
//
// Used by the owner of the planner, in its thread: by Engine, and by `simulate` before the engine
// takes the planner over. Each call shows the planner as it is then; the view keeps no state.
#pragma once

#include <string>
#include <vector>

#include "actors/explain/cluster_view.h"
#include "actors/planner/planner_state.h"
#include "actors/shortage/refused_case.h"

namespace tessera::core {

class PlannerView : public ClusterView {
 public:
  /// All outlive the view. `positions`: of the gangs that hold something.
  PlannerView(const Inventory& inventory, const PlannerState& planner, const Positions& positions)
      : inventory_(&inventory), planner_(&planner), positions_(&positions) {}

  const Workload& workload(std::size_t id) const override { return inventory_->workloads[id]; }
  const config::Profile& profile() const override { return planner_->options().profile; }
  std::span<const topology::NodeRecord> nodes() const override { return inventory_->nodes; }
  std::span<const FlavorRecord> flavors() const override { return inventory_->flavors; }
  std::span<const RefusedObject> refused() const override { return inventory_->refused; }
  const solver::FlavorView* view(const std::string& flavor, bool open = false) const override;
  std::vector<std::string> topology_flavors() const override;
  const topology::Capacity& capacity() const override { return books().capacity(); }
  std::vector<Holding> holdings() const override;

 private:
  const Books& books() const { return planner_->worlds().current(); }

  const Inventory* inventory_;
  const PlannerState* planner_;
  const Positions* positions_;
};

}  // namespace tessera::core
