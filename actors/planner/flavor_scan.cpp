// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/flavor_scan.h"

#include <algorithm>

namespace tessera::core {
namespace {

using Kind = FlavorRejection::Kind;
using Unit = std::vector<std::size_t>;
using Chosen = FlavorOfResource;

/// One resource, or the least preferred of several, in one flavor.
struct Rank {
  FlavorFit fit = FlavorFit::kFits;
  int level = 0;

  bool worse_than(const Rank& other) const {
    return fit != other.fit ? fit < other.fit : level > other.level;
  }
};

/// What one flavor offers to a unit.
struct Offer {
  Rank rank;
  std::map<Symbol, Rank, topology::ByText> resources;
};

class Scanner {
 public:
  Scanner(const FlavorProblem& problem, const ScanRecord& from, const FlavorChoice* pinned)
      : problem_(problem), from_(from), pinned_(pinned) {
    const std::size_t pod_sets = problem.workload->gang.pod_sets.size();
    scan_.choice.pod_sets.resize(pod_sets);
    scan_.pod_sets.resize(pod_sets);
    for (std::size_t i = 0; i < pod_sets; ++i) {
      requests_.push_back(quota_request(*problem.workload, *problem.queue, i, problem.counts[i]));
    }
  }

  FlavorScan run() {
    for (const Unit& unit : flavor_units(problem_.workload->gang)) {
      if (!scan_unit(unit)) break;
    }
    return std::move(scan_);
  }

 private:
  /// The unit's search so far; shared by its members at its end.
  struct UnitScan {
    PodSetScan found;
    Chosen chosen;
    std::map<Symbol, Rank, topology::ByText> ranks;
    std::map<Symbol, int, topology::ByText> stopped;
  };

  /// False: the unit found nothing, which ends the scan.
  bool scan_unit(const Unit& unit) {
    Amounts request;
    for (const std::size_t i : unit) request.add(requests_[i]);
    std::vector<Symbol> resources;
    for (const topology::Amount& amount : request) resources.push_back(amount.resource);
    UnitScan state;
    bool complete = true;
    for (const Symbol resource : search_order(std::move(resources))) {
      if (state.chosen.count(resource) > 0) continue;
      if (scan_resource(unit, resource, request, state)) continue;
      complete = false;
      state.chosen.clear();
      break;
    }
    hand_out(unit, request, state);
    return complete;
  }

  bool scan_resource(const Unit& unit, Symbol resource, const Amounts& request, UnitScan& state) {
    const PlanGroup* group = group_of(*problem_.queue, resource);
    if (!group) {
      if (request.get(resource) == 0 || problem_.rule == QuotaRule::kIgnore) return true;
      FlavorRejection rejection;
      rejection.kind = Kind::kUncovered;
      rejection.resource = resource;
      state.found.reasons = {std::move(rejection)};
      return false;
    }
    return search_group(unit, *group, resource, part_of_group(*problem_.queue, *group, request),
                        state);
  }

  /// The search of queues.md 7.2.
  bool search_group(const Unit& unit, const PlanGroup& group, Symbol resource,
                    const Amounts& request, UnitScan& state) {
    std::vector<FlavorRejection> reasons;
    std::optional<std::pair<FlavorId, Offer>> best;
    std::size_t at = from_.start(unit.front(), resource);
    std::size_t stopped = group.flavors.size() - 1;
    for (; at < group.flavors.size(); ++at) {
      state.found.tried = true;
      const FlavorId flavor = group.flavors[at];
      const std::optional<Offer> offer =
          try_flavor(unit, flavor, resource, request, reasons, state.found.unfit[&group]);
      if (offer && offer->rank.fit == FlavorFit::kNone && problem_.queue->is_kai) {
        break;  // its quota is that of all flavors
      }
      if (!offer || offer->rank.fit == FlavorFit::kNone) continue;
      const bool better = !best || best->second.rank.worse_than(offer->rank);
      if (better) best = {flavor, *offer};
      if (offer->rank.fit != FlavorFit::kFits) continue;
      if (offer->rank.level > 0 && problem_.queue->borrow_tries_next_flavor) continue;
      stopped = at;
      break;
    }
    const bool fits = best && best->second.rank.fit == FlavorFit::kFits;
    if (!best) state.found.reasons.clear();  // only the group that found nothing is told
    if (!fits) {
      std::move(reasons.begin(), reasons.end(), std::back_inserter(state.found.reasons));
    }
    if (!best) return false;
    const bool was_last = stopped + 1 == group.flavors.size();
    for (const auto& [each, rank] : best->second.resources) {
      state.chosen.emplace(each, best->first);
      state.ranks.emplace(each, rank);
      state.stopped.emplace(each, was_last ? -1 : static_cast<int>(stopped));
    }
    return true;
  }

