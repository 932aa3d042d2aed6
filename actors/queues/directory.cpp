// SPDX-License-Identifier: Apache-2.0
#include "actors/queues/directory.h"

#include <algorithm>

#include "topology/parent_forest.h"
#include "topology/text/wording.h"

namespace tessera::core {
namespace {

/// A queue over all flavors without quota.
PlanQueue open_queue(const std::string& name, std::span<const Flavor> flavors) {
  PlanQueue queue;
  queue.name = name;
  PlanGroup group;
  group.covers_all = true;
  queue.topology_only = true;
  for (std::size_t f = 0; f < flavors.size(); ++f) {
    group.flavors.push_back(FlavorId{static_cast<std::uint32_t>(f)});
    queue.topology_only = queue.topology_only && flavors[f].topology_aware();
  }
  queue.groups.push_back(std::move(group));
  return queue;
}

template <class Record>
const Record* find_record(const std::unordered_map<std::string_view, const Record*>& records,
                          std::string_view name) {
  const auto found = records.find(name);
  return found == records.end() ? nullptr : found->second;
}

bool asks_for_shares(const KaiQueueRecord& record) {
  for (const KaiQuota& quota : {record.cpu, record.memory, record.gpu}) {
    if (quota.deserved != 0 || quota.over_quota_weight != 0) return true;
  }
  return false;
}

constexpr std::size_t kChildrenShown = 3;

/// The KAI Queues of an input by name, and how they hang together.
struct KaiTrees {
  std::vector<const KaiQueueRecord*> records;
  topology::ParentForest forest;  // positions are those of records

