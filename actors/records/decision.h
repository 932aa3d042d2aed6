// SPDX-License-Identifier: Apache-2.0
// Decision: what was decided for one workload, and why: the flavors and leaves it got, or what
// refused each flavor.
//
// Plain values, made by the planner. No decision depends on a measured time. ingest/text writes the
// texts for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/records/assignment.h"
#include "actors/records/reason.h"
#include "solver/gang/answer.h"

namespace tessera::core {

/// Why one flavor of a resource group was not taken (queues.md 7.2), in the words of its parts.
struct FlavorRejection {
  enum class Kind {
    kMissing,
    kNotTopologyAware,
    kOnlyTopologyAware,
    kUnknownLevel,
    kNoTopology,
    kTaint,
    kAffinity,
    kOverMaximum,
    kNoUnusedQuota,
    kPlacement,
    kNoTopologyFlavor,        // the pod set needs a topology flavor and its resources lead to none
                              // (placement.md M7); no flavor
    kSeveralTopologyFlavors,  // ... or to several: `flavor` is "a, b" (M7)
    kUncovered,               // no resource group covers `resource`; no flavor
    kNotNominated,  // not the flavor that `resource` had when the round began (queues.md 2)
  } kind = Kind::kMissing;
  std::size_t pod_set = 0;  // in a pod-set group, quota kinds: its first member
  std::string flavor;
  Symbol level;                                                    // kUnknownLevel
  Symbol resource;                                                 // quota kinds
  topology::Taint taint;                                           // kTaint
  std::int64_t previous = 0, request = 0, limit = 0, missing = 0;  // quota kinds; queues.md 10.1
  /// Quota kinds in a KAI tree: the queue whose `limit` stands in the way, and how much of that
  /// limit is used. The limit counts all flavors together. Empty: the quota of one flavor stands in
  /// the way.
  std::string limiting_queue;
  std::int64_t used = 0;
  std::optional<solver::Refusal> refusal;  // kPlacement
};

/// Kueue's reasons of a refusal, the least severe first (queues.md 10.3).
enum class Severity : std::uint8_t { kTopologyPlacement, kQuota, kMaximum, kFlavor };

/// How Kueue's rounds ended for a workload that waits (`rounds: Kueue`).
struct RoundOutcome {
  int round = 0;              // of the last evaluation, from 1; 0: never evaluated
  bool inadmissible = false;  // it waits for an event, not for its turn
  bool lost = false;          // an earlier workload of the round took its room or quota
  /// Of the last evaluation. Nothing: Kueue gives no reason either (queues.md 10.3).
  std::optional<Severity> severity;
};

/// One pod set of a decision.
struct PodSetDecision {
  std::int64_t count = 0;  // pods placed (partial admission may lower it)
  ResourceFlavors flavors;
  std::string topology_flavor;  // the flavor whose tree `placement` refers to; empty: none
  bool open = false;            // `placement` refers to the open tree of that flavor (Engine::view)
  solver::PodSetPlacement placement;
  Amounts usage;  // quota side, all pods
};

/// What was decided for one workload, and why. Trees are looked up in the Engine by flavor name.
struct Decision {
  std::size_t workload = 0;  // position in Inventory::workloads
  Outcome outcome = Outcome::kWaits;
  Reason reason = Reason::kNone;
  std::string cluster_queue;
  std::vector<PodSetDecision> pod_sets;       // placed
  std::vector<std::string> waits_for_checks;  // placed, but these admission checks are not ready
  // Refused: the first pod set that failed, and why each flavor was not taken, first failing
  // placement first.
  std::size_t failed_pod_set = 0;
  std::vector<FlavorRejection> rejections;
  /// kNever: what stands in the way with every node healthy, nothing running and the whole cohort's
  /// quota idle. Explains `reason`.
  std::vector<FlavorRejection> never_rejections;
  bool orders_only = false;  // kNever: every order of pod sets was refused, not every way looked at
  std::optional<Symbol> uncovered_resource;     // no resource group covers it
  std::optional<RoundOutcome> waits_in_rounds;  // refused in `rounds: Kueue`
  int round = 0;                                // the round that placed it, from 1
  std::string detail;  // reasons without numbers: name of the missing queue, gate, check, ...
  std::int64_t solver_nanoseconds = 0;  // measured by the caller's clock function, 0 without one
};

}  // namespace tessera::core
