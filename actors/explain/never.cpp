// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/never.h"

#include <algorithm>
#include <array>

#include "actors/queues/shape.h"
#include "actors/shortage/any_order.h"
#include "actors/shortage/leaf_room.h"

namespace tessera::core {
namespace {

using Kind = FlavorRejection::Kind;
using CauseKind = solver::CauseCount::Kind;

bool is_quota(const FlavorRejection& rejection) {
  return rejection.kind == Kind::kOverMaximum || rejection.kind == Kind::kNoUnusedQuota;
}

/// True if the queue's own quota would do, but its cohort has lent it out; or if a KAI Queue above
/// has a tighter limit than the queue.
bool parent_is_short(const PlanQueue& queue, const Ledger& ledger,
                     const FlavorRejection& rejection) {
  if (queue.is_kai) return rejection.limiting_queue != queue.name;
  if (rejection.kind != Kind::kNoUnusedQuota || !queue.quota || !ledger.has_parent(*queue.quota)) {
    return false;
  }
  const auto column = ledger.column(*queue.quota, Symbol(rejection.flavor), rejection.resource);
  if (!column) return false;
  const std::int64_t wanted =
      topology::saturating_add(topology::saturating_add(rejection.previous, rejection.request),
                               ledger.usage(*queue.quota, *column));
  return wanted <= ledger.nominal(*queue.quota, *column);
}

Reason flavor_reason(const std::vector<FlavorRejection>& rejections) {
  for (const auto& [kind, reason] :
       {std::pair(Kind::kTaint, Reason::kTaint), std::pair(Kind::kAffinity, Reason::kAffinity),
        std::pair(Kind::kNoTopology, Reason::kTopologyMissing)}) {
    const Kind wanted = kind;
    if (std::any_of(rejections.begin(), rejections.end(),
                    [wanted](const FlavorRejection& each) { return each.kind == wanted; })) {
      return reason;
    }
  }
  return Reason::kFlavor;
}

struct FilterCause {
  CauseKind kind;
  Reason reason;
  std::int64_t leaves = 0;
};

/// Filters that exclude leaves: the one with the most leaves first, equals in the order of
/// placement.md 2.2.
std::vector<FilterCause> filter_causes(const solver::Refusal& refusal) {
  std::vector<FilterCause> causes = {{CauseKind::kTaint, Reason::kTaint},
                                     {CauseKind::kNodeSelector, Reason::kNodeSelector},
                                     {CauseKind::kAffinity, Reason::kAffinity}};
  for (const solver::CauseCount& count : refusal.causes) {
    for (FilterCause& cause : causes) {
      if (cause.kind == count.kind) cause.leaves += count.leaves;
    }
  }
  causes.erase(std::remove_if(causes.begin(), causes.end(),
                              [](const FilterCause& cause) { return cause.leaves == 0; }),
               causes.end());
  std::stable_sort(causes.begin(), causes.end(),
                   [](const FilterCause& a, const FilterCause& b) { return a.leaves > b.leaves; });
  return causes;
}

/// The workload without one kind of filter.
Workload lifted(const Workload& workload, CauseKind kind) {
  Workload copy = workload;
  for (solver::PodSet& pod_set : copy.gang.pod_sets) {
    topology::NodeFilter& filter = pod_set.filter;
    if (kind == CauseKind::kTaint) {
      topology::Toleration everything;
      everything.op = topology::TolerationOperator::kExists;
      filter.tolerations = {everything};
    } else if (kind == CauseKind::kNodeSelector) {
      filter.node_selector.clear();
    } else {
      filter.required.reset();
    }
  }
  return copy;
}

/// True if this kind of filter can keep a pod from a node.
bool any_filter(const Workload& workload, std::span<const topology::NodeRecord> nodes,
                CauseKind kind) {
  if (kind == CauseKind::kTaint) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [](const topology::NodeRecord& node) { return !node.taints.empty(); });
  }
  const auto& pod_sets = workload.gang.pod_sets;
  return std::any_of(pod_sets.begin(), pod_sets.end(), [&](const solver::PodSet& pod_set) {
    return kind == CauseKind::kNodeSelector ? !pod_set.filter.node_selector.empty()
                                            : pod_set.filter.required.has_value();
  });
}

