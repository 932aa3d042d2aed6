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

/// How many candidates of partial admission are tried one by one.
constexpr std::int64_t kMostTried = 32;

/// True if a gang may be refused although one with more pods fits: the place of one pod set then
/// decides about another.
bool places_may_clash(const Workload& workload) { return workload.gang.pod_sets.size() > 1; }

}  // namespace

Planner::Planner(std::span<const Flavor> flavors,
                 std::span<const topology::TopologySpec> topologies, const config::Profile& profile)
    : flavors_(flavors),
      topologies_(topologies),
      tree_choices_{profile.tree_domains, profile.search_tree_steps},
      options_(search_options(profile)),
      partial_admission_(profile.partial_admission) {}

Planner Planner::in_spec_order() const {
  Planner copy = *this;
  copy.options_.by_flavor = false;
  return copy;
}

Attempt Planner::evaluate(const Workload& workload, const PlanQueue& queue, Books& books,
                          QuotaRule rule, Allowance& allowance) const {
  books.live_index().begin_cycle();
  if (workload.gang.is_tree()) {
    return evaluate_tree(workload, queue, books, rule, nullptr, allowance);
  }
  const PodCounts counts = pod_counts(workload);
  if (counts.broken()) {
    Attempt invalid;
    invalid.failed_pod_set = *counts.broken();
    invalid.rejections.push_back(remainder_fault(workload, queue, flavors_, *counts.broken()));
    return invalid;
  }
  Attempt full = evaluate_counts(workload, counts.most(), queue, books, rule, allowance);
  if (full.placed || counts.fewer() == 0) return full;
  std::optional<Attempt> fewer =
      evaluate_partially(workload, counts, queue, books, rule, allowance);
  return fewer ? *std::move(fewer) : full;
}

std::optional<Attempt> Planner::evaluate_partially(const Workload& workload,
                                                   const PodCounts& counts, const PlanQueue& queue,
                                                   Books& books, QuotaRule rule,
                                                   Allowance& allowance) const {
  std::optional<Attempt> best;
  const auto fits = [&](std::span<const std::int64_t> tried) {
    Attempt attempt = evaluate_counts(workload, tried, queue, books, rule, allowance);
    const bool placed = attempt.placed;
    if (placed) best = std::move(attempt);
    return placed;
  };
  const std::optional<std::int64_t> found = counts.search(fits);
  if (!places_may_clash(workload)) return best;
  // Halving passes over larger counts if a smaller one is refused.
  const std::int64_t end = std::min(found.value_or(counts.fewer() + 1), kMostTried);
  for (std::int64_t k = 1; k < end; ++k) {
    if (fits(counts.candidate(k))) break;
  }
  return best;
}

void Planner::add_refusal(const FlavorRefusal& refusal, Attempt& attempt) {
  if (attempt.rejections.empty()) attempt.failed_pod_set = refusal.pod_set;
  attempt.rejections.insert(attempt.rejections.end(), refusal.rejections.begin(),
                            refusal.rejections.end());
  attempt.uncovered = refusal.uncovered;
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
      add_refusal(*refusal, attempt);
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
  if (workload.gang.is_tree()) {
    return place_tree({&workload, &choice, flavors_, nullptr, {}}, solver::TreePart::kMinimum,
                      books, basis, allowance);
  }
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
