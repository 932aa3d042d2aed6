// SPDX-License-Identifier: Apache-2.0
// Plan: what the planner decided in one cycle, and the builder that both orders of planning
// (SequentialPlan, Rounds) use to fill it.
//
// A placed workload is booked on the current world as soon as it is in the plan. If the coordinator
// cuts the plan short, it retracts the rest (PlannerState::retract()). Values; one owner at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/books/worlds.h"
#include "actors/planner/background_search.h"
#include "actors/planner/engine_options.h"
#include "actors/planner/planner.h"
#include "actors/queues/definitions.h"
#include "actors/queues/window.h"
#include "actors/records/cycle_record.h"

namespace tessera::core {

struct QueueOutcomes {
  std::uint32_t queue = 0;
  std::vector<TurnOutcome> outcomes;  // one for every item of its window
};

/// A workload whose search goes on in the background.
struct Deferred {
  GangId gang{};
  std::uint32_t queue = 0;
  std::shared_ptr<const Workload> workload;
  int stale = 0;  // late placements and stopped searches for it so far
};

struct Plan {
  CycleNumber cycle = 0;
  std::vector<Decision> placed;          // by item; of a growth only what is added
  std::vector<Admitted> admitted;        // the same by names
  std::vector<RefusedWorkload> refused;  // evaluated, deferred or unplanned; in plan order
  std::vector<QueueOutcomes> queues;     // by queue
  std::vector<Deferred> deferred;        // in plan order
  std::uint64_t solves = 0;
};

/// What planning works on.
struct PlanContext {
  const Definitions* definitions;
  const Planner* planner;
  Worlds* worlds;
  const EngineOptions* options;
  BooksVersion version;  // before the plan

  std::int64_t max_steps() const {
    return options->defers ? options->profile.search_max_steps : INT64_MAX;
  }
  QuotaRule rule() const {
    return options->ignore_quota ? QuotaRule::kIgnore : QuotaRule::kAvailable;
  }
  std::int64_t clock() const { return options->clock ? options->clock() : 0; }
};

class PlanBuilder {
 public:
  /// Both outlive the builder.
  PlanBuilder(const PlanContext& context, const std::vector<Window>& windows);

  /// Books the workload and gives it its turn. `window`, `item`: positions.
  void admit(std::size_t window, std::size_t item, std::vector<PodSetDecision> pod_sets, int round,
             std::int64_t nanoseconds);
  /// Books what the workload, which is placed, gets besides, and gives it its turn. `item` may have
  /// been placed by this plan.
  void grow(std::size_t window, std::size_t item, std::vector<PodSetDecision> added,
            std::int64_t nanoseconds);
  /// The workload, which is placed, cannot grow now. No record tells this.
  void refuse_growth(std::size_t window, std::size_t item);
  /// What the workload holds, if it is placed, holds its minimum only, and may grow; null: not so.
  const Admission* held_by(const WindowItem& item) const;
  /// An evaluation refused the workload.
  void refuse(std::size_t window, std::size_t item, RefusedWorkload refused, TurnOutcome outcome);
  /// The search for the workload goes on in the background.
  void defer(std::size_t window, std::size_t item, int stale);
  /// The workload had its turn without an evaluation.
  void turn(std::size_t window, std::size_t item, TurnOutcome outcome);
  /// The workload is refused without evaluation: something other than room and quota stands in the
  /// way.
  void refuse_unplanned(std::size_t window, std::size_t item, const Directory::Entry& entry,
                        const std::optional<RoundOutcome>& round);

  std::size_t placed() const { return plan_.placed.size(); }
  Plan finish(CycleNumber cycle);

 private:
  TurnOutcome& outcome(std::size_t window, std::size_t item) {
    return plan_.queues[window].outcomes[item];
  }

  void add(std::size_t window, std::size_t item, Decision decision, bool grows);
  void add_refused(std::size_t window, std::size_t item, RefusedWorkload refused);

  const PlanContext* context_;
  const std::vector<Window>* windows_;
  Plan plan_;
};

/// What pod sets together take of each (flavor, resource), and whether a queue has that quota now.
using QuotaUse = std::map<QuotaColumn, std::int64_t>;
QuotaUse quota_use_of(const std::vector<PodSetDecision>& pod_sets, const Ledger& ledger,
                      QuotaNode queue);
bool has_quota(const PlanContext& context, const PlanQueue& queue,
               const std::vector<PodSetDecision>& pod_sets);

/// What could help a workload that is placed and could not grow.
Hope hope_of_growth(const PlanContext& context);
/// What could help a workload that an evaluation refused.
Hope hope_of(const Workload& workload, const PlanQueue& queue, const Attempt& attempt,
             const PlanContext& context);

}  // namespace tessera::core