/// A gang tree is refused by a search that is a proof, unless its steps ended. Pods that it lacks
/// may come.
bool tree_may_fit(const Attempt& attempt) {
  const solver::Refusal* refusal = attempt.refusal();
  return refusal != nullptr && (refusal->obstacle == solver::Obstacle::kTreeBounded ||
                                refusal->obstacle == solver::Obstacle::kTreeShortOfPods);
}

/// Pods of a gang that run may end, and then its other pods may go elsewhere.
bool has_running_pods(const Workload& workload) {
  return std::any_of(workload.gang.groups.begin(), workload.gang.groups.end(),
                     [](const solver::GangGroup& group) { return !group.running.empty(); });
}

/// The workload without the exclusive domains, or the spread, of its groups; nothing if it has
/// none.
std::optional<Workload> without_apart(const Workload& workload, Reason reason) {
  Workload copy = workload;
  bool any = false;
  for (solver::GangGroup& group : copy.gang.groups) {
    any = any || (reason == Reason::kExclusive ? group.exclusive.level : group.spread.level);
    if (reason == Reason::kExclusive) group.exclusive = {};
    if (reason == Reason::kSpread) group.spread = {};
  }
  return any ? std::optional(std::move(copy)) : std::nullopt;
}

}  // namespace

Judge::Judge(const Planner& planner, std::span<const Flavor> flavors, Worlds& worlds,
             bool ignore_quota)
    : planner_(&planner), flavors_(flavors), worlds_(&worlds), ignore_quota_(ignore_quota) {}

void Judge::judge(const Workload& workload, const PlanQueue& queue, Attempt attempt,
                  Decision& decision) {
  decision.failed_pod_set = attempt.failed_pod_set;
  decision.uncovered_resource = attempt.uncovered;
  // Kueue cuts remainders off: there a request is at fault only where Kueue would lose pods.
  if (planner_->cuts_remainders() && attempt.invalid()) {
    return say_invalid(std::move(attempt), std::nullopt, decision);
  }
  BestCase& best = best_case(workload, queue);
  if (best.fault) return say_invalid(std::move(attempt), best.fault, decision);
  if (!attempt.refusal()) wait_for_fewer(workload, queue, attempt, decision);
  // A workload that lacks only quota does not wait for nodes.
  const bool nodes_matter = !best.fits || attempt.refusal();
  const bool fits = nodes_matter ? fits_empty(workload, queue, best) : best.fits;
  if (!best.fits && !fits) {
    if (!best.never_reason) {
      best.never_reason =
          dominant_reason(workload, queue, best.attempt, worlds_->healthy(), ever());
    }
    decision.outcome = Outcome::kNever;
    decision.reason = *best.never_reason;
    decision.never_rejections = best.attempt.rejections;
    decision.orders_only = best.orders_only;
  } else {
    decision.outcome = Outcome::kWaits;
    if (!fits) {
      decision.reason = Reason::kNodeHealth;
    } else {
      decision.reason = dominant_reason(workload, queue, attempt, worlds_->current(), now());
      // The nodes that the workload itself chose would do: they have no room now.
      if (decision.reason == Reason::kNodeSelector || decision.reason == Reason::kAffinity)
        decision.reason = Reason::kTopologyFit;
      if (decision.reason == Reason::kTopologyFit && fragmented(workload, attempt)) {
        decision.reason = Reason::kFragmented;
      }
    }
  }
  decision.rejections = std::move(attempt.rejections);
  const bool quota = decision.reason == Reason::kQuota || decision.reason == Reason::kQuotaParent;
  if (quota && !decision.uncovered_resource && cohort_could_help(queue, decision)) {
    decision.detail =
        "Cohort " + queue.missing_cohort + " is not in the input, so its own quota is unknown";
  }
}

