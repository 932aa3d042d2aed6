// SPDX-License-Identifier: Apache-2.0
// RootState: the truth about the quota of one tree of the cohort forest: usage and reservations
// (design.md 3).
//
// One owner: the root's actor, or the calling thread of `schedule`. Holds the Ledger of its tree
// alone; queues and columns keep the numbers of the whole forest in messages. Otherwise as
// ShardState: refuses what is not available, idempotent, hash checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "actors/core/owner_step.h"

namespace tessera::core {

class RootState {
 public:
  /// The tree below `root` (a cohort or queue without parent) of `forest`, without its usage.
  RootState(QuotaNode root, const Ledger& forest);

  void adopt(std::size_t workload, QuotaNode queue, QuotaColumn column, std::int64_t amount);
  /// All columns of an item, or none of it: an item fits if each of its amounts is available, its
  /// earlier ones counted.
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
  std::vector<Held> held(std::size_t workload) const;
  std::vector<std::size_t> holders() const;

  const Ledger& ledger() const;
  std::uint64_t hash() const;
};

}  // namespace tessera::core
