// SPDX-License-Identifier: Apache-2.0
#include "actors/quota/root_state.h"

#include <algorithm>
#include <string>

#include "actors/capacity/state_hash.h"
#include "actors/quota/quota_hash.h"
#include "actors/records/broken_invariant.h"
#include "actors/records/planted_bug.h"

namespace tessera::core {
namespace {

std::string number(QuotaNode node) { return std::to_string(static_cast<std::uint32_t>(node)); }

}  // namespace

RootState::RootState(QuotaNode root, const Ledger& forest)
    : root_(root), ledger_(forest.tree(root, members_)) {}

QuotaNode RootState::own(QuotaNode node) const {
  const auto at = std::lower_bound(members_.begin(), members_.end(), node);
  if (at == members_.end() || *at != node) {
    throw BrokenInvariant("quota node " + number(node) + " is not below root " + number(root_));
  }
  return QuotaNode{static_cast<std::uint32_t>(at - members_.begin())};
}

void RootState::take(const Part& part) {
  ledger_.add(own(part.queue), part.column, part.amount);
  hash_ += quota_hash(part.queue, part.column, part.amount);
}

void RootState::give_back(const Part& part) {
  ledger_.remove(own(part.queue), part.column, part.amount);
  hash_ -= quota_hash(part.queue, part.column, part.amount);
}

void RootState::adopt(GangId gang, QuotaNode queue, QuotaColumn column, std::int64_t amount) {
  const Part part{queue, column, amount};
  take(part);
  holdings_.adopt(gang, part);
}

OwnerReply RootState::step(const RootStep& step) {
  const std::optional<OwnerReply> before = holdings_.answered(step.cycle);
  if (before && !planted(PlantedBug::kDoubleApply)) return *before;
  for (const GangId gang : step.released) {
    holdings_.release(gang, [this](const Part& part) { give_back(part); });
  }
  if (step.hash && *step.hash != hash_) {
    throw BrokenInvariant("cycle " + std::to_string(step.cycle) + ": quota root " + number(root_) +
                          " and the planner's copy of it differ");
  }
  const OwnerReply reply = reserve(step);
  holdings_.answer(reply);
  return reply;
}

OwnerReply RootState::reserve(const RootStep& step) {
  OwnerReply reply{step.cycle, UINT32_MAX};
  std::vector<Part> parts;
  for (auto first = step.reserve.begin(); first != step.reserve.end();) {
    const std::uint32_t item = first->item;
    const auto last = std::find_if(first, step.reserve.end(), [item](const ColumnAmount& asked) {
      return asked.item != item;
    });
    parts.clear();
    if (!reserve_item({first, last}, parts)) {
      reply.accepted = item;
      break;
    }
    holdings_.reserve(step.cycle, item, step.items->gangs[item], parts);
    first = last;
  }
  return reply;
}

/// False, and nothing is taken, if some amount is not available.
bool RootState::reserve_item(std::span<const ColumnAmount> asked, std::vector<Part>& parts) {
  for (const ColumnAmount& each : asked) {
    if (each.amount > ledger_.available(own(each.queue), each.column)) {
      std::for_each(parts.rbegin(), parts.rend(), [this](const Part& part) { give_back(part); });
      return false;
    }
    parts.push_back({each.queue, each.column, each.amount});
    take(parts.back());
  }
  return true;
}

void RootState::settle(CycleNumber cycle, std::uint32_t from) {
  holdings_.settle(cycle, from, [this](const Part& part) { give_back(part); });
}

void RootState::commit(CycleNumber cycle) { holdings_.commit(cycle); }

void RootState::abort(CycleNumber cycle) {
  holdings_.abort(cycle, [this](const Part& part) { give_back(part); });
}

std::vector<RootState::Held> RootState::held(GangId gang) const {
  std::vector<Held> out;
  for (const auto& [holder, cycle, item, part] : holdings_.of(gang)) {
    out.push_back({part.queue, part.column, part.amount, cycle == 0});
  }
  return out;
}

std::vector<GangId> RootState::holders() const { return holdings_.holders(); }

}  // namespace tessera::core