/// True if the cohort that the input lacks could lift a refusal by quota: in some flavor, borrowing
/// limits let the queue have what is asked for.
bool Judge::cohort_could_help(const PlanQueue& queue, const Decision& decision) const {
  const Ledger& ledger = worlds_->current().ledger();
  const auto missing = ledger.cohort(queue.missing_cohort);
  if (queue.missing_cohort.empty() || !queue.quota || !missing) return false;
  const bool ever = decision.outcome == Outcome::kNever;
  std::map<std::string_view, bool> could;  // by flavor
  for (const FlavorRejection& each : ever ? decision.never_rejections : decision.rejections) {
    if (each.kind != FlavorRejection::Kind::kOverMaximum &&
        each.kind != FlavorRejection::Kind::kNoUnusedQuota) {
      continue;
    }
    const auto column = ledger.column(*queue.quota, Symbol(each.flavor), each.resource);
    const bool enough = column && topology::saturating_add(each.previous, each.request) <=
                                      ledger.most_below(*queue.quota, *column, *missing, ever);
    bool& so_far = could.try_emplace(each.flavor, true).first->second;
    so_far = so_far && enough;
  }
  return std::any_of(could.begin(), could.end(), [](const auto& each) { return each.second; });
}

/// If quota refuses all pods, but has room for the fewest that are allowed, the nodes stand in the
/// way. Kueue tells about all pods.
void Judge::wait_for_fewer(const Workload& workload, const PlanQueue& queue, Attempt& attempt,
                           Decision& decision) const {
  const PodCounts counts = planner_->pod_counts(workload);
  if (planner_->cuts_remainders() || counts.broken() || counts.fewer() == 0) return;
  const std::vector<std::int64_t> least = counts.candidate(counts.fewer());
  Workload fewest = workload;
  for (std::size_t i = 0; i < least.size(); ++i) {
    fewest.gang.pod_sets[i].count = least[i];
    fewest.gang.pod_sets[i].min_count.reset();
  }
  Attempt of_fewest = planner_->evaluate(fewest, queue, worlds_->current(), now());
  if (!of_fewest.refusal()) return;
  attempt = std::move(of_fewest);
  decision.failed_pod_set = attempt.failed_pod_set;
  decision.uncovered_resource = attempt.uncovered;
}

void Judge::say_invalid(Attempt attempt, const std::optional<FlavorRejection>& fault,
                        Decision& decision) const {
  decision.outcome = Outcome::kInvalid;
  decision.reason = Reason::kInvalid;
  if (attempt.invalid() || !fault) {
    decision.rejections = std::move(attempt.rejections);
    return;
  }
  decision.failed_pod_set = fault->pod_set;
  decision.uncovered_resource.reset();
  decision.rejections = {*fault};
}

Judge::BestCase& Judge::best_case(const Workload& workload, const PlanQueue& queue) {
  if (best_cases_.size() >= kMostBestCases) best_cases_.clear();
  const auto [at, added] = best_cases_.try_emplace(shape_of(workload, queue));
  BestCase& best = at->second;
  if (!added) return best;
  if (!planner_->cuts_remainders()) best.fault = planner_->fault(workload, queue);
  if (best.fault) return best;
  best.attempt = planner_->evaluate(workload, queue, worlds_->healthy(), ever());
  best.fits = best.attempt.placed;
  if (best.fits) return best;
  if (workload.gang.is_tree()) {
    best.fits = tree_may_fit(best.attempt) || has_running_pods(workload);
    return best;
  }
  const OtherOrder other =
      another_order(*planner_, flavors_, workload, queue, worlds_->healthy(), ever());
  best.fits = other == OtherOrder::kMayFit;
  best.orders_only = other == OtherOrder::kNoneTried;
  return best;
}

