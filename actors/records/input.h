// SPDX-License-Identifier: Apache-2.0
// Inputs: everything that can change a decision reaches the coordinator as one of these. The
// coordinator numbers inputs in the order in which it takes them.
//
// Plain values, made by a command, a simulation, later HTTP. All inputs of one instant are handed
// over together; a cycle begins only between instants. Times are nanoseconds: since the epoch, or
// virtual.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "actors/records/gang_id.h"
#include "actors/records/inventory.h"

namespace tessera::core {

struct SearchResult;

/// Asks for a new workload.
struct Submit {
  std::shared_ptr<const Workload> workload;
  /// The coordinator fills this in when it takes the input, and the record tells it. The caller
  /// leaves it as it is.
  GangId gang = kNoGang;
};
/// A workload ended or was deleted: from now on it holds nothing and waits for nothing.
struct Finish {
  GangId gang{};
};
/// All pods of an admitted workload are ready.
struct Started {
  GangId gang{};
};
/// A workload gives back what it holds and waits again, not before `requeue_at`.
struct Evict {
  GangId gang{};
  std::int64_t requeue_at = INT64_MIN;
  bool pods_run = false;  // true: it keeps what it holds until PodsGone
};
/// The last pod of a workload that is being evicted ended: it gives back what it holds.
struct PodsGone {
  GangId gang{};
};
/// spec.active is false, or true again. A suspended workload waits in no queue. If it holds
/// something it is evicted, and its pods run until PodsGone.
struct Suspend {
  GangId gang{};
};
struct Resume {
  GangId gang{};
};
/// Time passes: deadlines up to `now` fall due. Never goes back.
struct Advance {
  std::int64_t now = 0;
};
/// A node is new, or its record changed.
struct NodeUpdate {
  topology::NodeRecord record;
};
struct NodeDelete {
  Symbol name;
};
/// A bound pod that belongs to no workload of the engine: use of its node until it ends.
struct PodUpdate {
  PodRecord record;
};
struct PodDelete {
  std::string namespace_name, name;
};
/// Replaces all queues, cohorts, flavors, topologies, checks and namespaces. Ignores the nodes,
/// pods and workloads of the inventory.
struct Redefine {
  std::shared_ptr<const Inventory> definitions;
};

/// A background search has ended. The engine itself makes this input.
struct SearchEnded {
  GangId gang{};
  std::uint64_t ticket = 0;  // SearchRequest::ticket
  std::shared_ptr<const SearchResult> result;
};

using Input = std::variant<Submit, Started, Finish, Evict, PodsGone, Suspend, Resume, Advance,
                           NodeUpdate, NodeDelete, PodUpdate, PodDelete, Redefine, SearchEnded>;

}  // namespace tessera::core
