// SPDX-License-Identifier: Apache-2.0
#include "actors/core/books.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace tessera::core {
namespace {

std::string domain_text(const DomainPods& domain) {
  std::string text;
  for (const Symbol value : domain.values) {
    if (!text.empty()) text += '/';
    text += value.view();
  }
  return text;
}

/// The values of the assignment that identify a leaf of `tree`: the host name alone where both end
/// at the host (so that a topology may gain or lose upper levels while a workload runs), else one
/// per level of the tree, found by label.
std::optional<std::vector<Symbol>> leaf_values(const topology::TopologySpec& topology,
                                               const PodSetAssignment& assignment,
                                               const DomainPods& domain) {
  const std::size_t given = std::min(assignment.levels.size(), domain.values.size());
  if (given == 0) return std::nullopt;
  if (topology.host_level() && assignment.levels[given - 1] == topology::hostname_label().view()) {
    return std::vector<Symbol>{domain.values[given - 1]};
  }
  std::vector<Symbol> values;
  for (const topology::TopologyLevel& level : topology.levels) {
    std::size_t at = 0;
    while (at < given && assignment.levels[at] != level.label.view()) ++at;
    if (at == given) return std::nullopt;
    values.push_back(domain.values[at]);
  }
  return values;
}

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

/// True if the assignment of `workload` stands for its pods.
bool has_domains(const Workload& workload) {
  if (workload.finished || !workload.admission) return false;
  const auto& pod_sets = workload.admission->pod_sets;
  return std::any_of(pod_sets.begin(), pod_sets.end(),
                     [](const PodSetAssignment& each) { return !each.domains.empty(); });
}

}  // namespace

std::optional<FlavorId> find_flavor(std::span<const Flavor> flavors, const std::string& name) {
  const auto at = std::lower_bound(
      flavors.begin(), flavors.end(), name,
      [](const Flavor& flavor, const std::string& text) { return flavor.record.name < text; });
  if (at == flavors.end() || at->record.name != name) return std::nullopt;
  return FlavorId{static_cast<std::uint32_t>(at - flavors.begin())};
}

std::size_t pod_set_of(const Workload& workload, const PodSetAssignment& assignment,
                       std::size_t position) {
  const auto& pod_sets = workload.gang.pod_sets;
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    if (pod_sets[i].name == assignment.name) return i;
  }
  return position;
}

Books::Books(const Cluster& cluster, std::span<const Flavor> flavors, Ledger ledger,
             const solver::IndexLimits& index)
    : cluster_(&cluster),
      flavors_(flavors),
      capacity_(cluster.empty()),
      index_(index),
      ledger_(std::move(ledger)) {}

void Books::count_pods(const Inventory& inventory, config::PodUsage rule, Accounting& accounting) {
  std::set<std::string> assigned, holders;
  for (const Workload& workload : inventory.workloads) {
    if (has_domains(workload)) assigned.insert(workload.key());
    if (workload.admission) holders.insert(workload.key());
  }
  std::set<std::string> unknown;
  for (const PodRecord& pod : inventory.pods) {
    count_quota(pod, holders);
    const bool stood_for = !pod.workload.empty() && assigned.count(pod.workload) > 0;
    const bool is_use = rule == config::PodUsage::kAll ? !stood_for : !pod.tas_annotated;
    if (!is_use) {
      ++(stood_for ? accounting.pods_of_known : accounting.not_counted);
      continue;
    }
    const std::optional<topology::NodeId> node = cluster_->find_node(pod.node);
    if (!node) continue;
    ++accounting.bound_pods;
    capacity_.add_pod(*node, solver::pod_amounts(pod.request));
    if (pod.workload.empty() && !pod.owner.empty())
      unknown.insert(pod.namespace_name + " " + pod.owner);
  }
  accounting.unknown_owners.assign(unknown.begin(), unknown.end());
}

