// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/nomination.h"

#include <algorithm>

namespace tessera::core {
namespace {

using Kind = FlavorRejection::Kind;

Mode mode_of(const std::vector<PodSetScan>& pod_sets) {
  Mode mode = Mode::kFit;
  for (const PodSetScan& pod_set : pod_sets) {
    if (pod_set.refused()) return Mode::kNoFit;
    if (!pod_set.fits() && pod_set.worst != FlavorFit::kFits) mode = Mode::kPreempt;
  }
  return mode;
}

/// Finds the one topology flavor of every pod set that needs one (placement.md 1.6, M7).
void find_topology_flavors(const FlavorProblem& problem, FlavorScan& scan) {
  for (std::size_t i = 0; i < scan.pod_sets.size(); ++i) {
    const solver::PodSet& pod_set = problem.workload->gang.pod_sets[i];
    if (!topology_wanted(*problem.queue, pod_set)) continue;
    const std::vector<FlavorId> found = topology_flavors_of(problem, scan.choice.pod_sets[i]);
    if (found.size() == 1) scan.choice.pod_sets[i].topology = *found.begin();
    if (found.size() == 1 || problem.counts[i] == 0) continue;
    scan.pod_sets[i].reasons.push_back(topology_flavor_fault(problem, i, found));
    scan.pod_sets[i].error = true;
  }
}

/// Within a group of resources the least severe reason counts; of all groups and pod sets, the most
/// severe (queues.md 10.3).
std::optional<Severity> severity_of(const std::vector<PodSetScan>& pod_sets) {
  std::optional<Severity> most;
  for (const PodSetScan& pod_set : pod_sets) {
    if (!pod_set.refused()) continue;
    if (!pod_set.tried) most = Severity::kFlavor;
    FlatMap<const PlanGroup*, Severity> least;
    for (const auto& [tried, severity] : pod_set.unfit) {
      least.emplace(tried.first, severity);
      Severity& of_group = least[tried.first];
      of_group = std::min(of_group, severity);
    }
    for (const auto& [group, severity] : least) most = std::max(most.value_or(severity), severity);
  }
  return most;
}

Attempt attempt_of(const std::vector<PodSetScan>& pod_sets) {
  Attempt attempt;
  bool first = true;
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    if (pod_sets[i].fits()) continue;
    if (first) attempt.failed_pod_set = i;
    first = false;
    for (const FlavorRejection& rejection : pod_sets[i].reasons) {
      if (rejection.kind == Kind::kUncovered) attempt.uncovered = rejection.resource;
    }
    attempt.rejections.insert(attempt.rejections.end(), pod_sets[i].reasons.begin(),
                              pod_sets[i].reasons.end());
  }
  return attempt;
}

/// Places what the scan has chosen (queues.md 7.4).
class Placing {
 public:
  Placing(const Planner& planner, const FlavorProblem& problem, FlavorScan& scan, Books& books)
      : planner_(planner), problem_(problem), scan_(scan), books_(books) {}

  Mode run(Mode mode) {
    if (mode == Mode::kNoFit) return mode;
    find_topology_flavors(problem_, scan_);
    mode = mode_of(scan_.pod_sets);
    if (mode == Mode::kFit && !place(topology::Basis::kFree)) mode = Mode::kPreempt;
    if (mode == Mode::kPreempt && !place(topology::Basis::kEmpty)) mode = Mode::kNoFit;
    return mode;
  }

  std::optional<solver::Placement> placement;

 private:
  bool place(topology::Basis basis) {
    solver::Answer answer =
        planner_.place(*problem_.workload, problem_.counts, scan_.choice, books_, basis);
    if (auto* placed = std::get_if<solver::Placement>(&answer)) {
      placement = std::move(*placed);
      return true;
    }
    solver::Refusal& refusal = std::get<solver::Refusal>(answer);
    const std::size_t i = refusal.pod_set;
    const FlavorId flavor = *scan_.choice.pod_sets[i].topology;
    if (basis == topology::Basis::kEmpty) {
      note_hopeless(i, flavor);
      return false;
    }
    FlavorRejection rejection;
    rejection.kind = Kind::kPlacement;
    rejection.pod_set = i;
    rejection.flavor = problem_.flavors[index(flavor)].record.name;
    rejection.refusal = std::move(refusal);
    scan_.pod_sets[i].reasons.push_back(std::move(rejection));
    scan_.pod_sets[i].worst = FlavorFit::kNoCandidates;
    return false;
  }

