// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/shard_state.h"

#include <algorithm>
#include <string>
#include <utility>

#include "actors/capacity/state_hash.h"
#include "actors/records/broken_invariant.h"
#include "actors/records/planted_bug.h"

namespace tessera::core {
namespace {

using topology::Amounts;

constexpr std::uint32_t kNotInterned = UINT32_MAX;

NodeSupply supply_of(const NodeChange& change) {
  Amounts net = change.allocatable;
  net.subtract(change.others);
  return {std::move(net), change.usable,
          node_hash(change.node, change.allocatable, change.others, change.usable)};
}

}  // namespace

ShardState::ShardState(ShardId shard, const ShardLayout& layout, const topology::CellMap& cells,
                       std::span<const topology::NodeRecord> nodes)
    : cells_(&cells), shard_(shard), rows_(cells) {
  std::vector<NodeId> own;
  for (const CellId cell : layout.cells(shard)) {
    own.insert(own.end(), cells.nodes(cell).begin(), cells.nodes(cell).end());
  }
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
  for (const NodeId node : own) {
    const topology::NodeRecord& record = nodes[topology::index(node)];
    rows_.add_node(node);
    change({node, record.allocatable, {}, record.usable()});
  }
}

ShardState::RequestId ShardState::intern(const Amounts& amounts) {
  const std::uint64_t hash = amounts_hash(amounts);
  const auto [first, last] = requests_by_hash_.equal_range(hash);
  const auto known = std::find_if(
      first, last, [&](const auto& entry) { return requests_[entry.second].amounts == amounts; });
  if (known != last) {
    ++requests_[known->second].users;
    return known->second;
  }
  auto id = static_cast<RequestId>(requests_.size());
  if (free_requests_.empty()) {
    requests_.emplace_back();
  } else {
    id = free_requests_.back();
    free_requests_.pop_back();
  }
  requests_[id] = {amounts, rows_.entries(amounts), hash, 1};
  requests_by_hash_.emplace(hash, id);
  return id;
}

void ShardState::drop_user(RequestId id) {
  Request& request = requests_[id];
  if (--request.users > 0) return;
  const auto [first, last] = requests_by_hash_.equal_range(request.hash);
  requests_by_hash_.erase(
      std::find_if(first, last, [id](const auto& entry) { return entry.second == id; }));
  request = {};
  free_requests_.push_back(id);
}

void ShardState::change(const NodeChange& change) {
  const NodeSupply supply = supply_of(change);
  hash_ += supply.hash - rows_.supply_hash(change.node);
  rows_.set_supply(change.node, supply);
}

void ShardState::book(std::uint32_t cell, RequestId id, std::int64_t pods,
                      std::vector<Part>& parts) {
  Request& request = requests_[id];
  rows_.book(cell, request.entries, pods);
  hash_ += held_hash(rows_.cell(cell), request.hash, pods);
  while (pods > 0) {
    const std::int64_t some = std::min<std::int64_t>(pods, UINT32_MAX);
    parts.push_back({cell, id, static_cast<std::uint32_t>(some)});
    ++request.users;
    pods -= some;
  }
}

void ShardState::give_back(const Part& part) {
  const Request& request = requests_[part.request];
  rows_.book(part.cell, request.entries, -std::int64_t{part.pods});
  hash_ -= held_hash(rows_.cell(part.cell), request.hash, part.pods);
  drop_user(part.request);
}

void ShardState::adopt(GangId gang, CellId cell, const Amounts& pod_amounts, std::int64_t pods) {
  const RequestId request = intern(pod_amounts);
  std::vector<Part> parts;
  book(rows_.slot(cell), request, pods, parts);
  for (const Part& part : parts) holdings_.adopt(gang, part);
  drop_user(request);
}

OwnerReply ShardState::step(const ShardStep& step) {
  const std::optional<OwnerReply> before = holdings_.answered(step.cycle);
  if (before && !planted(PlantedBug::kDoubleApply)) return *before;
  for (const NodeChange& each : step.nodes) change(each);
  for (const GangId gang : step.released) {
    holdings_.release(gang, [this](const Part& part) { give_back(part); });
  }
  if (step.hash && *step.hash != hash_) {
    throw BrokenInvariant("cycle " + std::to_string(step.cycle) + ": shard " +
                          std::to_string(index(shard_)) + " and the planner's copy of it differ");
  }
  const OwnerReply reply = reserve(step);
  holdings_.answer(reply);
  return reply;
}

OwnerReply ShardState::reserve(const ShardStep& step) {
  OwnerReply reply{step.cycle, UINT32_MAX};
  if (step.reserve.empty()) return reply;
  const BatchItems& items = *step.items;
  std::vector<RequestId> requests(items.pod_amounts.size(), kNotInterned);
  std::vector<Part> parts;
  for (auto first = step.reserve.begin(); first != step.reserve.end();) {
    const std::uint32_t item = first->item;
    const auto last = std::find_if(first, step.reserve.end(),
                                   [item](const CellPods& asked) { return asked.item != item; });
    parts.clear();
    if (!reserve_item(items, {first, last}, requests, parts)) {
      reply.accepted = item;
      break;
    }
    holdings_.reserve(step.cycle, item, items.gangs[item], parts);
    first = last;
  }
  for (const RequestId request : requests) {
    if (request != kNotInterned) drop_user(request);
  }
  return reply;
}

/// `requests`: the requests of the batch that are interned so far. False, and nothing is booked, if
/// the item does not fit.
bool ShardState::reserve_item(const BatchItems& items, std::span<const CellPods> asked,
                              std::vector<RequestId>& requests, std::vector<Part>& parts) {
  for (const CellPods& each : asked) {
    RequestId& request = requests[each.request];
    if (request == kNotInterned) request = intern(items.pod_amounts[each.request]);
    const std::uint32_t slot = rows_.slot(each.cell);
    if (!rows_.fits(slot, requests_[request].entries, each.pods)) {
      std::for_each(parts.rbegin(), parts.rend(), [this](const Part& part) { give_back(part); });
      return false;
    }
    book(slot, request, each.pods, parts);
  }
  return true;
}

void ShardState::settle(CycleNumber cycle, std::uint32_t from) {
  holdings_.settle(cycle, from, [this](const Part& part) { give_back(part); });
}

void ShardState::commit(CycleNumber cycle) { holdings_.commit(cycle); }

void ShardState::abort(CycleNumber cycle) {
  holdings_.abort(cycle, [this](const Part& part) { give_back(part); });
}

std::vector<ShardState::Held> ShardState::held(GangId gang) const {
  std::vector<Held> out;
  for (const auto& entry : holdings_.of(gang)) {
    out.push_back({rows_.cell(entry.part.cell), entry.part.pods,
                   requests_[entry.part.request].amounts, entry.cycle == 0});
  }
  return out;
}

std::vector<GangId> ShardState::holders() const { return holdings_.holders(); }

ShardState::Moved ShardState::take_out(NodeId node) {
  if (!owns_its_cells(node, *cells_)) {
    throw BrokenInvariant("node " + std::to_string(topology::index(node)) +
                          " shares a cell, and stays in its shard");
  }
  Moved moved{node, rows_.supply(node), {}};
  const std::span<const CellId> leaving = cells_->cells_of_node(node);
  const auto entries = holdings_.take_out([&](const Part& part) {
    return std::binary_search(leaving.begin(), leaving.end(), rows_.cell(part.cell));
  });
  for (const auto& [gang, cycle, item, part] : entries) {
    moved.uses.push_back(
        {gang, cycle, item, rows_.cell(part.cell), part.pods, requests_[part.request].amounts});
    give_back(part);
  }
  hash_ -= moved.supply.hash;
  rows_.remove_node(node);
  return moved;
}

void ShardState::put_in(const Moved& moved) {
  rows_.add_node(moved.node);
  rows_.set_supply(moved.node, moved.supply);
  hash_ += moved.supply.hash;
  for (const Moved::Use& use : moved.uses) {
    const RequestId request = intern(use.pod_amounts);
    std::vector<Part> parts;
    book(rows_.slot(use.cell), request, use.pods, parts);
    for (const Part& part : parts) {
      holdings_.put_in({use.gang, use.cycle, use.item, part});
    }
    drop_user(request);
  }
}

std::int64_t ShardState::free(CellId cell, topology::Symbol resource) const {
  return rows_.free(cell, resource);
}

}  // namespace tessera::core
