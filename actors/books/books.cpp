// SPDX-License-Identifier: Apache-2.0
#include "actors/books/books.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "actors/capacity/state_hash.h"

namespace tessera::core {
namespace {

/// A placed decision as an admission without domains.
Admission quota_side(const Decision& decision, const Workload& workload) {
  Admission admission{decision.cluster_queue, {}};
  for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
    const PodSetDecision& chosen = decision.pod_sets[i];
    PodSetAssignment assignment;
    assignment.name = workload.gang.pod_sets[i].name;
    assignment.count = chosen.count;
    assignment.flavors = chosen.flavors;
    assignment.usage = chosen.usage;
    admission.pod_sets.push_back(std::move(assignment));
  }
  return admission;
}

/// True if the pod is of one of these workloads, and an admission of it may stand for the pod.
bool stands_for(const std::map<std::string, const Workload*>& holders, const PodRecord& pod) {
  const auto holder = pod.workload.empty() ? holders.end() : holders.find(pod.workload);
  if (holder == holders.end()) return false;
  const PodRecord* const one[] = {&pod};
  return !holder->second->gang.is_tree() || !pods_to_seat(*holder->second, one).empty();
}

}  // namespace

Books::Books(const Cluster& cluster, std::span<const Flavor> flavors, Ledger ledger,
             const solver::IndexLimits& index)
    : Books(cluster, flavors, cluster.empty(), std::move(ledger), index) {}

Books::Books(const Cluster& cluster, std::span<const Flavor> flavors, topology::Capacity capacity,
             Ledger ledger, const solver::IndexLimits& index)
    : cluster_(&cluster),
      flavors_(flavors),
      capacity_(std::move(capacity)),
      index_(index),
      ledger_(std::move(ledger)) {}

Books::Books(const Cluster& cluster, std::span<const Flavor> flavors, topology::Capacity capacity,
             const solver::Index& index, Ledger ledger)
    : cluster_(&cluster),
      flavors_(flavors),
      capacity_(std::move(capacity)),
      index_(index),
      ledger_(std::move(ledger)) {}

bool has_domains(const Admission& admission) {
  return std::any_of(admission.pod_sets.begin(), admission.pod_sets.end(),
                     [](const PodSetAssignment& each) { return !each.domains.empty(); });
}

void Books::count_pods(const std::map<std::pair<std::string, std::string>, PodRecord>& pods,
                       const std::unordered_map<GangId, Admitted>& live, config::PodUsage rule,
                       Accounting& accounting) {
  HoldersByKey assigned, holders;
  for (const auto& [gang, admitted] : live) {
    if (has_domains(*admitted.admission)) {
      assigned.emplace(admitted.workload->key(), admitted.workload.get());
    }
    holders.emplace(admitted.workload->key(), admitted.workload.get());
  }
  std::set<std::string> unknown;
  for (const auto& [key, pod] : pods) {
    count_quota(pod, holders);
    // An assignment counts in place of its pods, except under Kueue's rule.
    const bool stood_for = rule == config::PodUsage::kAll && stands_for(assigned, pod);
    if (stood_for && others_.counted.count(key) == 0) {
      ++accounting.pods_of_known;
      continue;
    }
    if (!count_pod(pod, rule)) {
      if (rule != config::PodUsage::kAll && pod.tas_annotated) {
        const bool known = !pod.workload.empty() && assigned.count(pod.workload) > 0;
        ++(known ? accounting.pods_of_known : accounting.not_counted);
      }
      continue;
    }
    ++accounting.bound_pods;
    if (pod.workload.empty() && !pod.owner.empty())
      unknown.insert(pod.namespace_name + " " + pod.owner);
  }
  accounting.unknown_owners.assign(unknown.begin(), unknown.end());
}

/// Under Kueue's rule it is the annotations that decide: pods with TAS annotations never count, and
/// all others do.
std::optional<topology::NodeId> Books::count_pod(const PodRecord& pod, config::PodUsage rule) {
  if (rule != config::PodUsage::kAll && pod.tas_annotated) return std::nullopt;
  const std::optional<topology::NodeId> node = cluster_->find_node(pod.node.view());
  if (!node || !others_.counted.emplace(pod.namespace_name, pod.name).second) return node;
  const Amounts amounts = solver::pod_amounts(pod.request);
  capacity_.add_pod(*node, amounts);
  others_.pods[*node].add(amounts);
  return node;
}

std::optional<topology::NodeId> Books::discount_pod(const PodRecord& pod) {
  if (others_.counted.erase({pod.namespace_name, pod.name}) == 0) return std::nullopt;
  const std::optional<topology::NodeId> node = cluster_->find_node(pod.node.view());
  const Amounts amounts = solver::pod_amounts(pod.request);
  capacity_.remove_pod(*node, amounts);
  others_.pods[*node].subtract(amounts);
  return node;
}

