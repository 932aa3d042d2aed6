// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/flavors.h"

#include <algorithm>
#include <string_view>

namespace tessera::core {
namespace {

using Kind = FlavorRejection::Kind;
using Unit = std::vector<std::size_t>;

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return hash;
}

/// Chooses flavors unit by unit; what earlier units of the workload take counts against later ones.
class Chooser {
 public:
  Chooser(const FlavorProblem& problem, const PassedOver& passed_over)
      : problem_(problem), passed_over_(passed_over) {
    choice_.pod_sets.resize(problem.workload->gang.pod_sets.size());
    requests_.reserve(choice_.pod_sets.size());
    for (std::size_t i = 0; i < choice_.pod_sets.size(); ++i) {
      requests_.push_back(quota_request(*problem.workload, *problem.queue, i, problem.counts[i]));
    }
  }

  std::variant<FlavorChoice, FlavorRefusal> run() {
    for (const Unit& unit : flavor_units(problem_.workload->gang)) {
      if (auto refusal = choose_unit(unit)) return *std::move(refusal);
    }
    return std::move(choice_);
  }

 private:
  const solver::PodSet& pod_set(std::size_t i) const { return problem_.workload->gang.pod_sets[i]; }

  std::optional<FlavorRefusal> choose_unit(const Unit& unit) {
    Amounts request;
    for (const std::size_t i : unit) request.add(requests_[i]);
    std::vector<Symbol> resources;
    resources.reserve(request.size());
    for (const topology::Amount& amount : request) resources.push_back(amount.resource);

    FlavorOfResource chosen;
    for (const Symbol resource : search_order(std::move(resources))) {
      if (chosen.count(resource) > 0) continue;
      const PlanGroup* group = group_of(*problem_.queue, resource);
      if (!group) {
        if (request.get(resource) == 0 || problem_.rule == QuotaRule::kIgnore) continue;
        return FlavorRefusal{unit.front(), {}, resource};
      }
      const Amounts of_group = part_of_group(*problem_.queue, *group, request);
      auto found = search_group(unit, *group, of_group);
      if (auto* refusal = std::get_if<FlavorRefusal>(&found)) return std::move(*refusal);
      for (const topology::Amount& amount : of_group) {
        chosen.emplace(amount.resource, std::get<FlavorId>(found));
      }
    }
    return take(unit, chosen, request);
  }

  /// The search of queues.md 7.2 in one resource group.
  std::variant<FlavorId, FlavorRefusal> search_group(const Unit& unit, const PlanGroup& group,
                                                     const Amounts& request) {
    FlavorRefusal refusal{unit.front(), {}, std::nullopt};
    std::optional<std::pair<int, FlavorId>> best;  // (borrowing level, flavor)
    for (const FlavorId flavor : group.flavors) {
      if (passed_over_.count({unit.front(), flavor}) > 0) continue;
      if (auto rejection = unit_mismatch(problem_, unit, flavor, request)) {
        refusal.rejections.push_back(*std::move(rejection));
        continue;
      }
      const std::optional<int> level = quota_level(unit, flavor, request, refusal.rejections);
      if (!level && problem_.queue->is_kai) break;  // its quota is that of all flavors
      if (!level) continue;
      if (!best || *level < best->first) best = {*level, flavor};
      if (*level == 0 || !problem_.queue->borrow_tries_next_flavor) break;
    }
    if (!best) return refusal;
    choice_.borrowing_level = std::max(choice_.borrowing_level, best->first);
    return best->second;
  }

  /// The borrowing level at which the flavor has quota for all of `request`; nothing, and reasons,
  /// if it has not.
  std::optional<int> quota_level(const Unit& unit, FlavorId flavor, const Amounts& request,
                                 std::vector<FlavorRejection>& rejections) const {
    if (!problem_.queue->quota || problem_.rule == QuotaRule::kIgnore) return 0;
    int level = 0;
    bool fits = true;
    for (const topology::Amount& amount : request) {
      const QuotaCheck check = check_quota(problem_, flavor, amount, taken_);
      if (!check.fits()) {
        rejections.push_back(quota_rejection(problem_, check, unit.front(), flavor));
        fits = false;
      } else if (check.column) {
        level = std::max(level, problem_.ledger->borrowing_level(*problem_.queue->quota,
                                                                 *check.column, check.wanted()));
      }
    }
    return fits ? std::optional(level) : std::nullopt;
  }

