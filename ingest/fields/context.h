// SPDX-License-Identifier: Apache-2.0
// ReadContext: what every object reader gets beside the object: where findings go, and the records
// being filled.
//
// One reader a kind: a function `void(ReadContext&, const ObjectHeader&, reader::Value)` named in
// ingest/kinds/registry.cpp. A reader reports every fault with its position and reads on; if the
// object cannot be used it leaves it out.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actors/records/inventory.h"
#include "ingest/load/load.h"
#include "ingest/objects/pod_resources.h"
#include "ingest/reader/value.h"
#include "topology/nearest.h"
#include "topology/quantity.h"

namespace tessera::ingest {

/// The parts of metadata that every kind shares.
struct ObjectHeader {
  std::string api_version;  // "kueue.x-k8s.io/v1beta2"
  std::string group;        // "kueue.x-k8s.io"; empty for core/v1
  std::string version;      // "v1beta2"
  std::string kind, namespace_name, name, uid;
  std::int64_t created = INT64_MIN;  // nanoseconds since the epoch; INT64_MIN: absent
  std::map<std::string, std::string> labels,
      annotations;  // scalars of any type, as text (cases.md C155)
  struct Owner {
    std::string api_version, kind, name, uid;
    bool controller = false;
  };
  std::vector<Owner> owners;
  Role role = Role::kState;
  Where where;

  std::string display() const {
    return kind + " " + (namespace_name.empty() ? name : namespace_name + "/" + name);
  }
};

/// A pod that owns a place in the linking step (ingest/link/link.h): bound or not, with what links
/// it to a workload.
struct PodObject {
  ObjectHeader header;
  core::PodRecord record;  // record.node empty: not bound
  bool ended = false;      // phase Succeeded or Failed
  std::optional<core::Workload>
      gang;  // not bound and not ended: the pod as a gang of one, like JobObject::workload
};

/// A job-like object lowered to a workload, before it is linked with Workload objects and pods. The
/// linking step sets `name`, `origin_label` and `priority`. `workload.priority_class` is what the
/// pod template names (of several pod sets the first that names one); the label
/// kueue.x-k8s.io/priority-class of the object goes before it (queues.md 1.1).
struct JobObject {
  ObjectHeader header;
  core::Workload workload;
  bool running = false;  // has active pods, or is finished: state (ux.md rule 1)
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

class ReadContext {
 public:
  core::Inventory inventory;  // records in reading order
  std::vector<JobObject> jobs;
  std::vector<std::pair<ObjectHeader, core::Workload>> workload_objects;
  std::vector<PodObject> pods;
  std::vector<topology::TopologySpec> kai_topologies;  // Kueue's are in the inventory
  std::vector<PriorityClassObject> priority_classes, workload_priority_classes;
  std::vector<LimitRangeObject> limit_ranges;
  std::vector<RuntimeClassObject> runtime_classes;
  PodResourcesBook pod_resources;
  std::vector<Error> errors, warnings;

  /// Position, object and field of a finding; `field` as a user writes it:
  /// `spec.template.metadata.annotations["x"]`.
  Where where(const ObjectHeader& header, reader::Value at, std::string field) const;
  void error(const ObjectHeader& header, reader::Value at, std::string field, std::string message);
  void warning(const ObjectHeader& header, reader::Value at, std::string field,
               std::string message);

  /// Number of errors so far. A reader that finds more at its end leaves its object out.
  std::size_t error_count() const { return errors.size(); }

  // Typed look-ups of `key` in the map `in`. Absent (or null): nothing. Of the wrong type or out of
  // range: an error is reported and nothing is returned. `path` is the field path of `in`
  // ("spec.template.spec").
  std::optional<std::string> text(const ObjectHeader& h, reader::Value in, std::string_view key,
                                  const std::string& path);
  std::optional<std::int64_t> integer(const ObjectHeader& h, reader::Value in, std::string_view key,
                                      const std::string& path, std::int64_t low, std::int64_t high);
  std::optional<bool> boolean(const ObjectHeader& h, reader::Value in, std::string_view key,
                              const std::string& path);
  reader::Value map(const ObjectHeader& h, reader::Value in, std::string_view key,
                    const std::string& path);
  reader::Value sequence(const ObjectHeader& h, reader::Value in, std::string_view key,
                         const std::string& path);
  /// resource -> quantity; each fault is reported and leaves its entry out. Negative quantities are
  /// errors.
  topology::Amounts amounts(const ObjectHeader& h, reader::Value in, std::string_view key,
                            const std::string& path);
  std::optional<topology::Quantity> quantity(const ObjectHeader& h, reader::Value value,
                                             const std::string& path);
};

}  // namespace tessera::ingest
