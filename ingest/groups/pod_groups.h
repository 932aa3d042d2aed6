// SPDX-License-Identifier: Apache-2.0
// PodGroups: which pods belong to which KAI PodGroup, and the gang that they make together
// (gangs.md 1.2, 1.3).
//
// Used by the linking step, which keeps the lists of the context meanwhile. A pod is a member if
// its annotation names a PodGroup of its namespace and KAI's scheduler places it. The result does
// not depend on the order of the input.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// Members that wait for a node; more make the gang Invalid.
inline constexpr std::size_t kMostPodsOfGang = 100'000;

/// The PodGroup that the annotation of a pod names, or an empty text.
std::string named_pod_group(const ObjectHeader& pod);

class PodGroups {
 public:
  explicit PodGroups(ReadContext& context);

  /// Position in ReadContext::pod_groups of the group that the pod at this position of
  /// ReadContext::pods is a member of.
  std::optional<std::size_t> group_of(std::size_t pod) const { return group_of_[pod]; }
  /// True for a member that is noted as running in its group. Known once the group is taken.
  bool runs(std::size_t pod) const { return runs_[pod]; }
  /// True if the input holds the PodGroup that the pod names, whoever places the pod.
  bool knows(const ObjectHeader& pod) const;

  struct Gang {
    core::Workload workload;
    Role role = Role::kState;  // kRequest if the group or a pod of it came with the request
    bool settled = false;      // nothing of it waits
  };
  /// The gang of a group, with its pods. Takes them out of the context: call it once a group.
  Gang take(std::size_t group);

 private:
  std::optional<std::size_t> find(const ObjectHeader& pod) const;

  ReadContext& context_;
  std::unordered_map<std::string, std::size_t> by_key_;
  std::vector<std::optional<std::size_t>> group_of_;  // parallel to the pods
  std::vector<bool> runs_;                            // parallel to the pods
  std::vector<std::vector<std::size_t>> members_;     // of each group: positions of its pods
};

}  // namespace tessera::ingest