  std::optional<Offer> try_flavor(const Unit& unit, FlavorId flavor, Symbol resource,
                                  const Amounts& request, std::vector<FlavorRejection>& reasons,
                                  std::map<FlavorId, Severity>& unfit) const {
    auto rejection = pinned_away(unit, flavor, resource);
    if (!rejection) rejection = unit_mismatch(problem_, unit, flavor, request);
    if (rejection) {
      reasons.push_back(*std::move(rejection));
      unfit[flavor] = Severity::kFlavor;
      return std::nullopt;
    }
    Offer offer;
    std::optional<Severity> worst;
    for (const topology::Amount& amount : request) {
      const Rank rank = judge(unit, flavor, amount, reasons, worst);
      if (rank.worse_than(offer.rank)) offer.rank = rank;
      offer.resources.emplace(amount.resource, rank);
    }
    if (worst) unfit[flavor] = *worst;
    return offer;
  }

  std::optional<FlavorRejection> pinned_away(const Unit& unit, FlavorId flavor,
                                             Symbol resource) const {
    if (!pinned_) return std::nullopt;
    for (const std::size_t i : unit) {
      const auto& nominated = pinned_->pod_sets[i].by_resource;
      const auto at = nominated.find(resource);
      if (at != nominated.end() && at->second == flavor) return std::nullopt;
    }
    FlavorRejection rejection;
    rejection.kind = Kind::kNotNominated;
    rejection.pod_set = unit.front();
    rejection.flavor = problem_.flavors[index(flavor)].record.name;
    rejection.resource = resource;
    return rejection;
  }

  /// One (flavor, resource) by queues.md 6. A refusal raises `worst`.
  Rank judge(const Unit& unit, FlavorId flavor, const topology::Amount& amount,
             std::vector<FlavorRejection>& reasons, std::optional<Severity>& worst) const {
    if (!problem_.queue->quota || problem_.rule == QuotaRule::kIgnore) return {};
    const QuotaCheck check = check_quota(problem_, flavor, amount, taken_);
    const auto raise_worst = [&worst](Severity severity) {
      worst = std::max(worst.value_or(severity), severity);
    };
    if (!check.fits()) reasons.push_back(quota_rejection(problem_, check, unit.front(), flavor));
    if (check.wanted() > check.most) {
      raise_worst(Severity::kMaximum);
      return {FlavorFit::kNone, 0};
    }
    if (!check.column) return {};  // asks nothing of what nobody has quota for
    const Ledger& ledger = *problem_.ledger;
    const QuotaNode node = *problem_.queue->quota;
    const int level = ledger.borrowing_level(node, *check.column, check.wanted());
    if (check.fits()) return {FlavorFit::kFits, level};
    // Kueue's policies; KAI's reclaim is another.
    const bool may_preempt = ledger.nominal(node, *check.column) >= check.wanted() ||
                             ledger.stays_below_root(node, *check.column, check.wanted()) ||
                             problem_.queue->preempts_while_borrowing;
    if (may_preempt && !problem_.queue->is_kai) return {FlavorFit::kNoCandidates, level};
    raise_worst(Severity::kQuota);
    return {FlavorFit::kNone, level};
  }

  /// Ends a unit: its members share its reasons, and each records what it takes.
  void hand_out(const Unit& unit, const Amounts& request, UnitScan& state) {
    take_quota(problem_, state.chosen, request, taken_);
    for (const auto& [resource, flavor] : state.chosen) {
      scan_.choice.borrowing_level =
          std::max(scan_.choice.borrowing_level, state.ranks.at(resource).level);
    }
    core::hand_out(problem_, unit, state.chosen, requests_, scan_.choice.pod_sets);
    for (const std::size_t i : unit) {
      PodSetScan& found = scan_.pod_sets[i];
      found = state.found;
      for (FlavorRejection& rejection : found.reasons) rejection.pod_set = i;
      for (const auto& [resource, flavor] : scan_.choice.pod_sets[i].by_resource) {
        found.has_flavors = true;
        found.worst = std::min(found.worst, state.ranks.at(resource).fit);
        scan_.record.stopped[{i, resource.id()}] = state.stopped.at(resource);
      }
    }
  }

  const FlavorProblem& problem_;
  const ScanRecord& from_;
  const FlavorChoice* pinned_;
  FlavorScan scan_;
  std::vector<Amounts> requests_;
  TakenQuota taken_;
};

}  // namespace

FlavorScan scan_flavors(const FlavorProblem& problem, const ScanRecord& from,
                        const FlavorChoice* pinned) {
  return Scanner(problem, from, pinned).run();
}

}  // namespace tessera::core
