// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/shard_rows.h"

#include <algorithm>
#include <string>

#include "actors/records/broken_invariant.h"

namespace tessera::core {
namespace {

using topology::Amount;
using topology::Amounts;
using topology::saturating_add;
using topology::saturating_mul;
using topology::saturating_sub;
using topology::Symbol;

/// The same slots with one more resource, 0 everywhere.
std::vector<std::int64_t> widened(const std::vector<std::int64_t>& rows, std::size_t width) {
  std::vector<std::int64_t> out;
  out.reserve(rows.size() / width * (width + 1));
  for (auto at = rows.begin(); at != rows.end(); at += static_cast<std::ptrdiff_t>(width)) {
    out.insert(out.end(), at, at + static_cast<std::ptrdiff_t>(width));
    out.push_back(0);
  }
  return out;
}

}  // namespace

SlotIndex::SlotIndex() : table_(16), shift_(64 - 4) {}

std::uint32_t SlotIndex::add(std::uint32_t number) {
  if (2 * (places_used_ + 1) > table_.size()) grow();
  Entry& entry = table_[place(number)];
  if (entry.number == kNone) ++places_used_;
  entry = {number, next_};
  if (unused_.empty()) {
    ++next_;
  } else {
    entry.slot = unused_.back();
    unused_.pop_back();
  }
  return entry.slot;
}

void SlotIndex::remove(std::uint32_t number) {
  Entry& entry = table_[place(number)];
  unused_.push_back(entry.slot);
  entry.slot = kNone;
}

void SlotIndex::grow() {
  std::vector<Entry> old(2 * table_.size());
  old.swap(table_);
  --shift_;
  places_used_ = 0;
  for (const Entry& entry : old) {
    if (entry.slot == kNone) continue;
    table_[place(entry.number)] = entry;
    ++places_used_;
  }
}

ShardRows::ShardRows(const topology::CellMap& cells)
    : cells_(&cells), resources_{topology::pods_resource()} {}

std::uint32_t ShardRows::row(Symbol resource) {
  const auto found = std::find(resources_.begin(), resources_.end(), resource);
  const auto at = static_cast<std::uint32_t>(found - resources_.begin());
  if (found != resources_.end()) return at;
  free_ = widened(free_, resources_.size());
  net_ = widened(net_, resources_.size());
  resources_.push_back(resource);
  return at;
}

std::vector<ShardRows::Entry> ShardRows::entries(const Amounts& amounts) {
  std::vector<Entry> out;
  out.reserve(amounts.size());
  for (const Amount& amount : amounts) {
    if (amount.value != 0) out.push_back({row(amount.resource), amount.value});
  }
  return out;
}

std::uint32_t ShardRows::slot(CellId cell) const {
  const std::uint32_t slot = cell_slots_.find(topology::index(cell));
  if (slot == SlotIndex::kNone) {
    throw BrokenInvariant("cell " + std::to_string(topology::index(cell)) +
                          " is not in this shard");
  }
  return slot;
}

std::uint32_t ShardRows::slot(NodeId node) const {
  const std::uint32_t slot = node_slots_.find(topology::index(node));
  if (slot == SlotIndex::kNone) {
    throw BrokenInvariant("node " + std::to_string(topology::index(node)) +
                          " is not in this shard");
  }
  return slot;
}

void ShardRows::add_node(NodeId node) {
  const std::uint32_t number = topology::index(node);
  if (node_slots_.find(number) != SlotIndex::kNone) {
    throw BrokenInvariant("node " + std::to_string(number) + " is in this shard already");
  }
  const std::uint32_t slot = node_slots_.add(number);
  if (slot == nodes_by_slot_.size()) {
    nodes_by_slot_.emplace_back();
    net_.resize(net_.size() + resources_.size(), 0);
  }
  nodes_by_slot_[slot] = {};
  for (const CellId cell : cells_->cells_of_node(node)) {
    if (cell_slots_.find(topology::index(cell)) == SlotIndex::kNone) add_cell(cell);
  }
}

void ShardRows::add_cell(CellId cell) {
  const std::uint32_t slot = cell_slots_.add(topology::index(cell));
  if (slot == cells_by_slot_.size()) {
    cells_by_slot_.emplace_back();
    free_.resize(free_.size() + resources_.size(), 0);
  }
  cells_by_slot_[slot] = {cell, cells_->is_host(cell), 0};
}

void ShardRows::remove_node(NodeId node) {
  const std::uint32_t node_slot = slot(node);
  std::fill_n(net_of(node_slot), resources_.size(), 0);
  node_slots_.remove(topology::index(node));
  for (const CellId cell : cells_->cells_of_node(node)) {
    std::fill_n(free_of(slot(cell)), resources_.size(), 0);
    cell_slots_.remove(topology::index(cell));
  }
}

NodeSupply ShardRows::supply(NodeId node) const {
  const std::uint32_t at = slot(node);
  NodeSupply out{{}, nodes_by_slot_[at].usable, nodes_by_slot_[at].hash};
  for (std::size_t row = 0; row < resources_.size(); ++row) {
    if (net_of(at)[row] != 0) out.net.set(resources_[row], net_of(at)[row]);
  }
  return out;
}

void ShardRows::set_supply(NodeId node, const NodeSupply& supply) {
  const std::vector<Entry> given = entries(supply.net);
  const std::uint32_t at = slot(node);
  Node& state = nodes_by_slot_[at];
  const std::vector<std::int64_t> before(net_of(at), net_of(at) + resources_.size());
  std::fill_n(net_of(at), resources_.size(), 0);
  for (const Entry& entry : given) net_of(at)[entry.row] = entry.value;

  for (const CellId id : cells_->cells_of_node(node)) {
    const std::uint32_t cell_slot = slot(id);
    Cell& cell = cells_by_slot_[cell_slot];
    for (std::size_t row = 0; row < resources_.size(); ++row) {
      const std::int64_t from = cell.host || state.usable ? before[row] : 0;
      const std::int64_t to = cell.host || supply.usable ? net_of(at)[row] : 0;
      std::int64_t& free = free_of(cell_slot)[row];
      free = saturating_add(free, saturating_sub(to, from));
    }
    if (state.usable && !supply.usable) ++cell.unusable;
    if (!state.usable && supply.usable) --cell.unusable;
  }
  state = {supply.usable, supply.hash};
}

bool ShardRows::has_room(std::uint32_t slot, std::span<const Entry> per_pod,
                         std::int64_t pods) const {
  const std::int64_t* const free = free_of(slot);
  return std::all_of(per_pod.begin(), per_pod.end(), [&](const Entry& entry) {
    const std::int64_t total = saturating_mul(entry.value, pods);
    return total <= 0 || free[entry.row] >= total;
  });
}

bool ShardRows::fits(std::uint32_t slot, std::span<const Entry> per_pod, std::int64_t pods) const {
  const Cell& cell = cells_by_slot_[slot];
  if ((cell.host && cell.unusable > 0) || !has_room(slot, per_pod, pods)) return false;
  const std::span<const CellId> observers = cells_->observers(cell.id);
  return std::all_of(observers.begin(), observers.end(), [&](CellId observer) {
    return has_room(this->slot(observer), per_pod, pods);
  });
}

void ShardRows::book(std::uint32_t slot, std::span<const Entry> per_pod, std::int64_t pods) {
  take(slot, per_pod, pods);
  for (const CellId observer : cells_->observers(cell(slot))) {
    take(this->slot(observer), per_pod, pods);
  }
}

void ShardRows::take(std::uint32_t slot, std::span<const Entry> per_pod, std::int64_t pods) {
  std::int64_t* const free = free_of(slot);
  for (const Entry& entry : per_pod) {
    free[entry.row] = saturating_sub(free[entry.row], saturating_mul(entry.value, pods));
  }
}

std::int64_t ShardRows::free(CellId cell, Symbol resource) const {
  const auto found = std::find(resources_.begin(), resources_.end(), resource);
  const std::uint32_t at = slot(cell);
  return found == resources_.end() ? 0 : free_of(at)[found - resources_.begin()];
}

}  // namespace tessera::core