bool Judge::fits_empty(const Workload& workload, const PlanQueue& queue, BestCase& best) {
  if (!worlds_->any_node_broken()) return best.fits;
  if (!best.fits_empty && workload.gang.is_tree()) {
    const Attempt attempt = planner_->evaluate(workload, queue, worlds_->empty(), ever());
    best.fits_empty = attempt.placed || tree_may_fit(attempt);
  }
  if (!best.fits_empty) {
    best.fits_empty = planner_->evaluate(workload, queue, worlds_->empty(), ever()).placed ||
                      another_order(*planner_, flavors_, workload, queue, worlds_->empty(),
                                    ever()) == OtherOrder::kMayFit;
  }
  return *best.fits_empty;
}

Reason Judge::dominant_reason(const Workload& workload, const PlanQueue& queue,
                              const Attempt& attempt, Books& books, QuotaRule rule) const {
  if (const solver::Refusal* refusal = attempt.refusal()) {
    return placement_reason(workload, queue, *refusal, books, rule);
  }
  if (attempt.uncovered) return Reason::kQuota;
  const auto quota = std::find_if(attempt.rejections.begin(), attempt.rejections.end(), is_quota);
  if (quota != attempt.rejections.end()) {
    return parent_is_short(queue, books.ledger(), *quota) ? Reason::kQuotaParent : Reason::kQuota;
  }
  return flavor_reason(attempt.rejections);
}

Reason Judge::placement_reason(const Workload& workload, const PlanQueue& queue,
                               const solver::Refusal& refusal, Books& books, QuotaRule rule) const {
  if (workload.gang.is_tree()) return tree_reason(workload, queue, refusal, books, rule);
  const std::vector<FilterCause> causes = filter_causes(refusal);
  std::int64_t filtered = 0;
  for (const FilterCause& cause : causes) filtered += cause.leaves;
  if (filtered > 0 && filtered == refusal.leaves) return causes.front().reason;
  for (const FilterCause& cause : causes) {
    if (planner_->evaluate(lifted(workload, cause.kind), queue, books, rule).placed) {
      return cause.reason;
    }
  }
  return Reason::kTopologyFit;
}

Reason Judge::tree_reason(const Workload& workload, const PlanQueue& queue,
                          const solver::Refusal& refusal, Books& books, QuotaRule rule) const {
  if (refusal.obstacle == solver::Obstacle::kTreeBounded) return Reason::kBudget;
  if (refusal.obstacle == solver::Obstacle::kTreeShortOfPods) return Reason::kMinMembers;
  for (const Reason reason : {Reason::kExclusive, Reason::kSpread}) {
    const std::optional<Workload> copy = without_apart(workload, reason);
    if (copy && planner_->evaluate(*copy, queue, books, rule).placed) return reason;
  }
  for (const auto& [kind, reason] : {std::pair(CauseKind::kTaint, Reason::kTaint),
                                     std::pair(CauseKind::kNodeSelector, Reason::kNodeSelector),
                                     std::pair(CauseKind::kAffinity, Reason::kAffinity)}) {
    if (!any_filter(workload, worlds_->nodes(), kind)) continue;
    if (planner_->evaluate(lifted(workload, kind), queue, books, rule).placed) return reason;
  }
  return Reason::kTopologyFit;
}

/// True if there is enough room in all, but not in any single domain of the required level.
bool Judge::fragmented(const Workload& workload, const Attempt& attempt) const {
  for (const FlavorRejection& rejection : attempt.rejections) {
    if (!rejection.refusal) continue;
    const solver::PodSet& pod_set = workload.gang.pod_sets[rejection.pod_set];
    const std::optional<FlavorId> flavor = find_flavor(flavors_, rejection.flavor);
    if (!pod_set.topology.required || !flavor) return false;
    const Books& books = worlds_->current();
    const solver::FlavorView* view = books.cluster().view(*flavor, false);
    return room_together(*view, books, pod_set) >= pod_set.count;
  }
  return false;
}

}  // namespace tessera::core
