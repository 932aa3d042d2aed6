// SPDX-License-Identifier: Apache-2.0
// Evidence: the facts behind one refusal: what each level needs and has, the nodes that were left
// out, which workloads hold the room, and what would help.
//
// Plain values. Explainer and find_remedies() make them on request (`explain`, `-o json`), never on
// the decision path; ingest/text and ingest/encode write them out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/records/gang_id.h"
#include "topology/domain_tree.h"

namespace tessera::core {

using topology::Symbol;

/// One remedy. It was solved again on a copy before it is reported.
struct Remedy {
  enum class Kind { kFinish, kUncordon, kRepair, kRelax, kTolerate, kQuota } kind = Kind::kFinish;
  /// Workload display name ("job/a", several joined by " and "), Node name, level label that
  /// becomes preferred, taint text; kQuota: "nvidia.com/gpu in flavor gb200".
  std::string subject;
  bool enough = false;
  std::int64_t fits = 0, need = 0;  // when not enough: how far it gets, in pods
};

/// What one level needs and has. There is an entry for each level where the request wants pods
/// together: slice layers, the required or preferred level and the levels above. Where pods may
/// spread (level 0 of preferred, unconstrained), `have` is the sum over all domains and there is no
/// `best`.
struct LevelEvidence {
  int level = 0;
  /// Pods that the request needs in one domain of the level, and that the best one can take now.
  std::int64_t need = 0, have = 0;
  /// The domain that takes the most pods now; of equals the one that takes the most when empty,
  /// then the one with the smallest path.
  std::optional<topology::DomainId> best;
  /// The most that any domain takes with nothing running and every node healthy (worlds.h).
  std::int64_t healthy_have = 0;
};
struct NodeCause {
  std::string text;           // "resource nvidia.com/gpu", "taint k=v:NoSchedule", "cordoned", ...
  std::vector<Symbol> nodes;  // Node names, byte order
};
struct Blocker {
  GangId gang{};
  std::size_t workload = 0;  // position in Inventory::workloads
  std::int64_t pods = 0;     // its pods in the best domain
  topology::DomainId domain;
};
struct Evidence {
  std::string flavor;  // the flavor the evidence is about
  bool open = false;
  std::vector<LevelEvidence> levels;  // finest first
  /// Even an empty, healthy host takes only one pod, so pods can be counted as hosts.
  bool whole_hosts = false;
  std::int64_t looked_at = 0;  // leaves in the tree now
  std::vector<NodeCause> without_room, left_out;
  std::vector<Blocker> blockers;
  std::vector<Remedy> remedies;
};

}  // namespace tessera::core
