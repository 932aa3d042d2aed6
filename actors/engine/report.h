// SPDX-License-Identifier: Apache-2.0
// Report: all decisions of one run of `schedule`: first the placed workloads in the order of their
// placement, then the waiting ones, each with the reason of its refusal.
//
// Made by Engine::run() when the engine has settled. In sequential order, a workload that was
// refused before the last placement is evaluated once more, so that its refusal is true now.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "actors/engine/local_engine.h"
#include "actors/explain/explain.h"
#include "actors/explain/never.h"

namespace tessera::core {

class Report {
 public:
  /// All outlive the report.
  Report(const Inventory& inventory, const Positions& positions, LocalEngine& engine, Judge& judge,
         const std::vector<std::shared_ptr<const CycleRecord>>& records);

  std::vector<Decision> decisions();

 private:
  std::vector<Decision> placed();
  void add_waiting(const QueueState& queue);
  Decision waiting_decision(const QueueState& queue, const QueueState::Standing& standing,
                            GangId head);
  /// The last refusal of a workload, brought up to date.
  const RefusedWorkload& refusal(const PlanQueue& queue, GangId gang);
  const Workload& workload(GangId gang) const;

  const Inventory* inventory_;
  const Positions* positions_;
  LocalEngine* engine_;
  Judge* judge_;
  std::size_t admitted_ = 0;
  /// Last refusal by gang, and how many were admitted before it.
  std::map<GangId, std::pair<RefusedWorkload, std::size_t>> refused_;
  std::vector<Decision> waiting_;
};

}  // namespace tessera::core
