// SPDX-License-Identifier: Apache-2.0
// What the coordinator tells a shard in a cycle, and what every owner (shard, quota root) answers
// (design.md 3.1 steps 1, 3, 4, 6). quota/root_step.h has what it tells a quota root.
//
// Plain values. One message for each owner and batch: first what changed, then what to reserve.
// Items are in plan order. An owner that cannot reserve an item stops there and names the item.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "actors/records/cycle_number.h"
#include "actors/records/gang_id.h"
#include "topology/cell_map.h"
#include "topology/nodes/quantity.h"

namespace tessera::core {

/// Pods of one item on one cell.
struct CellPods {
  std::uint32_t item;     // position in the plan order of the cycle
  std::uint32_t request;  // position in BatchItems::pod_amounts
  topology::CellId cell;
  std::int64_t pods;
};

/// The gangs that ask in one cycle. All messages of the cycle share it.
struct BatchItems {
  std::vector<GangId> gangs;                   // by item
  std::vector<topology::Amounts> pod_amounts;  // by request: of one pod, pod slot included
};

/// What changed on a node of the shard. The node has cells, and they stay the same.
struct NodeChange {
  topology::NodeId node;
  topology::Amounts allocatable;  // from now on
  topology::Amounts others;       // use by pods without a workload, from now on
  bool usable = true;             // nothing may be reserved while it is not
};

struct ShardStep {
  CycleNumber cycle = 0;
  std::vector<NodeChange> nodes;
  std::vector<GangId> released;  // gangs that give back all they hold here, if anything
  std::shared_ptr<const BatchItems> items;
  std::vector<CellPods> reserve;  // by item
  /// The planner's hash of the shard after `nodes` and `released`, before `reserve`.
  std::optional<std::uint64_t> hash;
};

/// The answer of an owner: all items below `accepted` are reserved (UINT32_MAX: all).
struct OwnerReply {
  CycleNumber cycle = 0;
  std::uint32_t accepted = UINT32_MAX;
};

}  // namespace tessera::core
