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

#include "actors/records/inventory.h"
#include "actors/records/reason.h"
#include "config/profile.h"
#include "solver/gang/answer.h"
#include "solver/search/place.h"

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
  std::size_t pod_set = 0;  // of a group: its first member, for kPlacement the refused one
  std::string flavor;
  Symbol level;                                                    // kUnknownLevel
  Symbol resource;                                                 // quota kinds
  topology::Taint taint;                                           // kTaint
  std::int64_t previous = 0, request = 0, limit = 0, missing = 0;  // quota kinds; queues.md 10.1
  /// Quota kinds in a KAI tree: the queue whose `limit`, of all flavors together, stands in the
  /// way, and what is used of it. Empty: quota of a flavor.
  std::string limiting_queue;
  std::int64_t used = 0;
  std::optional<solver::Refusal> refusal;  // kPlacement
};

/// Kueue's reasons of a refusal, the least severe first (queues.md 10.3).
enum class Severity : std::uint8_t { kTopologyPlacement, kQuota, kMaximum, kFlavor };

/// What Kueue's rounds leave of a workload that waits (`rounds: Kueue`).
struct RoundOutcome {
  int round = 0;              // of the last evaluation, from 1; 0: never evaluated
  bool inadmissible = false;  // it waits for an event, not for its turn
  bool lost = false;          // what it was to get went to an earlier one in the same round
  /// Of an evaluated one; nothing: Kueue gives no reason either (queues.md 10.3).
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
  std::size_t workload = 0;  // index in Inventory::workloads
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
  std::optional<Symbol> uncovered_resource;     // no resource group covers it
  std::optional<RoundOutcome> waits_in_rounds;  // refused in `rounds: Kueue`
  int round = 0;                                // placed by it: in this round, from 1
  std::string detail;  // reasons without numbers: name of the missing queue, gate, check, ...
  std::int64_t solver_nanoseconds = 0;  // measured by the caller's clock function, 0 without one
};

/// Pods of one workload on one cell.
struct Holding {
  std::size_t workload = 0;  // index in Inventory::workloads
  std::size_t pod_set = 0;
  topology::CellId cell;
  std::int64_t pods = 0;
};

/// What the state that was read amounts to, for the accounting lines (ux.md rule 2).
struct Accounting {
  std::int64_t bound_pods = 0;  // counted where they run
  /// Bound pods that their workload's assignment stands for: counted once.
  std::int64_t pods_of_known = 0;
  /// Bound pods that no assignment stands for and the profile skips (KueueNonTas).
  std::int64_t not_counted = 0;
  std::int64_t admitted_workloads = 0;
  /// "namespace job/x": owners of counted pods whose workload is not in the input, each once.
  std::vector<std::string> unknown_owners;
  /// Pods of admitted workloads on domains that no node makes up now (workload key, domain text):
  /// not booked anywhere.
  std::vector<std::pair<std::string, std::string>> lost;
  /// What the queues ask for that this version does not evaluate, one text a queue.
  std::vector<std::string> queue_warnings;
  /// Why the shard level of the options is not used (ShardLayout::fault()); empty: it is.
  std::string shard_fault;
};

struct EngineOptions {
  config::Profile profile = {};
  bool ignore_quota = false;
  int rounds = 0;                // --rounds N; 0: until quiescent
  bool live = false;             // nodes, pods and definitions may change while it runs
  bool defers = false;           // searches over the profile's search.maxSteps leave their cycle
  std::string shard_level = {};  // of the primary topology; empty: chosen. No answer depends on it
  int solver_threads = 0;        // 0: as many as there are cores; no answer depends on it
  /// solver::IndexLimits::parallel_leaves; nothing: its own. No answer depends on it either.
  std::optional<std::uint32_t> parallel_leaves = {};
  std::int64_t (*clock)() = nullptr;  // nanoseconds, for figures only; decisions never depend on it
};

/// One remedy that was solved again on a copy before it is told (ux.md rule 3).
struct Remedy {
  enum class Kind { kFinish, kUncordon, kRepair, kRelax, kTolerate, kQuota } kind = Kind::kFinish;
  /// Workload display name ("job/a", several joined by " and "), Node name, level label that
  /// becomes preferred, taint text; kQuota: "nvidia.com/gpu in flavor gb200".
  std::string subject;
  bool enough = false;
  std::int64_t fits = 0, need = 0;  // when not enough: how far it gets, in pods
};

/// Evidence of one refusal, computed on request (`explain`, `-o json`), never on the decision path.
/// One entry for each level where the request wants pods together (slice layers, the required or
/// preferred level and those above). Where pods may spread (level 0 of preferred, unconstrained)
/// `have` is the sum over all domains and there is no `best`.
struct LevelEvidence {
  int level = 0;
  /// Pods that the request needs in one domain of the level, and that the best one can take now.
  std::int64_t need = 0, have = 0;
  /// Takes the most pods now; among equals the most when empty, then the smallest path.
  std::optional<topology::DomainId> best;
  /// The most that any domain takes with nothing running and every node healthy (worlds.h).
  std::int64_t healthy_have = 0;
};
struct NodeCause {
  std::string text;           // "resource nvidia.com/gpu", "taint k=v:NoSchedule", "cordoned", ...
  std::vector<Symbol> nodes;  // Node names, byte order
};
struct Blocker {
  std::size_t workload = 0;
  std::int64_t pods = 0;  // of it in the best domain
  topology::DomainId domain;
};
struct Evidence {
  std::string flavor;  // the flavor the evidence is about
  bool open = false;
  std::vector<LevelEvidence> levels;  // finest first
  /// Even an empty host takes one pod only: pods are hosts.
  bool whole_hosts = false;
  std::int64_t looked_at = 0;
  std::vector<NodeCause> without_room, left_out;
  std::vector<Blocker> blockers;
  std::vector<Remedy> remedies;
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