void Books::count_quota(const PodRecord& pod, const std::set<std::string>& holders) {
  if (pod.kai_queue.empty() || holders.count(pod.workload) > 0) return;
  const std::optional<QuotaNode> queue = ledger_.queue(pod.kai_queue.str());
  if (!queue) return;
  for (const topology::Amount& amount : pod.request) {
    // Its flavor does not matter: a KAI Queue counts over all.
    const std::optional<QuotaColumn> column = ledger_.column(*queue, "", amount.resource);
    if (column) ledger_.add(*queue, *column, amount.value);
  }
}

void Books::admit(std::size_t id, const Workload& workload, const Admission& admission,
                  Accounting& accounting) {
  book_quota(id, workload, admission);
  for (std::size_t i = 0; i < admission.pod_sets.size(); ++i) {
    const std::size_t pod_set = pod_set_of(workload, admission.pod_sets[i], i);
    if (pod_set >= workload.gang.pod_sets.size()) continue;
    book_domains(id, workload, admission.pod_sets[i], pod_set, accounting);
  }
}

void Books::book_quota(std::size_t id, const Workload& workload, const Admission& admission) {
  const std::optional<QuotaNode> queue = ledger_.queue(admission.cluster_queue);
  if (!queue) return;
  for (std::size_t i = 0; i < admission.pod_sets.size(); ++i) {
    const PodSetAssignment& assignment = admission.pod_sets[i];
    const std::size_t pod_set = pod_set_of(workload, assignment, i);
    Amounts usage = assignment.usage;
    if (usage.empty() && pod_set < workload.quota_requests.size()) {
      usage = workload.quota_requests[pod_set].times(assignment.count);
    }
    for (const auto& [resource, flavor] : assignment.flavors) {
      const Symbol symbol(resource);
      const std::optional<QuotaColumn> column = ledger_.column(*queue, flavor, symbol);
      const std::int64_t amount = usage.get(symbol);
      if (!column || amount == 0) continue;
      ledger_.add(*queue, *column, amount);
      quota_.push_back({id, *queue, *column, amount});
    }
  }
}

std::optional<topology::CellId> Books::find_cell(const PodSetAssignment& assignment,
                                                 const DomainPods& domain) const {
  for (const auto& [resource, name] : assignment.flavors) {
    const std::optional<FlavorId> flavor = find_flavor(flavors_, name);
    if (!flavor || !cluster_->view(*flavor, false)) continue;
    const auto values = leaf_values(*flavors_[index(*flavor)].topology, assignment, domain);
    if (!values) return std::nullopt;
    for (const bool open : {false, true}) {
      const solver::FlavorView* view = cluster_->view(*flavor, open);
      if (const auto leaf = view->tree().find_leaf(*values)) {
        return view->cells()[topology::index(*leaf)];
      }
    }
    return std::nullopt;
  }
  return std::nullopt;
}

void Books::book_domains(std::size_t id, const Workload& workload,
                         const PodSetAssignment& assignment, std::size_t position,
                         Accounting& accounting) {
  const Amounts per_pod = solver::pod_amounts(workload.gang.pod_sets[position].request);
  for (const DomainPods& domain : assignment.domains) {
    const std::optional<topology::CellId> cell = find_cell(assignment, domain);
    if (!cell) {
      accounting.lost.emplace_back(workload.key(), domain_text(domain));
      continue;
    }
    Holding holding{id, position, *cell, domain.pods, per_pod.times(domain.pods)};
    capacity_.book(*cell, holding.total);
    holdings_.push_back(std::move(holding));
  }
}

void Books::place(std::size_t id, const Workload& workload, const Decision& decision) {
  book_quota(id, workload, quota_side(decision, workload));
  for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
    for (Holding& holding : holdings_of(id, workload, decision.pod_sets[i], i)) {
      capacity_.book(holding.cell, holding.total);
      holdings_.push_back(std::move(holding));
    }
  }
}

