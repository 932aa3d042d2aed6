// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/planner.h"

#include <algorithm>

namespace tessera::core {
namespace {

using Kind = FlavorRejection::Kind;

solver::SearchOptions search_options(const config::Profile& profile) {
  solver::SearchOptions options;
  options.required = profile.required;
  options.preferred = profile.preferred;
  options.unconstrained = profile.unconstrained;
  options.balanced = profile.balanced_placement;
  options.preferred_affinity = profile.preferred_affinity;
  options.leader_filters = profile.leader_filters;
  options.slice_remainder = profile.slice_remainder;
  return options;
}

}  // namespace

std::vector<std::int64_t> full_counts(const Workload& workload) {
  std::vector<std::int64_t> counts;
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) counts.push_back(pod_set.count);
  return counts;
}

void search_fewer(const Workload& workload,
                  const std::function<bool(std::span<const std::int64_t>)>& fits) {
  // d_i: how many pods pod set i can do without. D: their sum. Candidate k of 0..D leaves out
  // floor(d_i * k / D) pods of pod set i. The smallest k that fits is wanted.
  const std::vector<std::int64_t> counts = full_counts(workload);
  std::vector<std::int64_t> spare;
  std::int64_t steps = 0;  // D
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) {
    const std::int64_t least = std::clamp<std::int64_t>(
        pod_set.min_count.value_or(pod_set.count), 0, std::max<std::int64_t>(0, pod_set.count));
    spare.push_back(pod_set.count - least);
    steps = topology::saturating_add(steps, spare.back());
  }
  if (steps <= 0) return;
  std::int64_t low = 0, high = steps + 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    std::vector<std::int64_t> fewer = counts;
    for (std::size_t i = 0; i < fewer.size(); ++i) {
      __extension__ using Wide = __int128;  // d_i * k passes 63 bits
      fewer[i] -= static_cast<std::int64_t>(static_cast<Wide>(spare[i]) * middle / steps);
    }
    if (fits(fewer)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
}

Planner::Planner(std::span<const Flavor> flavors, const config::Profile& profile)
    : flavors_(flavors),
      options_(search_options(profile)),
      partial_admission_(profile.partial_admission) {}

Attempt Planner::evaluate(const Workload& workload, const PlanQueue& queue, Books& books,
                          QuotaRule rule, Allowance& allowance) const {
  books.live_index().begin_cycle();
  Attempt full = evaluate_counts(workload, full_counts(workload), queue, books, rule, allowance);
  if (full.placed || !partial_admission_ || full.invalid()) return full;
  std::optional<Attempt> fewer = evaluate_partially(workload, queue, books, rule, allowance);
  return fewer ? *std::move(fewer) : full;
}

std::optional<Attempt> Planner::evaluate_partially(const Workload& workload, const PlanQueue& queue,
                                                   Books& books, QuotaRule rule,
                                                   Allowance& allowance) const {
  std::optional<Attempt> best;
  search_fewer(workload, [&](std::span<const std::int64_t> counts) {
    Attempt attempt = evaluate_counts(workload, counts, queue, books, rule, allowance);
    const bool placed = attempt.placed;
    if (placed) best = std::move(attempt);
    return placed;
  });
  return best;
}

Attempt Planner::evaluate_counts(const Workload& workload, std::span<const std::int64_t> counts,
                                 const PlanQueue& queue, Books& books, QuotaRule rule,
                                 Allowance& allowance) const {
  Attempt attempt;
  const FlavorProblem problem{&workload, counts, &queue, flavors_, &books.ledger(), rule};
  PassedOver passed_over;
  while (!allowance.over) {
    auto chosen = choose_flavors(problem, passed_over);
    if (auto* refusal = std::get_if<FlavorRefusal>(&chosen)) {
      if (attempt.rejections.empty()) attempt.failed_pod_set = refusal->pod_set;
      attempt.rejections.insert(attempt.rejections.end(), refusal->rejections.begin(),
                                refusal->rejections.end());
      attempt.uncovered = refusal->uncovered;
      return attempt;
    }
    const FlavorChoice& choice = std::get<FlavorChoice>(chosen);
    solver::Answer answer =
        place(workload, counts, choice, books, topology::Basis::kFree, allowance);
    if (allowance.over) break;
    if (auto* placement = std::get_if<solver::Placement>(&answer)) {
      attempt = {};
      attempt.placed = true;
      attempt.pod_sets = decide(counts, choice, std::move(*placement), books.cluster());
      return attempt;
    }
    solver::Refusal& refusal = std::get<solver::Refusal>(answer);
    const std::size_t pod_set = refusal.pod_set;
    const FlavorId flavor = *choice.pod_sets[pod_set].topology;
    if (attempt.rejections.empty()) attempt.failed_pod_set = pod_set;
    FlavorRejection rejection;
    rejection.kind = Kind::kPlacement;
    rejection.pod_set = pod_set;
    rejection.flavor = flavors_[index(flavor)].record.name;
    rejection.refusal = std::move(refusal);
    attempt.rejections.push_back(std::move(rejection));
    passed_over.insert({first_of_unit(workload.gang, pod_set), flavor});
  }
  return attempt;
}

solver::Answer Planner::place(const Workload& workload, std::span<const std::int64_t> counts,
                              const FlavorChoice& choice, Books& books, topology::Basis basis,
                              Allowance& allowance) const {
  std::vector<solver::PodSetTarget> targets(choice.pod_sets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const PodSetFlavors& flavors = choice.pod_sets[i];
    if (!flavors.topology || counts[i] == 0) continue;
    targets[i].view = books.cluster().view(*flavors.topology, flavors.open);
    targets[i].flavor = flavors_[index(*flavors.topology)].record.name;
  }
  solver::SearchOptions options = options_;
  options.max_steps = allowance.most - allowance.spent;
  options.stop = allowance.stop;
  solver::Answer answer =
      solver::place_gang(workload.gang, counts, targets, books.scratch_capacity(), basis, options,
                         &books.live_index());
  allowance.spent += std::visit([](const auto& each) { return each.steps; }, answer);
  allowance.over = std::holds_alternative<solver::OutOfSteps>(answer);
  return answer;
}

std::vector<PodSetDecision> Planner::decide(std::span<const std::int64_t> counts,
                                            const FlavorChoice& choice, solver::Placement placement,
                                            const Cluster& cluster) const {
  std::vector<PodSetDecision> pod_sets(choice.pod_sets.size());
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    const PodSetFlavors& flavors = choice.pod_sets[i];
    PodSetDecision& decided = pod_sets[i];
    decided.count = counts[i];
    decided.flavors.reserve(flavors.by_resource.size());
    for (const auto& [resource, flavor] : flavors.by_resource) {
      decided.flavors.set(resource, flavors_[index(flavor)].name);
    }
    decided.usage = flavors.usage;
    if (flavors.topology) {
      decided.topology_flavor = flavors_[index(*flavors.topology)].record.name;
      decided.open = flavors.open && cluster.has_open(*flavors.topology);
    }
    decided.placement = std::move(placement.pod_sets[i]);
  }
  return pod_sets;
}

}  // namespace tessera::core
