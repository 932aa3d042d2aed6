// SPDX-License-Identifier: Apache-2.0
// The priority of a workload (queues.md 1.1): from the WorkloadPriorityClass that its label names,
// else from the PriorityClass of its pods, else from the global default, else 0.
//
// Called by the linking step once all classes are read. A class that is not in the input gives 0
// and one warning for each workload that names it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ingest/objects/read_context.h"
#include "topology/text/nearest.h"

namespace tessera::ingest {

class Priorities {
 public:
  /// The context receives the warnings, and must outlive this object.
  explicit Priorities(ReadContext& context);

  /// For jobs and pods. Sets priority and priority_class.
  void resolve(const ObjectHeader& header, core::Workload& workload);

  /// For Workload objects: spec.priority decides; without it, the class that the object names.
  void resolve_object(const ObjectHeader& header, core::Workload& workload);

  /// For PodGroups of KAI: the PriorityClass that the group names, else the global default, else 50
  /// (gangs.md 2.2). KAI's own classes have a value without an object.
  void resolve_pod_group(const ObjectHeader& header, core::Workload& workload);

 private:
  struct Classes {
    std::map<std::string, std::int64_t, std::less<>> values;
    std::vector<std::string> names;  // to suggest; filled when the first is needed
  };

  void take(const ObjectHeader& header, core::Workload& workload, Classes& classes,
            const std::string& kind);

  ReadContext& context_;
  Classes of_pods_, of_workloads_;
  Speller speller_;
  std::int64_t default_ = 0;
  std::string default_name_;
};

}  // namespace tessera::ingest
