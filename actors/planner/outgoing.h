// SPDX-License-Identifier: Apache-2.0
// Outgoing: collects what a plan takes, and what was given back, into one step for each owner that
// is touched. Keeps the planner's hash of each owner up to date.
//
// Used by PlannerState inside one step.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "actors/books/books.h"
#include "actors/capacity/owner_step.h"
#include "actors/capacity/shard_layout.h"
#include "actors/quota/root_step.h"

namespace tessera::core {

/// The hash that each owner should have, as the planner sees it.
struct OwnerHashes {
  std::map<ShardId, std::uint64_t> shards;
  std::map<QuotaNode, std::uint64_t> roots;
};

/// Moves the hashes by what a workload takes (`times` = 1) or gives back (-1).
void move_hashes(const Held& held, std::int64_t times, const ShardLayout& layout,
                 const Ledger& ledger, OwnerHashes& hashes);

class Outgoing {
 public:
  /// The layout, the ledger and the hashes outlive the object.
  Outgoing(CycleNumber cycle, const ShardLayout& layout, const Ledger& ledger, bool with_quota,
           OwnerHashes& hashes);

  void release(GangId gang, const Held& held);
  /// Called after all releases: takes the hashes that the owners compare with their own.
  void end_releases();
  /// Adds the next item of the plan.
  void reserve(GangId gang, const Held& held);

  std::map<ShardId, std::shared_ptr<const ShardStep>> shards();
  std::map<QuotaNode, std::shared_ptr<const RootStep>> roots();
  ShardStep& shard(ShardId shard);

 private:
  RootStep& root(QuotaNode queue);
  std::uint32_t request(const std::shared_ptr<const PodRequest>& request);

  CycleNumber cycle_;
  const ShardLayout* layout_;
  const Ledger* ledger_;
  bool with_quota_;
  OwnerHashes* hashes_;
  std::shared_ptr<BatchItems> items_ = std::make_shared<BatchItems>();
  std::unordered_map<const PodRequest*, std::uint32_t> requests_;  // position in items_
  std::shared_ptr<const PodRequest> last_request_;
  std::uint32_t last_request_number_ = 0;
  std::map<ShardId, std::shared_ptr<ShardStep>> shards_;
  std::map<QuotaNode, std::shared_ptr<RootStep>> roots_;
};

}  // namespace tessera::core
