// SPDX-License-Identifier: Apache-2.0
// The part of Planner that evaluates gang trees: flavors by what every placement of the gang takes,
// the search on them, and quota for what was found.
#include <algorithm>
#include <map>
#include <utility>

#include "actors/planner/planner.h"

namespace tessera::core {
namespace {

using Kind = FlavorRejection::Kind;

/// Flavors of every pod set that has one at all. Those of which no pod is certain (`counts` 0) take
/// the first flavor that matches: their quota is looked at when it is known how many are placed.
std::variant<FlavorChoice, FlavorRefusal> choose_for_tree(const FlavorProblem& problem,
                                                          const PassedOver& passed_over) {
  auto chosen = choose_flavors(problem, passed_over);
  auto* choice = std::get_if<FlavorChoice>(&chosen);
  if (choice == nullptr) return chosen;
  std::vector<std::int64_t> one(problem.counts.size(), 1);
  FlavorProblem any = problem;
  any.counts = one;
  any.rule = QuotaRule::kIgnore;
  for (;;) {
    auto others = choose_flavors(any, passed_over);
    if (auto* refusal = std::get_if<FlavorRefusal>(&others)) {
      if (one[refusal->pod_set] == 0) return chosen;
      one[refusal->pod_set] = 0;  // no flavor serves it
      continue;
    }
    for (std::size_t p = 0; p < one.size(); ++p) {
      if (problem.counts[p] > 0) continue;
      choice->pod_sets[p] = std::move(std::get<FlavorChoice>(others).pod_sets[p]);
      choice->pod_sets[p].usage = {};
    }
    return chosen;
  }
}

std::vector<std::int64_t> counts_of(const solver::Placement& placement) {
  std::vector<std::int64_t> counts;
  for (const solver::PodSetPlacement& leaves : placement.pod_sets) {
    std::int64_t& count = counts.emplace_back(0);
    for (const solver::LeafPods& leaf : leaves) count += leaf.pods;
  }
  return counts;
}

/// What `counts` pods of each pod set use of the flavors that are chosen.
void set_usage(const FlavorProblem& problem, std::span<const std::int64_t> counts,
               FlavorChoice& choice) {
  for (std::size_t p = 0; p < counts.size(); ++p) {
    const Amounts request = quota_request(*problem.workload, *problem.queue, p, counts[p]);
    Amounts usage;
    for (const auto& [resource, flavor] : choice.pod_sets[p].by_resource) {
      if (request.get(resource) != 0) usage.set(resource, request.get(resource));
    }
    choice.pod_sets[p].usage = std::move(usage);
  }
}

/// How many pods of each pod set quota allows, if the pod sets take it in their order, each at most
/// `most`.
std::vector<std::int64_t> allowed_by_quota(const FlavorProblem& problem, const FlavorChoice& choice,
                                           std::vector<std::int64_t> most,
                                           std::span<const Flavor> flavors) {
  const PlanQueue& queue = *problem.queue;
  if (!queue.quota || problem.rule == QuotaRule::kIgnore) return most;
  std::map<QuotaColumn, std::int64_t> left;
  for (std::size_t p = 0; p < most.size(); ++p) {
    const Amounts one = quota_request(*problem.workload, queue, p, 1);
    std::map<QuotaColumn, std::int64_t> each;
    for (const auto& [resource, flavor] : choice.pod_sets[p].by_resource) {
      const auto column =
          problem.ledger->column(*queue.quota, flavors[index(flavor)].name, resource);
      if (column && one.get(resource) > 0) each[*column] += one.get(resource);
    }
    for (const auto& [column, amount] : each) {
      const auto at = left.try_emplace(column, problem.ledger->available(*queue.quota, column));
      most[p] = std::min(most[p], std::max<std::int64_t>(at.first->second, 0) / amount);
    }
    for (const auto& [column, amount] : each) left[column] -= amount * most[p];
  }
  return most;
}

/// What a pod set holds lies on flavors, and what it gets besides must lie on the same ones.
PassedOver flavors_not_held(const Admission* held, std::span<const Flavor> flavors) {
  PassedOver passed_over;
  if (held == nullptr || flavors.size() < 2) return passed_over;
  for (std::size_t p = 0; p < held->pod_sets.size(); ++p) {
    const PodSetAssignment& pod_set = held->pod_sets[p];
    if (pod_set.count == 0) continue;
    for (std::uint32_t f = 0; f < flavors.size(); ++f) {
      const bool is_held = std::any_of(
          pod_set.flavors.begin(), pod_set.flavors.end(),
          [&](const ResourceFlavors::Entry& each) { return each.flavor == flavors[f].name; });
      if (!is_held) passed_over.insert({p, FlavorId{f}});
    }
  }
  return passed_over;
}

}  // namespace

solver::Answer Planner::place_tree(const TreeCase& of, solver::TreePart part, Books& books,
                                   topology::Basis basis, Allowance& allowance) const {
  const TreePlacing placing(topologies_, tree_choices_, options_, books, basis);
  solver::Answer answer = placing.place(of, part, allowance.most - allowance.spent, allowance.stop);
  allowance.spent += std::visit([](const auto& each) { return each.steps; }, answer);
  allowance.over = std::holds_alternative<solver::OutOfSteps>(answer);
  return answer;
}

/// What was found as an attempt, if there is quota for it.
Attempt Planner::tree_attempt(FlavorProblem problem, const PassedOver& passed_over,
                              const TreeCase& of, FlavorChoice& choice, solver::Placement placement,
                              const Cluster& cluster) const {
  Attempt attempt;
  const std::vector<std::int64_t> counts = counts_of(placement);
  problem.counts = counts;
  auto quota = choose_flavors(problem, passed_over);
  if (auto* refusal = std::get_if<FlavorRefusal>(&quota)) {
    attempt.failed_pod_set = refusal->pod_set;
    attempt.rejections = std::move(refusal->rejections);
    return attempt;
  }
  set_usage(problem, counts, choice);
  // A minimum may need no pod; a growth without pods is none.
  attempt.placed = of.held == nullptr || std::any_of(counts.begin(), counts.end(),
                                                     [](std::int64_t count) { return count > 0; });
  attempt.pod_sets = decide(counts, choice, std::move(placement), cluster);
  for (std::size_t p = 0; p < counts.size(); ++p) {
    const std::optional<FlavorId> flavor = choice.pod_sets[p].topology;
    attempt.pod_sets[p].open = flavor && cluster.has_open(*flavor);
  }
  return attempt;
}

Attempt Planner::evaluate_tree(const Workload& workload, const PlanQueue& queue, Books& books,
                               QuotaRule rule, const Admission* held, Allowance& allowance) const {
  const std::vector<std::int64_t> forced = forced_counts(workload.gang, held);
  const FlavorProblem problem{&workload, forced, &queue, flavors_, &books.ledger(), rule};
  const solver::TreePart part =
      held == nullptr ? solver::TreePart::kMinimum : solver::TreePart::kElastic;
  Attempt attempt;
  PassedOver passed_over = flavors_not_held(held, flavors_);
  while (!allowance.over) {
    auto chosen = choose_for_tree(problem, passed_over);
    if (auto* refusal = std::get_if<FlavorRefusal>(&chosen)) {
      add_refusal(*refusal, attempt);
      return attempt;
    }
    FlavorChoice& choice = std::get<FlavorChoice>(chosen);
    TreeCase of{&workload, &choice, flavors_, held, {}};
    if (held != nullptr) {
      std::vector<std::int64_t> wanted;
      for (std::size_t p = 0; p < forced.size(); ++p) {
        wanted.push_back(workload.gang.pod_sets[p].count - held->pod_sets[p].count);
      }
      of.most = allowed_by_quota(problem, choice, std::move(wanted), flavors_);
    }
    solver::Answer answer = place_tree(of, part, books, topology::Basis::kFree, allowance);
    if (allowance.over) break;
    if (auto* placement = std::get_if<solver::Placement>(&answer)) {
      return tree_attempt(problem, passed_over, of, choice, std::move(*placement), books.cluster());
    }
    solver::Refusal& refusal = std::get<solver::Refusal>(answer);
    FlavorRejection rejection;
    rejection.kind = Kind::kPlacement;
    const std::optional<FlavorId> first =
        choice.pod_sets.empty() ? std::nullopt : choice.pod_sets.front().topology;
    if (first) rejection.flavor = flavors_[index(*first)].record.name;
    rejection.refusal = std::move(refusal);
    attempt.rejections.push_back(std::move(rejection));
    if (!first) return attempt;
    // The gang tries its next flavor as a whole.
    for (std::size_t p = 0; p < choice.pod_sets.size(); ++p) {
      if (choice.pod_sets[p].topology == first) passed_over.insert({p, *first});
    }
  }
  return attempt;
}

std::optional<solver::GangTree> Planner::tree_problem(const Workload& workload,
                                                      const PlanQueue& queue, Books& books,
                                                      const Admission* held) const {
  const std::vector<std::int64_t> one(workload.gang.pod_sets.size(), 1);
  const FlavorProblem problem{&workload,         one, &queue, flavors_, &books.ledger(),
                              QuotaRule::kIgnore};
  const auto chosen = choose_flavors(problem, {});
  const auto* choice = std::get_if<FlavorChoice>(&chosen);
  if (choice == nullptr) return std::nullopt;
  return TreePlacing(topologies_, tree_choices_, options_, books, topology::Basis::kFree)
      .problem({&workload, choice, flavors_, held, {}});
}

const topology::TopologySpec* Planner::topology_of(const solver::GangGroup& group) const {
  return find_topology(topologies_, group);
}

Attempt Planner::grow(const Workload& workload, const PlanQueue& queue, Books& books,
                      const Admission& held, QuotaRule rule, Allowance& allowance) const {
  books.live_index().begin_cycle();
  return evaluate_tree(workload, queue, books, rule, &held, allowance);
}

}  // namespace tessera::core
