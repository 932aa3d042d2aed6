// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/outgoing.h"

#include "actors/capacity/state_hash.h"
#include "actors/quota/quota_hash.h"
#include "actors/records/planted_bug.h"

namespace tessera::core {

void move_hashes(const Held& held, std::int64_t times, const ShardLayout& layout,
                 const Ledger& ledger, OwnerHashes& hashes) {
  for (const Held::Pods& part : held.pods) {
    hashes.shards[layout.of(part.cell)] +=
        held_hash(part.cell, held.requests[part.pod_set]->hash, part.pods * times);
  }
  for (const Held::Quota& part : held.quota) {
    hashes.roots[ledger.root(part.queue)] +=
        quota_hash(part.queue, part.column, part.amount * times);
  }
}

Outgoing::Outgoing(CycleNumber cycle, const ShardLayout& layout, const Ledger& ledger,
                   bool with_quota, OwnerHashes& hashes)
    : cycle_(cycle),
      layout_(&layout),
      ledger_(&ledger),
      with_quota_(with_quota),
      hashes_(&hashes) {}

ShardStep& Outgoing::shard(ShardId shard) {
  std::shared_ptr<ShardStep>& step = shards_[shard];
  if (!step) {
    step = std::make_shared<ShardStep>();
    step->cycle = cycle_;
    step->items = items_;
    step->hash = hashes_->shards[shard];
  }
  return *step;
}

RootStep& Outgoing::root(QuotaNode queue) {
  const QuotaNode root = ledger_->root(queue);
  std::shared_ptr<RootStep>& step = roots_[root];
  if (!step) {
    step = std::make_shared<RootStep>();
    step->cycle = cycle_;
    step->items = items_;
    step->hash = hashes_->roots[root];
  }
  return *step;
}

void Outgoing::release(GangId gang, const Held& held) {
  const auto note = [gang](std::vector<GangId>& released) {
    if (released.empty() || released.back() != gang) released.push_back(gang);
  };
  for (const Held::Pods& part : held.pods) note(shard(layout_->of(part.cell)).released);
  if (with_quota_) {
    for (const Held::Quota& part : held.quota) note(root(part.queue).released);
  }
  move_hashes(held, -1, *layout_, *ledger_, *hashes_);
}

void Outgoing::end_releases() {
  for (auto& [shard, step] : shards_) step->hash = hashes_->shards[shard];
  for (auto& [root, step] : roots_) step->hash = hashes_->roots[root];
}

void Outgoing::reserve(GangId gang, const Held& held) {
  const auto item = static_cast<std::uint32_t>(items_->gangs.size());
  items_->gangs.push_back(gang);
  for (const Held::Pods& part : held.pods) {
    if (planted(PlantedBug::kQuotaWithoutCapacity)) break;
    shard(layout_->of(part.cell))
        .reserve.push_back({item, request(held.requests[part.pod_set]), part.cell, part.pods});
  }
  if (with_quota_) {
    for (const Held::Quota& part : held.quota) {
      root(part.queue).reserve.push_back({item, part.queue, part.column, part.amount});
    }
  }
  // Last, since an owner that this item is the first to touch compares the hash from before the
  // item.
  move_hashes(held, 1, *layout_, *ledger_, *hashes_);
}

/// A batch lists equal requests once.
std::uint32_t Outgoing::request(const std::shared_ptr<const PodRequest>& request) {
  if (request == last_request_) return last_request_number_;
  const auto next = static_cast<std::uint32_t>(items_->pod_amounts.size());
  const auto [at, added] = requests_.try_emplace(request.get(), next);
  if (added) items_->pod_amounts.push_back(request->amounts);
  last_request_ = request;
  last_request_number_ = at->second;
  return at->second;
}

std::map<ShardId, std::shared_ptr<const ShardStep>> Outgoing::shards() {
  return {shards_.begin(), shards_.end()};
}

std::map<QuotaNode, std::shared_ptr<const RootStep>> Outgoing::roots() {
  return {roots_.begin(), roots_.end()};
}

}  // namespace tessera::core
