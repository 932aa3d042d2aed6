// SPDX-License-Identifier: Apache-2.0
// Directory: the queues of an Inventory, and which of them a workload enters (queues.md 1).
//
// Built once for each set of definitions; immutable. A workload enters a KAI Queue by the queue's
// name alone, and all flavors serve that queue. If the input has no queue at all, each queue name
// that a workload has is a queue over all flavors without quota, and "" is the queue of all other
// names. Does not know the order inside a queue (QueueState) or what is in use (Ledger).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actors/capacity/flavor.h"
#include "actors/quota/ledger.h"
#include "actors/records/reason.h"

namespace tessera::core {

/// A resource group whose flavors are looked up.
struct PlanGroup {
  std::vector<Symbol> covered;
  bool covers_all = false;        // a queue without quota covers every resource
  std::vector<FlavorId> flavors;  // the queue's order

  bool covers(Symbol resource) const;
};

/// A ClusterQueue or KAI Queue as planning needs it.
struct PlanQueue {
  std::string name;
  bool is_kai = false;  // entered without a LocalQueue; its quota counts all flavors together
  QueueStrategy strategy = QueueStrategy::kBestEffortFifo;
  std::vector<PlanGroup> groups;
  std::optional<QuotaNode> quota;  // absent: no quota applies
  bool topology_only =
      false;  // every flavor is a topology flavor: requests are implied (placement.md 1.6)
  bool borrow_tries_next_flavor = false;
  bool reclaims_any = false, preempts_while_borrowing = false;  // see ClusterQueueRecord
  std::map<std::string, std::vector<std::string>>
      checks;                       // check -> flavors that need it (empty: all)
  Reason inactive = Reason::kNone;  // why it takes no workload
  std::string inactive_detail;
  std::string missing_cohort;  // the nearest Cohort above it that the input lacks; empty: none
};

class Directory {
 public:
  /// The inventory and the flavors outlive the directory.
  Directory(const Inventory& inventory, std::span<const Flavor> flavors, const Ledger& ledger);

  struct Entry {
    const PlanQueue* queue = nullptr;  // its ClusterQueue or KAI Queue, if there is one
    bool stands = false;               // it waits in that queue and may be a head (queues.md 1)
    Reason reason = Reason::kNone;     // why it is not evaluated: a head with a reason is refused
    std::string detail;
  };
  /// Which queue an active workload enters.
  Entry enter(const Workload& workload) const;

  /// Queues by name. In an input without queues: those that the workloads name.
  const std::map<std::string, PlanQueue>& queues() const { return queues_; }
  /// What the queues ask for that this version does not evaluate; one text for each queue.
  std::vector<std::string> warnings() const;

 private:
  Entry find_queue(const Workload& workload) const;
  Entry find_kai_queue(const std::string& name) const;
  void add_kai_queues(const Ledger& ledger);
  PlanQueue resolve(const ClusterQueueRecord& record, const Ledger& ledger);
  void find_inactive(const ClusterQueueRecord& record, const Ledger& ledger,
                     PlanQueue& queue) const;
  /// Why the queue takes no workload of that namespace. Empty: it takes them.
  std::string namespace_fault(const ClusterQueueRecord& record, const std::string& name) const;
  /// The name of the nearest cohort at or above `name` that the input lacks.
  std::string missing_cohort(std::string_view name);

  const Inventory* inventory_;
  std::span<const Flavor> flavors_;
  std::map<std::string, PlanQueue> queues_;
  std::map<std::string, const ClusterQueueRecord*> records_;
  std::map<std::pair<std::string, std::string>, const LocalQueueRecord*> local_queues_;
  // The names point into the inventory. Of two records with one name the first counts.
  std::unordered_map<std::string_view, const AdmissionCheckRecord*> checks_;
  std::unordered_map<std::string_view, const NamespaceRecord*> namespaces_;
  std::unordered_map<std::string_view, const CohortRecord*> cohorts_;
  std::unordered_map<std::string_view, std::string_view> missing_above_;  // see missing_cohort()
};

}  // namespace tessera::core
