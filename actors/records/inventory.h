// SPDX-License-Identifier: Apache-2.0
// Inventory: everything that was read, as records: the input of the engine.
//
// Filled by ingest/ (start at ingest/load/load.h), then handed to core::Engine. Plain data: no rule
// is applied here. Lists are sorted by (namespace,) name, bytewise, so that the order of the input
// never matters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "actors/records/workload.h"
#include "topology/domain_tree.h"
#include "topology/nodes/node_filter.h"

namespace tessera::core {

struct FlavorRecord {
  std::string name;
  std::vector<std::pair<Symbol, Symbol>> node_labels;
  std::vector<topology::Taint> node_taints;
  std::vector<topology::Toleration> tolerations;
  std::string topology;  // topologyName; empty: not a topology flavor
};

/// Quota of one flavor for one resource (queues.md 5), engine units.
struct ResourceQuota {
  Symbol resource;
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing_limit, lending_limit;
};

struct FlavorQuotas {
  std::string flavor;
  std::vector<ResourceQuota> resources;
};

struct ResourceGroup {
  std::vector<Symbol> covered;
  std::vector<FlavorQuotas> flavors;  // the queue's order
};

enum class QueueStrategy { kBestEffortFifo, kStrictFifo };
enum class StopPolicy { kNone, kHold, kHoldAndDrain };

struct ClusterQueueRecord {
  std::string name, cohort;
  QueueStrategy strategy = QueueStrategy::kBestEffortFifo;
  StopPolicy stop = StopPolicy::kNone;
  std::optional<topology::LabelSelector> namespace_selector;  // absent matches nothing
  std::vector<ResourceGroup> groups;
  bool borrow_tries_next_flavor = false;  // whenCanBorrow: TryNextFlavor
  bool preempt_tries_next_flavor = true;  // whenCanPreempt: TryNextFlavor
  bool preempts = false;                  // any preemption policy other than Never
  bool reclaims_any = false;              // reclaimWithinCohort: Any
  bool preempts_while_borrowing = false;  // borrowWithinCohort.policy other than Never
  bool fair_sharing = false;              // fairSharing.weight present
  /// Check name -> flavors that need it (empty: all).
  std::map<std::string, std::vector<std::string>> checks;
  Where where;
};

struct CohortRecord {
  std::string name, parent;
  std::vector<ResourceGroup> groups;
  bool fair_sharing = false;
  Where where;
};

struct LocalQueueRecord {
  std::string namespace_name, name, cluster_queue;
  StopPolicy stop = StopPolicy::kNone;
};

/// What a KAI Queue says of one resource (gangs.md 1.4), engine units: whole devices, fractions
/// rounded down. kUnlimited: as much as there is.
struct KaiQuota {
  std::int64_t deserved = 0;
  std::int64_t limit = 0;              // bounds the sum of all queues below as well
  std::int64_t over_quota_weight = 0;  // thousandths
};

/// A KAI Queue: a node of the quota forest. Only leaves take workloads.
struct KaiQueueRecord {
  std::string name, parent, display_name;
  std::int64_t priority = 100;
  KaiQuota cpu, memory, gpu;  // other resources are not bounded
  Where where, parent_where;
};

struct AdmissionCheckRecord {
  std::string name, controller;
  bool active = true;
};

struct NamespaceRecord {
  std::string name;
  topology::Labels labels;
};

/// A bound, unfinished pod: use of its node unless its workload's assignment is in the input (ux.md
/// rule 2).
struct PodRecord {
  std::string namespace_name, name;
  topology::AskedText node;
  Amounts request;                // effective, without the pod slot
  bool tas_annotated = false;     // carries one of the five TAS annotations (placement.md 2.4)
  std::string workload;           // key() of the workload it belongs to, if that is in the input
  std::string owner;              // "job/x" of a workload that is not in the input; empty: none
  topology::AskedText kai_queue;  // KAI Queue that its workload names; empty: none
};

/// An object that could not be read: an error names what is wrong with it.
struct RefusedObject {
  std::string kind, namespace_name, name;
};

struct Inventory {
  std::vector<topology::NodeRecord> nodes;         // by name: NodeId is the position
  std::vector<topology::TopologySpec> topologies;  // from the input, then from the configuration
  std::vector<FlavorRecord> flavors;
  std::vector<ClusterQueueRecord> cluster_queues;
  std::vector<CohortRecord> cohorts;
  std::vector<LocalQueueRecord> local_queues;
  std::vector<KaiQueueRecord> kai_queues;
  std::vector<AdmissionCheckRecord> checks;
  std::vector<NamespaceRecord> namespaces;
  std::vector<PodRecord> pods;
  std::vector<Workload> workloads;     // admitted, waiting and to be placed
  bool has_queues = false;             // any ClusterQueue, LocalQueue or Queue in the input
  bool has_flavors = false;            // any ResourceFlavor in the input
  std::vector<RefusedObject> refused;  // by kind, namespace and name
};

}  // namespace tessera::core
