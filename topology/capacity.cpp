// SPDX-License-Identifier: Apache-2.0
#include "topology/capacity.h"

#include <algorithm>

namespace tessera::topology {
namespace {

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
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    for (const CellId cell : cells_->cells_of_node(NodeId{node})) {
      change_cell(cell, nodes[node].allocatable, Scope::kFreeOnly);
    }
  }
  empty_ = free_;
}

int Capacity::row(Symbol resource) const {
  const auto found = std::find(resources_.begin(), resources_.end(), resource);
  return found == resources_.end() ? -1 : static_cast<int>(found - resources_.begin());
}

std::int64_t Capacity::amount(Basis basis, Symbol resource, CellId cell) const {
  const int at = row(resource);
  return at < 0 ? 0 : rows(basis).get(static_cast<std::uint32_t>(at), index(cell));
}

void Capacity::add_pod(NodeId node, const Amounts& total) { change_node(node, total.times(-1)); }
void Capacity::remove_pod(NodeId node, const Amounts& total) { change_node(node, total); }

void Capacity::book(CellId cell, const Amounts& total) {
  change(cell, total.times(-1), Scope::kFreeOnly);
}
void Capacity::release(CellId cell, const Amounts& total) { change(cell, total, Scope::kFreeOnly); }
void Capacity::assume(CellId cell, const Amounts& total) {
  change(cell, total.times(-1), Scope::kBothBases);
}
void Capacity::forget(CellId cell, const Amounts& total) { change(cell, total, Scope::kBothBases); }

void Capacity::change_node(NodeId node, const Amounts& delta) {
  for (const CellId cell : cells_->cells_of_node(node)) change_cell(cell, delta, Scope::kBothBases);
}

void Capacity::change(CellId cell, const Amounts& delta, Scope scope) {
  change_cell(cell, delta, scope);
  for (const CellId observer : cells_->observers(cell)) change_cell(observer, delta, scope);
}

void Capacity::change_cell(CellId cell, const Amounts& delta, Scope scope) {
  for (const Amount& amount : delta) {
    const int at = row(amount.resource);
    if (at < 0 || amount.value == 0) continue;
    const auto row_index = static_cast<std::uint32_t>(at);
    const auto add_to = [&](ChunkedRows<std::int64_t>& table) {
      const std::int64_t before = table.get(row_index, index(cell));
      table.set(row_index, index(cell), saturating_add(before, amount.value));
    };
    add_to(free_);
    if (scope == Scope::kBothBases) add_to(empty_);
  }
}

bool Capacity::fits(CellId cell, const Amounts& total) const {
  const std::span<const CellId> observers = cells_->observers(cell);
  return cell_fits(cell, total) &&
         std::all_of(observers.begin(), observers.end(),
                     [&](CellId observer) { return cell_fits(observer, total); });
}

bool Capacity::cell_fits(CellId cell, const Amounts& total) const {
  return std::all_of(total.begin(), total.end(), [&](const Amount& amount) {
    return amount.value <= 0 || this->amount(Basis::kFree, amount.resource, cell) >= amount.value;
  });
}

}  // namespace tessera::topology