  /// Counts what the unit takes, hands it out and finds each member's topology flavor (M7).
  std::optional<FlavorRefusal> take(const Unit& unit, const FlavorOfResource& chosen,
                                    const Amounts& request) {
    take_quota(problem_, chosen, request, taken_);
    hand_out(problem_, unit, chosen, requests_, choice_.pod_sets);
    for (const std::size_t i : unit) {
      if (!topology_wanted(*problem_.queue, pod_set(i))) continue;
      if (auto refusal = find_topology_flavor(unit, i, choice_.pod_sets[i])) return refusal;
    }
    return std::nullopt;
  }

  std::optional<FlavorRefusal> find_topology_flavor(const Unit& unit, std::size_t i,
                                                    PodSetFlavors& result) {
    std::vector<FlavorId> found = topology_flavors_of(problem_, result);
    if (found.empty() && problem_.rule == QuotaRule::kIgnore) {
      if (const auto any = any_topology_flavor(unit)) {
        found.push_back(*any);
        result.by_resource.emplace(topology::pods_resource(), *any);
      }
    }
    if (found.size() == 1) result.topology = *found.begin();
    if (found.size() == 1 || problem_.counts[i] == 0) return std::nullopt;
    return FlavorRefusal{i, {topology_flavor_fault(problem_, i, found)}, std::nullopt};
  }

  /// Where nothing that is asked has quota: with quota ignored the first topology flavor that
  /// matches serves.
  std::optional<FlavorId> any_topology_flavor(const Unit& unit) const {
    for (const PlanGroup& group : problem_.queue->groups) {
      for (const FlavorId flavor : group.flavors) {
        if (problem_.flavors[index(flavor)].topology_aware() &&
            passed_over_.count({unit.front(), flavor}) == 0 &&
            !unit_mismatch(problem_, unit, flavor, {})) {
          return flavor;
        }
      }
    }
    return std::nullopt;
  }

  const FlavorProblem& problem_;
  const PassedOver& passed_over_;
  FlavorChoice choice_;
  std::vector<Amounts> requests_;
  TakenQuota taken_;
};

}  // namespace

bool topology_wanted(const PlanQueue& queue, const solver::PodSet& pod_set) {
  return pod_set.topology.explicit_request() || queue.topology_only;
}

const PlanGroup* group_of(const PlanQueue& queue, Symbol resource) {
  for (const PlanGroup& group : queue.groups) {
    if (group.covers(resource)) return &group;
  }
  return nullptr;
}

Amounts quota_request(const Workload& workload, const PlanQueue& queue, std::size_t i,
                      std::int64_t count) {
  const std::vector<Amounts>& given = workload.quota_requests;
  const Amounts& per_pod = i < given.size() ? given[i] : workload.gang.pod_sets[i].request;
  Amounts request = per_pod.times(count);
  request.erase(topology::pods_resource());
  if (group_of(queue, topology::pods_resource())) request.set(topology::pods_resource(), count);
  return request;
}

Amounts part_of_group(const PlanQueue& queue, const PlanGroup& group, const Amounts& request) {
  Amounts part;
  for (const topology::Amount& amount : request) {
    if (group_of(queue, amount.resource) == &group) part.set(amount.resource, amount.value);
  }
  return part;
}

std::optional<FlavorRejection> unit_mismatch(const FlavorProblem& problem, const Unit& unit,
                                             FlavorId flavor, const Amounts& request) {
  for (const std::size_t i : unit) {
    const solver::PodSet& pod_set = problem.workload->gang.pod_sets[i];
    const bool own = std::any_of(request.begin(), request.end(), [&](const auto& amount) {
      return amount.resource == topology::pods_resource() ||
             pod_set.request.find(amount.resource) != nullptr;
    });
    auto rejection =
        mismatch(problem.flavors[index(flavor)], pod_set, problem.queue->topology_only, own);
    if (!rejection) continue;
    rejection->pod_set = i;
    rejection->flavor = problem.flavors[index(flavor)].record.name;
    return rejection;
  }
  return std::nullopt;
}

void hand_out(const FlavorProblem& problem, const Unit& unit, const FlavorOfResource& chosen,
              std::span<const Amounts> requests, std::span<PodSetFlavors> result) {
  const bool open = std::none_of(unit.begin(), unit.end(), [&problem](std::size_t i) {
    return problem.workload->gang.pod_sets[i].topology.explicit_request();
  });
  for (const std::size_t i : unit) {
    result[i].open = open;
    for (const topology::Amount& amount : requests[i]) {
      const auto at = chosen.find(amount.resource);
      if (at == chosen.end()) continue;
      result[i].by_resource.emplace(amount.resource, at->second);
      result[i].usage.set(amount.resource, amount.value);
    }
    if (!result[i].by_resource.empty()) continue;
    for (const auto& [resource, flavor] : chosen) {
      if (problem.flavors[index(flavor)].topology_aware()) {
        result[i].by_resource.emplace(resource, flavor);
      }
    }
  }
}