  explicit KaiTrees(const Inventory& inventory);
  /// Why the queue takes no workloads; empty: it takes them.
  std::string fault(topology::ParentForest::Position at) const;
};

KaiTrees::KaiTrees(const Inventory& inventory) {
  std::map<std::string_view, const KaiQueueRecord*> by_name;
  for (const KaiQueueRecord& record : inventory.kai_queues) by_name[record.name] = &record;
  std::vector<topology::NamedParent> names;
  for (const auto& [name, record] : by_name) {
    records.push_back(record);
    names.push_back({record->name, record->parent});
  }
  forest = topology::ParentForest(topology::parent_positions(names));
}

std::string KaiTrees::fault(topology::ParentForest::Position at) const {
  const std::string& name = records[at]->name;
  if (forest.circle(at)) return "the parents of Queue " + name + " form a cycle";
  const KaiQueueRecord& top = *records[forest.root(at)];
  if (!top.parent.empty()) {
    return "Queue " + top.parent + ", the parent of " + top.name + ", is not in the input";
  }
  const auto below = forest.children(at);
  if (below.empty()) return {};
  std::vector<std::string> shown;
  for (const auto child : below.first(std::min(below.size(), kChildrenShown))) {
    shown.push_back(records[child]->name);
  }
  if (below.size() > kChildrenShown) {
    shown.push_back(std::to_string(below.size() - kChildrenShown) + " more");
  }
  return "Queue " + name + " is the parent of " + joined_with_and(shown) +
         ": only queues without any below take workloads";
}

}  // namespace

bool PlanGroup::covers(Symbol resource) const {
  return covers_all || std::find(covered.begin(), covered.end(), resource) != covered.end();
}

Directory::Directory(const Inventory& inventory, std::span<const Flavor> flavors,
                     const Ledger& ledger)
    : inventory_(&inventory), flavors_(flavors) {
  if (!inventory.has_queues) {
    queues_.emplace("", open_queue("", flavors));
    for (const Workload& workload : inventory.workloads) {
      if (queues_.count(workload.queue) > 0) continue;
      queues_.emplace(workload.queue, open_queue(workload.queue, flavors));
    }
    return;
  }
  for (const AdmissionCheckRecord& check : inventory.checks) checks_.emplace(check.name, &check);
  for (const NamespaceRecord& each : inventory.namespaces) namespaces_.emplace(each.name, &each);
  for (const CohortRecord& each : inventory.cohorts) cohorts_.emplace(each.name, &each);
  for (const ClusterQueueRecord& record : inventory.cluster_queues) {
    records_[record.name] = &record;
    queues_[record.name] = resolve(record, ledger);
  }
  for (const LocalQueueRecord& record : inventory.local_queues) {
    local_queues_[{record.namespace_name, record.name}] = &record;
  }
  add_kai_queues(ledger);
}

void Directory::add_kai_queues(const Ledger& ledger) {
  const KaiTrees trees(*inventory_);
  for (std::uint32_t i = 0; i < trees.forest.size(); ++i) {
    const std::string& name = trees.records[i]->name;
    if (queues_.count(name) > 0) continue;  // a ClusterQueue of that name goes first
    PlanQueue queue = open_queue(name, flavors_);
    queue.is_kai = true;
    queue.quota = ledger.queue(name);
    queue.inactive_detail = trees.fault(i);
    if (!queue.inactive_detail.empty()) queue.inactive = Reason::kQuotaParent;
    queues_.emplace(name, std::move(queue));
  }
}

PlanQueue Directory::resolve(const ClusterQueueRecord& record, const Ledger& ledger) {
  PlanQueue queue;
  queue.name = record.name;
  queue.strategy = record.strategy;
  queue.quota = ledger.queue(record.name);
  queue.missing_cohort = missing_cohort(record.cohort);
  queue.borrow_tries_next_flavor = record.borrow_tries_next_flavor;
  queue.reclaims_any = record.reclaims_any;
  queue.preempts_while_borrowing = record.preempts_while_borrowing;
  queue.topology_only = !record.groups.empty();
  for (const ResourceGroup& group : record.groups) {
    PlanGroup resolved{group.covered, false, {}};
    for (const FlavorQuotas& quotas : group.flavors) {
      const std::optional<FlavorId> flavor = find_flavor(flavors_, quotas.flavor);
      if (!flavor) continue;  // the queue is inactive
      resolved.flavors.push_back(*flavor);
      queue.topology_only = queue.topology_only && flavors_[index(*flavor)].topology_aware();
    }
    queue.groups.push_back(std::move(resolved));
  }
  // Without any AdmissionCheck in the input the named ones count as active and ready (ux.md rule
  // 1).
  if (!inventory_->checks.empty()) queue.checks = record.checks;
  find_inactive(record, ledger, queue);
  return queue;
}

void Directory::find_inactive(const ClusterQueueRecord& record, const Ledger& ledger,
                              PlanQueue& queue) const {
  // The first reason that applies counts, in the order of queues.md 1.2.
  const auto because = [&queue](Reason reason, std::string detail) {
    if (queue.inactive != Reason::kNone) return;
    queue.inactive = reason;
    queue.inactive_detail = std::move(detail);
  };
  if (record.stop != StopPolicy::kNone) {
    because(Reason::kQueueStopped, "ClusterQueue " + record.name);
  }
  for (const ResourceGroup& group : record.groups) {
    for (const FlavorQuotas& quotas : group.flavors) {
      if (!find_flavor(flavors_, quotas.flavor)) because(Reason::kFlavor, quotas.flavor);
    }
  }
  for (const auto& [name, flavors] : queue.checks) {
    const AdmissionCheckRecord* check = find_record(checks_, name);
    if (!check || !check->active) because(Reason::kAdmissionCheck, name);
  }
  for (const PlanGroup& group : queue.groups) {
    for (const FlavorId id : group.flavors) {
      const Flavor& flavor = flavors_[index(id)];
      if (flavor.topology_aware() && !flavor.topology) {
        because(Reason::kTopologyMissing, flavor.record.topology);
      }
    }
  }
  if (queue.quota && ledger.in_cycle(*queue.quota)) {
    because(Reason::kQuotaParent, "Cohort " + record.cohort + " is below itself");
  }
}

std::string Directory::namespace_fault(const ClusterQueueRecord& record,
                                       const std::string& name) const {
  const auto no_match = [&name] {
    return "namespace " + name + " does not match the queue's namespaceSelector";
  };
  if (!record.namespace_selector) return no_match();
  const auto& requirements = record.namespace_selector->requirements;
  if (requirements.empty()) return {};
  static const Symbol kNameLabel("kubernetes.io/metadata.name");
  // The API server gives every namespace this label. Its value becomes a symbol only where a
  // selector asks for it: workloads may name namespaces without end.
  const bool asked = std::any_of(
      requirements.begin(), requirements.end(), [&](const topology::LabelRequirement& r) {
        return std::any_of(r.values.begin(), r.values.end(),
                           [&](const topology::AskedText& value) { return value.view() == name; });
      });
  const Symbol own_name = asked ? Symbol(name) : Symbol::find(name);
  const NamespaceRecord* const found = find_record(namespaces_, name);
  if (found == nullptr) {
    const topology::LabelRequirement* other = nullptr;
    for (const topology::LabelRequirement& r : requirements) {
      if (r.key == kNameLabel && !r.matches(own_name)) return no_match();
      if (r.key != kNameLabel && other == nullptr) other = &r;
    }
    if (other != nullptr) {
      return "namespace " + name + " is not in the input, and the queue's namespaceSelector asks " +
             "for its label " + other->key.str();
    }
  }
  topology::Labels labels = found ? found->labels : topology::Labels();
  labels.set(kNameLabel, own_name);
  return record.namespace_selector->matches(labels) ? std::string() : no_match();
}

std::string Directory::missing_cohort(std::string_view name) {
  std::vector<std::string_view> way;
  std::string_view missing;
  while (!name.empty()) {
    // Parents may form a circle: nothing is missing above a cohort that this way came by.
    const auto [known, first_time] = missing_above_.try_emplace(name);
    if (!first_time) {
      missing = known->second;
      break;
    }
    way.push_back(name);
    const CohortRecord* const found = find_record(cohorts_, name);
    if (found == nullptr) {
      missing = name;
      break;
    }
    name = found->parent;
  }
  for (const std::string_view each : way) missing_above_[each] = missing;
  return std::string(missing);
}

Directory::Entry Directory::find_kai_queue(const std::string& name) const {
  const auto found = queues_.find(name);
  if (found == queues_.end() || !found->second.is_kai) {
    return {nullptr, false, Reason::kQueueMissing, "Queue " + name};
  }
  const PlanQueue& queue = found->second;
  return {&queue, queue.inactive == Reason::kNone, queue.inactive, queue.inactive_detail};
}

Directory::Entry Directory::find_queue(const Workload& workload) const {
  if (!inventory_->has_queues) {
    const auto named = queues_.find(workload.queue);
    return {&(named == queues_.end() ? queues_.at("") : named->second), true, Reason::kNone, ""};
  }
  if (workload.queue_is_kai) return find_kai_queue(workload.queue);
  const auto local = local_queues_.find({workload.namespace_name, workload.queue});
  if (local == local_queues_.end()) {
    const std::string name = workload.queue.empty() ? "" : "LocalQueue " + workload.queue;
    return {nullptr, false, Reason::kQueueMissing, name};
  }
  const std::string& name = local->second->cluster_queue;
  const auto found = queues_.find(name);
  if (found == queues_.end() || found->second.is_kai) {
    return {nullptr, false, Reason::kQueueMissing, "ClusterQueue " + name};
  }
  const PlanQueue& queue = found->second;
  if (local->second->stop != StopPolicy::kNone) {
    return {&queue, false, Reason::kQueueStopped, "LocalQueue " + workload.queue};
  }
  if (queue.inactive != Reason::kNone)
    return {&queue, false, queue.inactive, queue.inactive_detail};
  return {&queue, true, Reason::kNone, ""};
}

Directory::Entry Directory::enter(const Workload& workload) const {
  if (!workload.invalid.empty()) {
    return {nullptr, false, Reason::kInvalid, workload.invalid_text()};
  }
  if (!workload.admission_gated_by.empty()) {
    return {nullptr, false, Reason::kGated, workload.admission_gated_by};
  }
  if (!workload.held_by.empty()) return {nullptr, false, Reason::kGated, workload.held_by};
  if (workload.status.replaces_pods) {
    return {nullptr, false, Reason::kGated, "condition WaitingForReplacementPods"};
  }
  Entry entry = find_queue(workload);
  if (!entry.stands) return entry;
  for (const WorkloadCheck& check : workload.status.checks) {
    if (check.state == CheckState::kRetry || check.state == CheckState::kRejected) {
      return {entry.queue, true, Reason::kAdmissionCheck, check.name};
    }
  }
  const auto record = records_.find(entry.queue->name);
  if (record != records_.end()) {
    std::string fault = namespace_fault(*record->second, workload.namespace_name);
    // Such a workload does not block a StrictFIFO queue (queues.md 3), so it need not stand in the
    // queue.
    if (!fault.empty()) return {entry.queue, false, Reason::kNamespace, std::move(fault)};
  }
  if (!workload.resources_fault.empty()) {
    return {entry.queue, true, Reason::kLimitRange, workload.resources_fault};
  }
  return entry;
}

std::vector<std::string> Directory::warnings() const {
  std::vector<std::string> warnings;
  for (const auto& [name, record] : records_) {
    std::vector<std::string> parts;
    if (record->preempts) parts.emplace_back("preemption");
    if (record->fair_sharing) parts.emplace_back("fair sharing");
    std::string text;
    if (!parts.empty()) {
      text = joined_with_and(parts) + (parts.size() > 1 ? " are" : " is") +
             " not evaluated by this version";
    }
    if (inventory_->checks.empty() && !record->checks.empty()) {
      std::vector<std::string> checks;
      for (const auto& [check, flavors] : record->checks) checks.push_back(check);
      if (!text.empty()) text += "; ";
      text +=
          "admission checks that are not in the input count as ready: " + joined_with_and(checks);
    }
    if (!text.empty()) warnings.push_back("ClusterQueue " + name + ": " + text);
  }
  const auto& kai = inventory_->kai_queues;
  if (std::any_of(kai.begin(), kai.end(), asks_for_shares)) {
    warnings.emplace_back(
        "KAI Queues: quota and overQuotaWeight are not evaluated by this version; limits are");
  }
  return warnings;
}

}  // namespace tessera::core
