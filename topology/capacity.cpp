// SPDX-License-Identifier: Apache-2.0
#include "topology/capacity.h"

#include <algorithm>

namespace tessera::topology {
namespace {

/// After more changes than this, an index counts all cells again: that is cheaper than to follow
/// each change.
constexpr std::size_t kLongestLog = 32'768;

std::vector<Symbol> resources_of(std::span<const NodeRecord> nodes) {
  std::vector<Symbol> resources = {pods_resource()};
  for (const NodeRecord& node : nodes) {
    for (const Amount& amount : node.allocatable) {
      if (std::find(resources.begin(), resources.end(), amount.resource) == resources.end()) {
        resources.push_back(amount.resource);
      }
    }
  }
  std::sort(resources.begin(), resources.end(), ByText());
  return resources;
}

}  // namespace

Capacity::Capacity(std::shared_ptr<const CellMap> cells, std::span<const NodeRecord> nodes)
    : cells_(std::move(cells)),
      resources_(resources_of(nodes)),
      free_(static_cast<std::uint32_t>(resources_.size()), cells_->cell_count()) {
  std::vector<std::int64_t> largest(resources_.size(), 0);
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    const RowAmounts amounts = rows_of(nodes[node].allocatable);
    for (const CellId cell : cells_->cells_of_node(NodeId{node})) {
      for (const RowAmounts::Entry& entry : amounts.entries) {
        const std::int64_t sum = saturating_add(free_.get(entry.row, index(cell)), entry.value);
        free_.set(entry.row, index(cell), sum);
        largest[entry.row] = std::max(largest[entry.row], sum);
      }
    }
  }
  if (cells_->any_bounds()) make_bounds();
  narrow_ = NarrowRows(free_, largest);
  empty_ = free_;
}

void Capacity::make_bounds() {
  bounds_ = true;
  own_free_ = free_;
  own_empty_ = free_;
  largest_bounded_.assign(resources_.size(), 0);
  for (std::uint32_t cell = 0; cell < cells_->cell_count(); ++cell) {
    for (const CellId other : cells_->bounded_by(CellId{cell})) {
      for (std::uint32_t row = 0; row < resources_.size(); ++row) {
        std::int64_t& free = free_.at(row, index(other));
        largest_bounded_[row] = std::max(largest_bounded_[row], own_free_.get(row, index(other)));
        free = std::min(free, own_free_.get(row, cell));
      }
    }
  }
}

int Capacity::row(Symbol resource) const {
  const auto found = std::find(resources_.begin(), resources_.end(), resource);
  return found == resources_.end() ? -1 : static_cast<int>(found - resources_.begin());
}

RowAmounts Capacity::rows_of(const Amounts& amounts) const {
  RowAmounts out;
  out.entries.reserve(amounts.size());
  for (const Amount& amount : amounts) {
    const int at = row(amount.resource);
    if (at < 0) {
      out.unknown = out.unknown || amount.value > 0;
    } else if (amount.value != 0) {
      out.entries.push_back({static_cast<std::uint32_t>(at), amount.value});
    }
  }
  return out;
}

std::int64_t Capacity::amount(Basis basis, Symbol resource, CellId cell) const {
  const int at = row(resource);
  return at < 0 ? 0 : rows(basis).get(static_cast<std::uint32_t>(at), index(cell));
}

void Capacity::add_pod(NodeId node, const Amounts& total) { change_node(node, total, -1); }
void Capacity::remove_pod(NodeId node, const Amounts& total) { change_node(node, total, 1); }

bool Capacity::resize_node(NodeId node, const Amounts& before, const Amounts& after) {
  for (const Amount& amount : after) {
    if (row(amount.resource) < 0) return false;
  }
  Amounts delta = after;
  delta.subtract(before);
  change_node(node, delta, 1);
  return true;
}

void Capacity::book(CellId cell, const RowAmounts& per_pod, std::int64_t pods) {
  change(cell, per_pod, -pods, Scope::kFreeOnly);
}
void Capacity::release(CellId cell, const RowAmounts& per_pod, std::int64_t pods) {
  change(cell, per_pod, pods, Scope::kFreeOnly);
}
void Capacity::assume(CellId cell, const RowAmounts& per_pod, std::int64_t pods) {
  change(cell, per_pod, -pods, Scope::kBothBases);
}
void Capacity::forget(CellId cell, const RowAmounts& per_pod, std::int64_t pods) {
  change(cell, per_pod, pods, Scope::kBothBases);
}

void Capacity::change_node(NodeId node, const Amounts& amounts, std::int64_t times) {
  const RowAmounts rows = rows_of(amounts);
  for (const CellId cell : cells_->cells_of_node(node)) {
    change_cell(cell, rows, times, Scope::kBothBases);
  }
}

