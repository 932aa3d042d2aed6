// SPDX-License-Identifier: Apache-2.0
// RootState: the truth about the quota of one tree of the cohort forest: usage and reservations.
//
// One owner: the root's actor, or the calling thread of `schedule`. Holds the Ledger of its tree
// alone; messages number queues and columns as in the whole forest. Otherwise it works as
// ShardState does: it refuses what is not available, gives a repeated step the former answer, and
// checks the hash. It throws BrokenInvariant for a queue of another tree. Usage does not depend on
// the order in which workloads give back: add() and remove() both keep a cohort's usage at the sum
// of what its children show (queues.md 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "actors/capacity/holdings.h"
#include "actors/capacity/owner_step.h"
#include "actors/quota/root_step.h"

namespace tessera::core {

class RootState {
 public:
  /// The tree below `root` (a cohort or queue without parent) of `forest`, without its usage.
  RootState(QuotaNode root, const Ledger& forest);

  void adopt(GangId gang, QuotaNode queue, QuotaColumn column, std::int64_t amount);
  /// Reserves all columns of an item, or none. An item fits if each of its amounts is available
  /// after the earlier ones are taken.
  OwnerReply step(const RootStep& step);
  void settle(CycleNumber cycle, std::uint32_t from);
  void commit(CycleNumber cycle);
  void abort(CycleNumber cycle);

  struct Held {
    QuotaNode queue;
    QuotaColumn column;
    std::int64_t amount;
    bool committed;
  };
  std::vector<Held> held(GangId gang) const;  // oldest first
  std::vector<GangId> holders() const;        // ascending

  /// The tree alone, with numbers of its own.
  const Ledger& ledger() const { return ledger_; }
  /// The number in ledger() of a node of the forest.
  QuotaNode own(QuotaNode node) const;
  std::uint64_t hash() const { return hash_; }

 private:
  struct Part {
    QuotaNode queue;  // of the forest
    QuotaColumn column;
    std::int64_t amount;
  };

  OwnerReply reserve(const RootStep& step);
  bool reserve_item(std::span<const ColumnAmount> asked, std::vector<Part>& parts);
  void take(const Part& part);
  void give_back(const Part& part);

  QuotaNode root_;
  std::vector<QuotaNode> members_;  // of the forest, by number in ledger_; ascending
  Ledger ledger_;
  Holdings<Part> holdings_;
  std::uint64_t hash_ = 0;
};

}  // namespace tessera::core
