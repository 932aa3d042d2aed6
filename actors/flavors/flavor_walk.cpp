// SPDX-License-Identifier: Apache-2.0
#include "actors/flavors/flavor_walk.h"

#include <algorithm>
#include <iterator>

namespace tessera::core {

FlavorWalk::FlavorWalk(const FlavorProblem& problem, const WalkBounds& bounds,
                       const ShortagePolicy& policy)
    : problem_(&problem), bounds_(bounds), policy_(&policy) {
  const std::size_t pod_sets = problem.workload->gang.pod_sets.size();
  choice_.pod_sets.resize(pod_sets);
  requests_.reserve(pod_sets);
  for (std::size_t i = 0; i < pod_sets; ++i) {
    requests_.push_back(quota_request(*problem.workload, *problem.queue, i, problem.counts[i]));
  }
}

UnitFinding* FlavorWalk::next() {
  if (!found_.complete || !begin_unit()) return nullptr;
  const bool alone = found_.pod_sets.size() == 1;
  Amounts sum;
  if (!alone) {
    for (const std::size_t i : found_.pod_sets) sum.add(requests_[i]);
  }
  const Amounts& request = alone ? requests_[found_.pod_sets.front()] : sum;
  found_.complete = search_resources(request);
  if (!found_.complete) found_.taken.clear();
  take_quota(request);
  hand_out();
  return &found_;
}

/// False: no unit is left.
bool FlavorWalk::begin_unit() {
  const solver::Gang& gang = problem_->workload->gang;
  const std::size_t end = gang.pod_sets.size();
  while (next_ < end && first_of_unit(gang, next_) != next_) ++next_;
  if (next_ == end) return false;
  const std::string& group = gang.pod_sets[next_].unit;
  found_.pod_sets.assign(1, next_++);
  for (std::size_t i = next_; i < end && !group.empty(); ++i) {
    if (gang.pod_sets[i].unit == group) found_.pod_sets.push_back(i);
  }
  found_.taken.clear();
  found_.reasons.clear();
  found_.unfit.clear();
  found_.tried = false;
  return true;
}

/// False: some resource found no flavor.
bool FlavorWalk::search_resources(const Amounts& request) {
  std::vector<Symbol> resources;
  resources.reserve(request.size());
  for (const topology::Amount& amount : request) resources.push_back(amount.resource);
  for (const Symbol resource : search_order(std::move(resources))) {
    if (found_.taken.count(resource) > 0) continue;
    const PlanGroup* group = group_of(*problem_->queue, resource);
    if (!group) {
      if (request.get(resource) == 0 || problem_->rule == QuotaRule::kIgnore) continue;
      found_.uncovered = resource;
      found_.reasons.clear();
      return false;
    }
    const bool in_one_group =
        std::all_of(request.begin(), request.end(), [&](const topology::Amount& amount) {
          return group_of(*problem_->queue, amount.resource) == group;
        });
    const bool found =
        in_one_group
            ? search_group(*group, resource, request)
            : search_group(*group, resource, part_of_group(*problem_->queue, *group, request));
    if (!found) return false;
  }
  return true;
}

/// The search of queues.md 7.2. `resource`: the one that selected the group. `request`: all that
/// the unit asks of the group.
bool FlavorWalk::search_group(const PlanGroup& group, Symbol resource, const Amounts& request) {
  std::vector<FlavorRejection> reasons;
  std::optional<FlavorRank> best;
  std::size_t at = bounds_.from ? bounds_.from->start(found_.pod_sets.front(), resource) : 0;
  std::size_t stopped = group.flavors.size() - 1;
  for (; at < group.flavors.size(); ++at) {
    const FlavorId flavor = group.flavors[at];
    if (passed_over(flavor)) continue;
    found_.tried = true;
    if (auto rejection = bar(flavor, resource, request)) {
      reasons.push_back(*std::move(rejection));
      found_.unfit[{&group, flavor}] = Severity::kFlavor;
      continue;
    }
    const FlavorRank rank = rank_flavor(group, flavor, request, reasons);
    if (rank.fit == FlavorFit::kNone) {
      if (problem_->queue->is_kai) break;  // its quota counts all flavors together
      continue;
    }
    if (!best || best->worse_than(rank)) {
      best = rank;
      auto each = ranked_.begin();
      for (const topology::Amount& amount : request) {
        found_.taken[amount.resource] = {flavor, *each++, -1};
      }
    }
    if (tries_next(rank)) continue;
    stopped = at;
    break;
  }
  if (!best) {
    found_.reasons = std::move(reasons);
  } else if (best->fit != FlavorFit::kFits) {
    std::move(reasons.begin(), reasons.end(), std::back_inserter(found_.reasons));
  }
  if (stopped + 1 < group.flavors.size()) {
    for (const topology::Amount& amount : request) {
      found_.taken[amount.resource].stopped = static_cast<int>(stopped);
    }
  }
  return best.has_value();
}

/// queues.md 7.2 step 4.
bool FlavorWalk::tries_next(const FlavorRank& rank) const {
  if (rank.fit != FlavorFit::kFits) return true;
  return rank.level > 0 && problem_->queue->borrow_tries_next_flavor;
}

bool FlavorWalk::passed_over(FlavorId flavor) const {
  return bounds_.passed_over && bounds_.passed_over->count({found_.pod_sets.front(), flavor}) > 0;
}

/// Why a flavor is not asked for quota.
std::optional<FlavorRejection> FlavorWalk::bar(FlavorId flavor, Symbol resource,
                                               const Amounts& request) const {
  if (!pinned_elsewhere(flavor, resource)) {
    return unit_mismatch(*problem_, found_.pod_sets, flavor, request);
  }
  FlavorRejection rejection;
  rejection.kind = FlavorRejection::Kind::kNotNominated;
  rejection.pod_set = found_.pod_sets.front();
  rejection.flavor = problem_->flavors[index(flavor)].record.name;
  rejection.resource = resource;
  return rejection;
}

bool FlavorWalk::pinned_elsewhere(FlavorId flavor, Symbol resource) const {
  if (!bounds_.pinned) return false;
  return std::none_of(found_.pod_sets.begin(), found_.pod_sets.end(), [&](std::size_t i) {
    const FlavorOfResource& nominated = bounds_.pinned->pod_sets[i].by_resource;
    const auto at = nominated.find(resource);
    return at != nominated.end() && at->second == flavor;
  });
}

/// The rank of the least preferred resource; all of them in `ranked_`.
FlavorRank FlavorWalk::rank_flavor(const PlanGroup& group, FlavorId flavor, const Amounts& request,
                                   std::vector<FlavorRejection>& reasons) {
  ranked_.clear();
  ranked_.reserve(request.size());
  FlavorRank worst;
  std::optional<Severity> severity;
  for (const topology::Amount& amount : request) {
    const FlavorRank rank = rank_resource(flavor, amount, reasons, severity);
    if (rank.worse_than(worst)) worst = rank;
    ranked_.push_back(rank);
  }
  if (severity) found_.unfit[{&group, flavor}] = *severity;
  return worst;
}

/// queues.md 6. A refusal raises `severity`.
FlavorRank FlavorWalk::rank_resource(FlavorId flavor, const topology::Amount& amount,
                                     std::vector<FlavorRejection>& reasons,
                                     std::optional<Severity>& severity) const {
  const std::optional<QuotaNode>& queue = problem_->queue->quota;
  if (!queue || problem_->rule == QuotaRule::kIgnore) return {};
  const QuotaCheck check = check_quota(*problem_, flavor, amount, quota_);
  if (check.fits()) {
    // No column: nobody has quota for the pair. Then the request is 0, or a KAI Queue does not
    // bound the resource.
    if (!check.column) return {};
    return {FlavorFit::kFits,
            problem_->ledger->borrowing_level(*queue, *check.column, check.wanted())};
  }
  reasons.push_back(quota_rejection(*problem_, check, found_.pod_sets.front(), flavor));
  const FlavorRank rank =
      check.over_maximum() ? FlavorRank{FlavorFit::kNone, 0} : policy_->rank(*problem_, check);
  if (rank.fit == FlavorFit::kNone) {
    const Severity own = check.over_maximum() ? Severity::kMaximum : Severity::kQuota;
    severity = std::max(severity.value_or(own), own);
  }
  return rank;
}

/// Counts what the unit takes. What has no quota is not counted.
void FlavorWalk::take_quota(const Amounts& request) {
  if (!problem_->queue->quota) return;
  for (const auto& [resource, taken] : found_.taken) {
    const auto column = problem_->ledger->column(
        *problem_->queue->quota, problem_->flavors[index(taken.flavor)].name, resource);
    if (!column) continue;
    std::int64_t& amount = quota_[*column];
    amount = topology::saturating_add(amount, request.get(resource));
  }
}

/// Hands the flavors of the unit to its members (placement.md 1.6): a member gets the flavors of
/// the resources that it asks for itself. A member that asks for none gets the topology flavors of
/// the unit.
void FlavorWalk::hand_out() {
  const bool open =
      std::none_of(found_.pod_sets.begin(), found_.pod_sets.end(), [this](std::size_t i) {
        return problem_->workload->gang.pod_sets[i].topology.explicit_request();
      });
  for (const auto& [resource, taken] : found_.taken) {
    choice_.borrowing_level = std::max(choice_.borrowing_level, taken.rank.level);
  }
  for (const std::size_t i : found_.pod_sets) {
    PodSetFlavors& pod_set = choice_.pod_sets[i];
    pod_set.open = open;
    for (const topology::Amount& amount : requests_[i]) {
      const auto at = found_.taken.find(amount.resource);
      if (at == found_.taken.end()) continue;
      pod_set.by_resource.emplace(amount.resource, at->second.flavor);
      pod_set.usage.set(amount.resource, amount.value);
    }
    if (!pod_set.by_resource.empty()) continue;
    for (const auto& [resource, taken] : found_.taken) {
      if (problem_->flavors[index(taken.flavor)].topology_aware()) {
        pod_set.by_resource.emplace(resource, taken.flavor);
      }
    }
  }
}

}  // namespace tessera::core