void Books::count_quota(const PodRecord& pod, const HoldersByKey& holders) {
  if (pod.kai_queue.empty() || stands_for(holders, pod)) return;
  const std::optional<QuotaNode> queue = ledger_.queue(pod.kai_queue.str());
  if (!queue) return;
  for (const topology::Amount& amount : pod.request) {
    // The flavor does not matter: a KAI Queue counts all flavors together.
    const std::optional<QuotaColumn> column = ledger_.column(*queue, Symbol(), amount.resource);
    if (!column) continue;
    ledger_.add(*queue, *column, amount.value);
    others_.quota.push_back({*queue, *column, amount.value});
  }
}

Held Books::empty_hands(const Workload& workload) {
  Held held;
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) {
    held.requests.push_back(intern(pod_set.request));
  }
  return held;
}

std::shared_ptr<const PodRequest> Books::intern(const Amounts& request) {
  std::uint64_t key = 0;
  for (const topology::Amount& amount : request) {
    key = (key ^ amount.resource.id()) * 0x9e3779b97f4a7c15 +
          static_cast<std::uint64_t>(amount.value);
  }
  const auto [first, last] = requests_.equal_range(key);
  for (auto at = first; at != last; ++at) {
    if (at->second->request == request) return at->second;
  }
  if (requests_.size() >= sweep_at_) {
    std::erase_if(requests_, [](const auto& entry) { return entry.second.use_count() == 1; });
    sweep_at_ = 2 * requests_.size() + 64;
  }
  auto made = std::make_shared<PodRequest>();
  made->request = request;
  made->amounts = solver::pod_amounts(request);
  made->rows = capacity_.rows_of(made->amounts);
  made->hash = amounts_hash(made->amounts);
  return requests_.emplace(key, std::move(made))->second;
}

void Books::take(const Held& held) {
  for (const Held::Quota& quota : held.quota) ledger_.add(quota.queue, quota.column, quota.amount);
  for (const Held::Pods& part : held.pods) {
    capacity_.book(part.cell, held.requests[part.pod_set]->rows, part.pods);
  }
}

/// Goes in reverse order, so that each step undoes the latest one. Then a cohort gives back to its
/// parent exactly what it took from it.
void Books::give_back(const Held& held) {
  for (auto it = held.quota.rbegin(); it != held.quota.rend(); ++it) {
    ledger_.remove(it->queue, it->column, it->amount);
  }
  for (auto it = held.pods.rbegin(); it != held.pods.rend(); ++it) {
    capacity_.release(it->cell, held.requests[it->pod_set]->rows, it->pods);
  }
}

void Books::admit(GangId gang, const Workload& workload, const Admission& admission,
                  std::span<const PodRecord* const> pods, Accounting& accounting) {
  Held held = held_of(workload, admission, pods, accounting);
  take(held);
  held_[gang] = std::move(held);
}

Held Books::held_of(const Workload& workload, const Admission& admission,
                    std::span<const PodRecord* const> pods, Accounting& accounting) {
  Held held = empty_hands(workload);
  const std::optional<QuotaNode> queue = ledger_.queue(admission.cluster_queue);
  for (std::size_t i = 0; queue && i < admission.pod_sets.size(); ++i) {
    const PodSetAssignment& assignment = admission.pod_sets[i];
    const std::size_t pod_set = pod_set_of(workload, assignment, i);
    Amounts usage = assignment.usage;
    if (usage.empty() && pod_set < workload.quota_requests.size()) {
      usage = workload.quota_requests[pod_set].times(assignment.count);
    }
    add_quota(*queue, assignment.flavors, usage, held);
  }
  if (has_domains(admission)) {
    Seating seating =
        seat(Places(*cluster_, flavors_), *cluster_, workload, admission, held.requests, pods);
    held.pods = std::move(seating.pods);
    held.follows_pods = seating.follows_pods;
    for (const PodRecord* stray : seating.strays) count_pod(*stray, config::PodUsage::kAll);
    std::move(seating.mismatches.begin(), seating.mismatches.end(),
              std::back_inserter(accounting.mismatches));
  }
  return held;
}

void Books::add_quota(QuotaNode queue, const ResourceFlavors& flavors, const Amounts& usage,
                      Held& held) const {
  for (const auto& [resource, flavor] : flavors) {
    const std::optional<QuotaColumn> column = ledger_.column(queue, flavor, resource);
    const std::int64_t amount = usage.get(resource);
    if (column && amount != 0) held.quota.push_back({queue, *column, amount});
  }
}

void Books::add_pods(const PodSetDecision& pod_set, std::uint32_t position, Held& held) const {
  if (pod_set.placement.empty()) return;
  const std::optional<FlavorId> flavor = find_flavor(flavors_, pod_set.topology_flavor);
  const solver::FlavorView& view = *cluster_->view(*flavor, pod_set.open);
  for (const solver::LeafPods& leaf : pod_set.placement) {
    held.pods.push_back({view.cells()[topology::index(leaf.leaf)], position, leaf.pods});
  }
}

const Held& Books::place(GangId gang, const Workload& workload, const Decision& decision) {
  Held held = held_of(workload, decision);
  take(held);
  return held_[gang] = std::move(held);
}