void Capacity::change(CellId cell, const RowAmounts& per_pod, std::int64_t times, Scope scope) {
  change_cell(cell, per_pod, times, scope);
  for (const CellId observer : cells_->observers(cell)) {
    change_cell(observer, per_pod, times, scope);
  }
}

void Capacity::change_cell(CellId cell, const RowAmounts& per_pod, std::int64_t times,
                           Scope scope) {
  if (bounds_) return change_bounded(cell, per_pod, times, scope);
  for (const RowAmounts::Entry& entry : per_pod.entries) {
    const std::int64_t delta = saturating_mul(entry.value, times);
    std::int64_t& free = free_.at(entry.row, index(cell));
    free = saturating_add(free, delta);
    narrow_.follow(entry.row, index(cell), free, free_);
    if (scope == Scope::kFreeOnly) continue;
    std::int64_t& empty = empty_.at(entry.row, index(cell));
    empty = saturating_add(empty, delta);
  }
  log(cell);
}

void Capacity::change_bounded(CellId cell, const RowAmounts& per_pod, std::int64_t times,
                              Scope scope) {
  for (const RowAmounts::Entry& entry : per_pod.entries) {
    const std::int64_t delta = saturating_mul(entry.value, times);
    std::int64_t& free = own_free_.at(entry.row, index(cell));
    std::int64_t least = free;
    free = saturating_add(free, delta);
    std::int64_t most = std::max(least, free);
    least = std::min(least, free);
    if (scope == Scope::kBothBases) {
      std::int64_t& empty = own_empty_.at(entry.row, index(cell));
      least = std::min(least, empty);
      empty = saturating_add(empty, delta);
      least = std::min(least, empty);
      most = std::max(most, empty);
    }
    settle(cell, entry.row);
    const std::span<const CellId> bounded = cells_->bounded_by(cell);
    // The cell itself may be bounded by others.
    largest_bounded_[entry.row] =
        std::max(largest_bounded_[entry.row], cells_->observers(cell).empty() ? 0 : most);
    if (least >= largest_bounded_[entry.row]) continue;
    for (const CellId other : bounded) settle(other, entry.row);
  }
  log(cell);
}

/// What new pods can get of a cell is what is left of it and of every cell that bounds it.
void Capacity::settle(CellId cell, std::uint32_t row) {
  std::int64_t free = own_free_.get(row, index(cell));
  std::int64_t empty = own_empty_.get(row, index(cell));
  for (const CellId above : cells_->observers(cell)) {
    if (cells_->is_host(above)) continue;
    free = std::min(free, own_free_.get(row, index(above)));
    empty = std::min(empty, own_empty_.get(row, index(above)));
  }
  if (free == free_.get(row, index(cell)) && empty == empty_.get(row, index(cell))) return;
  free_.set(row, index(cell), free);
  empty_.set(row, index(cell), empty);
  narrow_.follow(row, index(cell), free, free_);
  log(cell);
}

void Capacity::log(CellId cell) {
  if (log_.size() == kLongestLog) {
    log_.erase(log_.begin(), log_.begin() + kLongestLog / 2);
    log_base_ += kLongestLog / 2;
  }
  log_.push_back(cell);
}

void Capacity::withhold(CellId cell, std::uint32_t row, std::int64_t amount) {
  RowAmounts rows;
  rows.entries.push_back({row, amount});
  change_cell(cell, rows, -1, Scope::kFreeOnly);
}

bool Capacity::fits(CellId cell, const RowAmounts& per_pod, std::int64_t pods) const {
  const std::span<const CellId> observers = cells_->observers(cell);
  return cell_fits(cell, per_pod, pods) &&
         std::all_of(observers.begin(), observers.end(),
                     [&](CellId observer) { return cell_fits(observer, per_pod, pods); });
}

bool Capacity::cell_fits(CellId cell, const RowAmounts& per_pod, std::int64_t pods) const {
  if (per_pod.unknown && pods > 0) return false;
  return std::all_of(per_pod.entries.begin(), per_pod.entries.end(),
                     [&](const RowAmounts::Entry& entry) {
                       const std::int64_t total = saturating_mul(entry.value, pods);
                       return total <= 0 || left(entry.row, cell) >= total;
                     });
}

std::optional<std::span<const CellId>> Capacity::changed_since(std::uint64_t version) const {
  if (version < log_base_) return std::nullopt;
  return std::span(log_).subspan(static_cast<std::size_t>(version - log_base_));
}

}  // namespace tessera::topology