std::vector<Holding> Books::holdings_of(std::size_t id, const Workload& workload,
                                        const PodSetDecision& pod_set, std::size_t position) const {
  std::vector<Holding> holdings;
  if (pod_set.placement.empty()) return holdings;
  const std::optional<FlavorId> flavor = find_flavor(flavors_, pod_set.topology_flavor);
  const solver::FlavorView& view = *cluster_->view(*flavor, pod_set.open);
  const Amounts per_pod = solver::pod_amounts(workload.gang.pod_sets[position].request);
  for (const solver::LeafPods& leaf : pod_set.placement) {
    const topology::CellId cell = view.cells()[topology::index(leaf.leaf)];
    holdings.push_back({id, position, cell, leaf.pods, per_pod.times(leaf.pods)});
  }
  return holdings;
}

void Books::reserve_quota(QuotaNode queue, QuotaColumn column, std::int64_t amount) {
  ledger_.add(queue, column, amount);
  reserved_quota_.push_back({0, queue, column, amount});
}

void Books::reserve_room(const Workload& workload, const PodSetDecision& pod_set,
                         std::size_t position) {
  for (Holding& holding : holdings_of(0, workload, pod_set, position)) {
    capacity_.book(holding.cell, holding.total);
    reserved_room_.push_back(std::move(holding));
  }
}

void Books::end_reservations() {
  // Backwards: an amount is taken from the parent as it was added.
  for (auto it = reserved_quota_.rbegin(); it != reserved_quota_.rend(); ++it) {
    ledger_.remove(it->queue, it->column, it->amount);
  }
  for (const Holding& holding : reserved_room_) capacity_.release(holding.cell, holding.total);
  reserved_quota_.clear();
  reserved_room_.clear();
}

bool Books::room_for(const Workload& workload, std::span<const PodSetDecision> pod_sets) {
  bool fits = true;
  std::vector<Holding> assumed;
  for (std::size_t i = 0; i < pod_sets.size() && fits; ++i) {
    for (Holding& holding : holdings_of(0, workload, pod_sets[i], i)) {
      fits = fits && capacity_.fits(holding.cell, holding.total);
      if (!fits) break;
      capacity_.assume(holding.cell, holding.total);
      assumed.push_back(std::move(holding));
    }
  }
  for (const Holding& holding : assumed) capacity_.forget(holding.cell, holding.total);
  return fits;
}

void Books::release(std::size_t id) {
  for (const Holding& holding : holdings_) {
    if (holding.workload == id) capacity_.release(holding.cell, holding.total);
  }
  for (const QuotaHolding& holding : quota_) {
    if (holding.workload == id) ledger_.remove(holding.queue, holding.column, holding.amount);
  }
  const auto held = [id](const auto& holding) { return holding.workload == id; };
  holdings_.erase(std::remove_if(holdings_.begin(), holdings_.end(), held), holdings_.end());
  quota_.erase(std::remove_if(quota_.begin(), quota_.end(), held), quota_.end());
}

std::vector<std::size_t> Books::quota_holders(QuotaColumn column) const {
  std::map<std::size_t, std::int64_t> held;
  for (const QuotaHolding& holding : quota_) {
    if (holding.column == column) held[holding.workload] += holding.amount;
  }
  std::vector<std::size_t> holders;
  for (const auto& [workload, amount] : held) holders.push_back(workload);
  std::stable_sort(holders.begin(), holders.end(),
                   [&held](std::size_t a, std::size_t b) { return held[a] > held[b]; });
  return holders;
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
    for (const topology::TopologyLevel& level : tree.topology().levels) {
      assignment.levels.push_back(level.label.str());
    }
    for (const solver::LeafPods& leaf : chosen.placement) {
      assignment.domains.push_back({tree.path(tree.domain_of(leaf.leaf)), leaf.pods});
    }
  }
  return admission;
}

}  // namespace tessera::core
