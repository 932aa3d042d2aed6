// SPDX-License-Identifier: Apache-2.0
// ReadContext: every object reader gets it beside the object. It holds the records that are being
// filled, and as a FieldReader it takes the faults.
//
// One reader a kind: a function `void(ReadContext&, const ObjectHeader&, reader::Value)` named in
// ingest/kinds/registry.cpp. A reader reports every fault with its position and reads on. It leaves
// out an object that cannot be used.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "actors/records/inventory.h"
#include "ingest/fields/field_reader.h"
#include "ingest/objects/pod_resources.h"
#include "topology/text/nearest.h"

namespace tessera::ingest {

/// A pod, bound or not, as the linking step takes it (ingest/link/link.h). The header holds what
/// links the pod to a workload.
struct PodObject {
  ObjectHeader header;
  core::PodRecord record;              // record.node empty: not bound
  bool ended = false;                  // phase Succeeded or Failed
  std::string pod_group;               // of another scheduler, if not bound: "ring (label x)"
  bool of_kai = false;                 // KAI's scheduler places it
  bool gated = false;                  // has scheduling gates
  std::optional<core::Workload> gang;  // if not bound and not ended: the pod as a gang of one pod
};

/// priority of a Workload object that names none, until it is linked.
inline constexpr std::int64_t kNoPriority = INT64_MIN;

/// A job-like object as a workload, before it is linked with Workload objects and pods. The linking
/// step sets `name`, `origin_label` and `priority`. `workload.priority_class` is the class of the
/// first pod template that names one; the label kueue.x-k8s.io/priority-class of the object wins
/// over it (queues.md 1.1).
struct JobObject {
  ObjectHeader header;
  core::Workload workload;
  bool running = false;  // has active pods, or is finished: state (ux.md rule 1)
};

/// Where a group of a PodGroup says what it asks of the topology.
struct TopologyPlaces {
  Where topology, required, preferred;
};

/// A KAI PodGroup (gangs.md 1.1), before it is linked with its pods: its gang has groups and no pod
/// sets. Levels are as written until then.
struct PodGroupObject {
  ObjectHeader header;
  core::Workload workload;
  std::vector<TopologyPlaces> places;  // of each group of the gang
  bool broken = false;  // its subGroups make no tree, so that all its pods are in one group
};

/// A PriorityClass or WorkloadPriorityClass.
struct PriorityClassObject {
  std::string name;
  std::int64_t value = 0;
  bool global_default = false;
};

/// Bounds and defaults of one type of a LimitRange.
struct LimitRangeItem {
  topology::Amounts limits, requests;  // defaults
  topology::Amounts most, least;       // that may be asked for
};
struct LimitRangeObject {
  std::string namespace_name, name;
  LimitRangeItem containers, pods;
};

struct RuntimeClassObject {
  std::string name;
  topology::Amounts overhead;
};

/// The resources that nodes have. Each is a row of numbers over all cells, so there is a cap.
class NodeResources {
 public:
  static constexpr std::size_t kMost = 1024;
  /// False: the resource is new and one too many.
  bool add(topology::Symbol resource) {
    return names_.count(resource) > 0 || (names_.size() < kMost && names_.insert(resource).second);
  }

 private:
  std::unordered_set<topology::Symbol> names_;
};

class ReadContext : public FieldReader {
 public:
  core::Inventory inventory;  // records in reading order
  NodeResources node_resources;
  std::vector<JobObject> jobs;
  std::vector<std::pair<ObjectHeader, core::Workload>> workload_objects;
  std::vector<PodObject> pods;
  std::vector<PodGroupObject> pod_groups;
  std::vector<topology::TopologySpec> kai_topologies;  // Kueue's are in the inventory
  std::vector<PriorityClassObject> priority_classes, workload_priority_classes;
  std::vector<LimitRangeObject> limit_ranges;
  std::vector<RuntimeClassObject> runtime_classes;
  PodResourcesBook pod_resources;
  Speller speller;  // for names in and of PodGroups
};

}  // namespace tessera::ingest
