// SPDX-License-Identifier: Apache-2.0
// ShardState: the truth about the capacity of one shard's cells: node health, allocatable, used,
// reserved (design.md 3).
//
// One owner: the shard's actor, or the calling thread of `schedule`. Refuses what does not fit,
// whatever the planner thought; free amounts follow the rules of topology/capacity.h (a booking on
// a cell also counts on the cells that observe it), but in plain rows of its own: the two check each
// other through state_hash.h. Steps are idempotent by (cycle, workload). Throws BrokenInvariant if
// the planner's hash differs. Does not know topologies, gangs or time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "actors/core/owner_step.h"
#include "actors/core/shard_layout.h"

namespace tessera::core {

class ShardState {
 public:
  /// The cells of `shard`; `cells` outlives the state. Nothing is held. `nodes` is read here only.
  ShardState(ShardId shard, const ShardLayout& layout, const topology::CellMap& cells,
             std::span<const topology::NodeRecord> nodes);

  /// Books what a workload held before the engine started, or brings from elsewhere; committed.
  /// Never refuses: over-full cells are negative, as in Capacity.
  void adopt(std::size_t workload, CellId cell, const topology::Amounts& pod_amounts,
             std::int64_t pods);

  /// Applies changes and releases, then reserves items in order up to the first that does not fit:
  /// all of an item's pods here, or none.
  OwnerReply step(const ShardStep& step);
  /// Gives back the items of `cycle` from `from` on (they were reserved here, but not everywhere).
  void settle(CycleNumber cycle, std::uint32_t from);
  /// Makes the reservations of all cycles up to `cycle` use. Cannot fail, changes no amount.
  void commit(CycleNumber cycle);
  /// Gives back all reservations of cycles from `cycle` on.
  void abort(CycleNumber cycle);

  /// A workload's pods here.
  struct Held {
    CellId cell;
    std::int64_t pods;
    topology::Amounts pod_amounts;
    bool committed;
  };
  std::vector<Held> held(std::size_t workload) const;
  std::vector<std::size_t> holders() const;  // ascending

  /// Cells of a node that leaves for another shard, with what is held on them.
  struct Moved;
  Moved take_out(NodeId node);
  void put_in(Moved moved);

  std::int64_t free(CellId cell, topology::Symbol resource) const;
  std::uint64_t hash() const;
};

}  // namespace tessera::core
