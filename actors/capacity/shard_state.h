// SPDX-License-Identifier: Apache-2.0
// ShardState: the truth about the capacity of one shard's cells: node health, allocatable, used,
// reserved.
//
// One owner: the shard's actor, or the calling thread of `schedule`. Refuses what does not fit,
// even if the planner planned it. Counts in rows of its own (shard_rows.h) by the rules of
// topology/capacity.h, so that the two check each other through state_hash.h. Every call may come
// again: a step that was answered already changes nothing and gets the former answer. Cycle numbers
// only rise, also after abort(). Throws BrokenInvariant if the planner's hash differs or a cell
// belongs to another shard. Does not know topologies, gangs or time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "actors/capacity/holdings.h"
#include "actors/capacity/owner_step.h"
#include "actors/capacity/shard_layout.h"
#include "actors/capacity/shard_rows.h"

namespace tessera::core {

class ShardState {
 public:
  /// The cells of `shard`; `cells` outlives the state. Nothing is held. `nodes` is read here only.
  ShardState(ShardId shard, const ShardLayout& layout, const topology::CellMap& cells,
             std::span<const topology::NodeRecord> nodes);

  /// Books, as committed, what a gang held before the engine started or brings from another
  /// shard. Never refuses: the free amount of an over-full cell is negative, as in Capacity.
  void adopt(GangId gang, CellId cell, const topology::Amounts& pod_amounts, std::int64_t pods);

  /// Sets what a node gives from now on.
  void change(const NodeChange& change);
  /// Applies changes and releases. Then reserves items in order up to the first that does not fit:
  /// all pods that the item has here, or none.
  OwnerReply step(const ShardStep& step);
  /// Gives back the items of `cycle` from `from` on (they were reserved here, but not everywhere).
  void settle(CycleNumber cycle, std::uint32_t from);
  /// Turns the reservations of all cycles up to `cycle` into use. Cannot fail, changes no amount.
  void commit(CycleNumber cycle);
  /// Gives back all reservations of cycles from `cycle` on.
  void abort(CycleNumber cycle);

  /// A gang's pods here, oldest first.
  struct Held {
    CellId cell;
    std::int64_t pods;
    topology::Amounts pod_amounts;
    bool committed;
  };
  std::vector<Held> held(GangId gang) const;
  std::vector<GangId> holders() const;  // ascending

  /// A node that leaves for another shard, and what is held on its cells.
  struct Moved {
    struct Use {
      GangId gang;
      CycleNumber cycle;   // 0: committed
      std::uint32_t item;  // of a reservation
      CellId cell;
      std::int64_t pods;
      topology::Amounts pod_amounts;
    };
    NodeId node;
    NodeSupply supply;
    std::vector<Use> uses;
  };
  /// Takes the node out of this shard. ShardLayout::move() must have returned true for the node:
  /// its cells belong to it alone; else throws BrokenInvariant. If reservations of a cycle leave
  /// with the node, later settle, commit and abort calls of that cycle go to the new shard too.
  /// Looks at everything that is held here.
  Moved take_out(NodeId node);
  void put_in(const Moved& moved);

  std::int64_t free(CellId cell, topology::Symbol resource) const;
  std::uint64_t hash() const { return hash_; }

 private:
  using RequestId = std::uint32_t;
  /// Pods of one request on one cell. More than 2^32 - 1 pods make several parts.
  struct Part {
    std::uint32_t cell;  // slot in rows_
    RequestId request;
    std::uint32_t pods;
  };
  /// Equal requests are kept once.
  struct Request {
    topology::Amounts amounts;
    std::vector<ShardRows::Entry> entries;
    std::uint64_t hash = 0;   // amounts_hash()
    std::uint64_t users = 0;  // parts, and steps in progress; 0: the slot is free
  };

  RequestId intern(const topology::Amounts& amounts);
  void drop_user(RequestId request);
  OwnerReply reserve(const ShardStep& step);
  bool reserve_item(const BatchItems& items, std::span<const CellPods> asked,
                    std::vector<RequestId>& requests, std::vector<Part>& parts);
  void give_back(const Part& part);
  /// Books `pods` on a slot and appends them to `parts`.
  void book(std::uint32_t cell, RequestId request, std::int64_t pods, std::vector<Part>& parts);

  const topology::CellMap* cells_;
  ShardId shard_;
  ShardRows rows_;
  std::vector<Request> requests_;
  std::vector<RequestId> free_requests_;
  std::unordered_multimap<std::uint64_t, RequestId> requests_by_hash_;
  Holdings<Part> holdings_;
  std::uint64_t hash_ = 0;
};

}  // namespace tessera::core
