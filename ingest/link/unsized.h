// SPDX-License-Identifier: Apache-2.0
// UnsizedPodSets: the pod sets of admitted workloads whose objects do not say what a pod requests,
// neither in the spec nor in the admission. Their bound pods say it.
//
// Used by the linker, which knows the pods of a workload. Without bound pods such a pod set holds
// no more than pod slots. A workload goes by its position in a list of the caller.
#pragma once

#include <functional>
#include <map>

#include "actors/records/workload.h"
#include "ingest/objects/pod_resources.h"

namespace tessera::ingest {

class UnsizedPodSets {
 public:
  /// The book outlives this.
  explicit UnsizedPodSets(PodResourcesBook& pod_resources) : pod_resources_(pod_resources) {}

  /// Notes a workload, if it has such a pod set.
  void add(std::size_t position, const core::Workload& workload);
  /// A bound pod of the workload requests this.
  void runs(std::size_t position, const core::Workload& workload, const topology::Amounts& request);
  /// Gives each such pod set the most that bound pods of its workload request.
  void settle(const std::function<core::Workload&(std::size_t)>& workload_at);

 private:
  PodResourcesBook& pod_resources_;
  std::map<std::size_t, topology::Amounts> most_;
};

}  // namespace tessera::ingest