std::vector<FlavorId> topology_flavors_of(const FlavorProblem& problem,
                                          const PodSetFlavors& flavors) {
  std::vector<FlavorId> found;
  for (const auto& [resource, flavor] : flavors.by_resource) {
    if (!problem.flavors[index(flavor)].topology_aware()) continue;
    const auto at = std::lower_bound(found.begin(), found.end(), flavor);
    if (at == found.end() || *at != flavor) found.insert(at, flavor);
  }
  return found;
}

FlavorRejection topology_flavor_fault(const FlavorProblem& problem, std::size_t pod_set,
                                      const std::vector<FlavorId>& found) {
  FlavorRejection rejection;
  rejection.kind = found.empty() ? Kind::kNoTopologyFlavor : Kind::kSeveralTopologyFlavors;
  rejection.pod_set = pod_set;
  for (const FlavorId flavor : found) {  // FlavorId is in byte order of names
    if (!rejection.flavor.empty()) rejection.flavor += ", ";
    rejection.flavor += problem.flavors[index(flavor)].record.name;
  }
  return rejection;
}

void take_quota(const FlavorProblem& problem, const FlavorOfResource& chosen,
                const Amounts& request, TakenQuota& taken) {
  if (!problem.queue->quota) return;
  for (const auto& [resource, flavor] : chosen) {
    const auto column = problem.ledger->column(*problem.queue->quota,
                                               problem.flavors[index(flavor)].name, resource);
    if (!column) continue;
    std::int64_t& amount = taken[*column];
    amount = topology::saturating_add(amount, request.get(resource));
  }
}

QuotaCheck check_quota(const FlavorProblem& problem, FlavorId flavor,
                       const topology::Amount& amount, const TakenQuota& taken) {
  const QuotaNode node = *problem.queue->quota;
  QuotaCheck check;
  check.resource = amount.resource;
  check.request = amount.value;
  check.column = problem.ledger->column(node, problem.flavors[index(flavor)].name, amount.resource);
  if (!check.column) {
    if (problem.queue->is_kai) check.most = check.left = topology::kUnlimited;
    return check;
  }
  const auto earlier = taken.find(*check.column);
  if (earlier != taken.end()) check.previous = earlier->second;
  check.most = problem.ledger->maximum(node, *check.column);
  check.left = problem.rule == QuotaRule::kAvailable
                   ? problem.ledger->available(node, *check.column)
                   : check.most;
  return check;
}

FlavorRejection quota_rejection(const FlavorProblem& problem, const QuotaCheck& check,
                                std::size_t pod_set, FlavorId flavor) {
  FlavorRejection rejection;
  rejection.kind = check.wanted() > check.most ? Kind::kOverMaximum : Kind::kNoUnusedQuota;
  rejection.pod_set = pod_set;
  rejection.flavor = problem.flavors[index(flavor)].record.name;
  rejection.resource = check.resource;
  rejection.previous = check.previous;
  rejection.request = check.request;
  rejection.limit = check.most;
  rejection.missing = topology::saturating_sub(check.wanted(), check.left);
  if (problem.queue->is_kai) {
    const bool idle = rejection.kind == Kind::kOverMaximum;
    const QuotaNode tightest = problem.ledger->tightest(*problem.queue->quota, *check.column, idle);
    rejection.limiting_queue = problem.ledger->name(tightest);
    rejection.limit = problem.ledger->limit(tightest, *check.column);
    rejection.used = problem.ledger->usage(tightest, *check.column);
  }
  return rejection;
}

std::vector<std::vector<std::size_t>> flavor_units(const solver::Gang& gang) {
  std::vector<Unit> units;
  std::map<std::string, std::size_t> unit_of_group;
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    const std::string& group = gang.pod_sets[i].group;
    const auto known = group.empty() ? unit_of_group.end() : unit_of_group.find(group);
    if (known != unit_of_group.end()) {
      units[known->second].push_back(i);
      continue;
    }
    if (!group.empty()) unit_of_group.emplace(group, units.size());
    units.push_back({i});
  }
  return units;
}

std::vector<Symbol> search_order(std::vector<Symbol> resources) {
  std::sort(resources.begin(), resources.end(), [](Symbol a, Symbol b) {
    const std::uint64_t ha = fnv1a(a.view()), hb = fnv1a(b.view());
    return ha != hb ? ha < hb : a.view() < b.view();
  });
  return resources;
}

std::variant<FlavorChoice, FlavorRefusal> choose_flavors(const FlavorProblem& problem,
                                                         const PassedOver& passed_over) {
  return Chooser(problem, passed_over).run();
}

}  // namespace tessera::core
