// SPDX-License-Identifier: Apache-2.0
// Engine: one run of the cycle over an Inventory, in the calling thread, until nothing more can be placed (`schedule`).
//
// Start here to see how core's parts fit: Planner (capacity, trees, ledger copy, the solver), QueueState (order of heads), Cycle.
// Not thread-safe. Deterministic: same inventory and profile, same decisions, whatever the input order.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/core/inventory.h"
#include "actors/core/reason.h"
#include "config/profile.h"
#include "solver/answer.h"
#include "solver/place.h"

namespace tessera::core {

/// Why one flavor of a resource group was not taken (queues.md 7.2), in the words of its parts.
struct FlavorRejection {
  enum class Kind {
    kMissing, kNotTopologyAware, kOnlyTopologyAware, kUnknownLevel, kNoTopology, kTaint, kAffinity, kOverMaximum, kNoUnusedQuota, kPlacement,
  } kind;
  std::string flavor;
  Symbol resource;                 // quota kinds
  topology::Taint taint;           // kTaint
  std::int64_t previous = 0, request = 0, limit = 0, missing = 0;  // quota kinds; queues.md 10.1
  std::optional<solver::Refusal> refusal;  // kPlacement
};

/// One pod set of a decision.
struct PodSetDecision {
  std::int64_t count = 0;                      // pods placed (partial admission may lower it)
  std::map<std::string, std::string> flavors;  // resource -> flavor
  std::string topology_flavor;                 // the flavor whose tree `placement` refers to; empty: none
  solver::PodSetPlacement placement;
  Amounts usage;                               // quota side, all pods
};

/// What was decided for one workload, and why. Trees are looked up in the Engine by flavor name.
struct Decision {
  std::size_t workload = 0;  // index in Inventory::workloads
  Outcome outcome = Outcome::kWaits;
  Reason reason = Reason::kNone;
  std::string cluster_queue;
  std::vector<PodSetDecision> pod_sets;        // placed
  std::vector<std::string> waits_for_checks;   // placed, but these admission checks are not ready
  // Refused: the first pod set that failed, the flavors tried for it, and what the dominant one says.
  std::size_t failed_pod_set = 0;
  std::vector<FlavorRejection> rejections;
  std::optional<Symbol> uncovered_resource;    // no resource group covers it
  std::string detail;                          // reasons without numbers: name of the missing queue, gate, check, ...
  std::int64_t solver_nanoseconds = 0;         // measured by the caller's clock function, 0 without one
};

struct EngineOptions {
  config::Profile profile;
  bool ignore_quota = false;
  int rounds = 0;               // --rounds N; 0: until quiescent
  std::int64_t (*clock)() = nullptr;  // nanoseconds, for figures only; decisions never depend on it
};

}  // namespace tessera::core