Held Books::held_of(const Workload& workload, const Decision& decision) {
  Held held = empty_hands(workload);
  const std::optional<QuotaNode> queue = ledger_.queue(decision.cluster_queue);
  for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
    const PodSetDecision& pod_set = decision.pod_sets[i];
    if (queue) {
      Amounts usage = pod_set.usage;
      if (usage.empty() && i < workload.quota_requests.size()) {
        usage = workload.quota_requests[i].times(pod_set.count);
      }
      add_quota(*queue, pod_set.flavors, usage, held);
    }
    add_pods(pod_set, static_cast<std::uint32_t>(i), held);
  }
  held.follows_pods = cluster_->mixes_leaves() &&
                      std::any_of(held.pods.begin(), held.pods.end(), [&](const Held::Pods& part) {
                        return !cluster_->cells()->is_host(part.cell);
                      });
  return held;
}

void Books::reserve_quota(QuotaNode queue, QuotaColumn column, std::int64_t amount) {
  Held held;
  held.quota.push_back({queue, column, amount});
  take(held);
  reserved_.push_back(std::move(held));
}

void Books::reserve_room(const Workload& workload, std::span<const PodSetDecision> pod_sets) {
  Held held = empty_hands(workload);
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    add_pods(pod_sets[i], static_cast<std::uint32_t>(i), held);
  }
  take(held);
  reserved_.push_back(std::move(held));
}

void Books::end_reservations() {
  for (auto it = reserved_.rbegin(); it != reserved_.rend(); ++it) give_back(*it);
  reserved_.clear();
}

bool Books::room_for(const Workload& workload, std::span<const PodSetDecision> pod_sets) {
  Held wanted = empty_hands(workload);
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    add_pods(pod_sets[i], static_cast<std::uint32_t>(i), wanted);
  }
  std::size_t assumed = 0;
  bool fits = true;
  for (; assumed < wanted.pods.size() && fits; ++assumed) {
    const Held::Pods& part = wanted.pods[assumed];
    fits = capacity_.fits(part.cell, wanted.requests[part.pod_set]->rows, part.pods);
    if (!fits) break;
    capacity_.assume(part.cell, wanted.requests[part.pod_set]->rows, part.pods);
  }
  for (std::size_t i = 0; i < assumed; ++i) {
    const Held::Pods& part = wanted.pods[i];
    capacity_.forget(part.cell, wanted.requests[part.pod_set]->rows, part.pods);
  }
  return fits;
}

Held Books::release(GangId gang) {
  const auto at = held_.find(gang);
  if (at == held_.end()) return {};
  Held held = std::move(at->second);
  held_.erase(at);
  growths_.erase(gang);
  give_back(held);
  return held;
}

Books Books::without(std::span<const GangId> gangs, std::span<const PodRecord* const> pods) const {
  Books books(*cluster_, flavors_, capacity_, index_, ledger_);
  std::set<GangId> ended;
  for (const GangId gang : gangs) {
    const auto at = held_.find(gang);
    if (at != held_.end() && ended.insert(gang).second) books.give_back(at->second);
  }
  std::set<std::pair<std::string_view, std::string_view>> gone;
  for (const PodRecord* pod : pods) {
    if (others_.counted.count({pod->namespace_name, pod->name}) == 0) continue;
    if (!gone.emplace(pod->namespace_name, pod->name).second) continue;
    const std::optional<topology::NodeId> node = cluster_->find_node(pod->node.view());
    books.capacity_.remove_pod(*node, solver::pod_amounts(pod->request));
  }
  return books;
}

std::map<GangId, std::int64_t> Books::quota_holders(QuotaColumn column) const {
  std::map<GangId, std::int64_t> held;
  for (const auto& [gang, all] : held_) {
    for (const Held::Quota& quota : all.quota) {
      if (quota.column == column) held[gang] += quota.amount;
    }
  }
  return held;
}

Admission admission_of(const Decision& decision, const Workload& workload, const Cluster& cluster,
                       std::span<const Flavor> flavors) {
  Admission admission = quota_side(decision, workload);
  for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
    const PodSetDecision& chosen = decision.pod_sets[i];
    PodSetAssignment& assignment = admission.pod_sets[i];
    const std::optional<FlavorId> flavor = find_flavor(flavors, chosen.topology_flavor);
    if (!flavor || !cluster.view(*flavor, chosen.open)) continue;
    const topology::DomainTree& tree = cluster.view(*flavor, chosen.open)->tree();
    const std::vector<topology::TopologyLevel>& levels = tree.topology().levels;
    assignment.levels.reserve(levels.size());
    for (const topology::TopologyLevel& level : levels) assignment.levels.push_back(level.label);
    assignment.domains.reserve(chosen.placement.size(), levels.size());
    std::vector<Symbol> path(levels.size());
    for (const solver::LeafPods& leaf : chosen.placement) {
      tree.path(tree.domain_of(leaf.leaf), path);
      assignment.domains.add(path, leaf.pods);
    }
  }
  return admission;
}

}  // namespace tessera::core