  /// Called if the pod set does not fit even with no workload on the nodes.
  void note_hopeless(std::size_t i, FlavorId flavor) {
    scan_.pod_sets[i].worst = FlavorFit::kNone;
    for (const auto& [resource, chosen] : scan_.choice.pod_sets[i].by_resource) {
      if (chosen != flavor) continue;
      scan_.pod_sets[i].unfit[{group_of(*problem_.queue, resource), flavor}] =
          Severity::kTopologyPlacement;
    }
  }

  const Planner& planner_;
  const FlavorProblem& problem_;
  FlavorScan& scan_;
  Books& books_;
};

}  // namespace

Nominator::Nominator(const Planner& planner, std::span<const Flavor> flavors, QuotaRule rule)
    : planner_(&planner), flavors_(flavors), rule_(rule) {}

Nomination Nominator::nominate(const Workload& workload, const PlanQueue& queue, Books& books,
                               const ScanRecord& from) const {
  books.live_index().begin_cycle();
  return search_counts(workload, queue, books, {from, nullptr});
}

Nomination Nominator::nominate_again(const Workload& workload, const PlanQueue& queue, Books& books,
                                     const Nomination& lost) const {
  const ScanRecord first;
  return search_counts(workload, queue, books, {first, &lost.choice});
}

/// Kueue has no gang trees: one is evaluated as in sequential order, and keeps nobody from room.
Nomination Nominator::nominate_tree(const Workload& workload, const PlanQueue& queue,
                                    Books& books) const {
  Nomination nomination;
  nomination.attempt = planner_->evaluate(workload, queue, books, rule_);
  if (nomination.attempt.placed) {
    nomination.mode = Mode::kFit;
    nomination.pod_sets = std::move(nomination.attempt.pod_sets);
    nomination.attempt = {};
    return nomination;
  }
  const bool lacks_room =
      std::any_of(nomination.attempt.rejections.begin(), nomination.attempt.rejections.end(),
                  [](const FlavorRejection& each) { return each.kind == Kind::kPlacement; });
  nomination.severity = lacks_room ? Severity::kTopologyPlacement : Severity::kQuota;
  return nomination;
}

Nomination Nominator::search_counts(const Workload& workload, const PlanQueue& queue, Books& books,
                                    Start start) const {
  if (workload.gang.is_tree()) return nominate_tree(workload, queue, books);
  std::vector<std::int64_t> all;
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) all.push_back(pod_set.count);
  Nomination full = evaluate(workload, all, queue, books, start);
  if (full.mode == Mode::kFit) return full;
  std::optional<Nomination> fewer;
  planner_->pod_counts(workload).search([&](std::span<const std::int64_t> counts) {
    Nomination tried = evaluate(workload, counts, queue, books, start);
    const bool fits = tried.mode == Mode::kFit;
    if (fits) fewer = std::move(tried);
    return fits;
  });
  return fewer ? *std::move(fewer) : full;
}

Nomination Nominator::evaluate(const Workload& workload, std::span<const std::int64_t> counts,
                               const PlanQueue& queue, Books& books, Start start) const {
  const FlavorProblem problem{&workload, counts, &queue, flavors_, &books.ledger(), rule_};
  FlavorScan scan = scan_flavors(problem, start.from, start.pinned);
  Placing placing(*planner_, problem, scan, books);
  Nomination nomination;
  nomination.mode = placing.run(mode_of(scan.pod_sets));
  nomination.level = scan.choice.borrowing_level;
  if (nomination.mode != Mode::kFit) nomination.attempt = attempt_of(scan.pod_sets);
  if (nomination.mode == Mode::kNoFit) {
    nomination.severity = severity_of(scan.pod_sets);
  } else {
    nomination.severity = Severity::kQuota;
    nomination.pod_sets =
        planner_->decide(counts, scan.choice, *std::move(placing.placement), books.cluster());
  }
  nomination.choice = std::move(scan.choice);
  nomination.record = std::move(scan.record);
  return nomination;
}

}  // namespace tessera::core
