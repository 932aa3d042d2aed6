// SPDX-License-Identifier: Apache-2.0
#include "solver/index/node_update.h"

#include <algorithm>
#include <optional>

namespace tessera::solver {
namespace {

using topology::DomainTree;
using topology::LeafId;
using topology::NodeId;
using topology::NodeRecord;
using topology::Symbol;

/// The slot with the node's cell: where the node is, or the hole that it left behind.
std::optional<LeafId> slot_of(NodeId node, const FlavorView& view, const topology::CellMap& cells) {
  for (const topology::CellId cell : cells.cells_of_node(node)) {
    const std::uint32_t leaf = view.leaf_of(cell);
    if (leaf == UINT32_MAX) continue;
    const auto nodes = view.tree().nodes(LeafId{leaf});
    if (nodes.empty() || std::find(nodes.begin(), nodes.end(), node) != nodes.end()) {
      return LeafId{leaf};
    }
  }
  return std::nullopt;
}

bool is_at(const DomainTree& tree, LeafId leaf, const std::vector<Symbol>& path) {
  std::optional<topology::DomainId> at = tree.domain_of(leaf);
  for (auto value = path.rbegin(); value != path.rend(); ++value, at = tree.parent(*at)) {
    if (tree.value(*at) != *value) return false;
  }
  return true;
}

}  // namespace

bool update_node(NodeId node, DomainTree& tree, std::span<FlavorView* const> views,
                 const topology::Capacity& capacity, Index* live) {
  if (!tree.live()) return false;
  // All views of a tree have its slots.
  const FlavorView& view = *views.front();
  const NodeRecord& record = view.nodes()[index(node)];
  const std::optional<LeafId> from = slot_of(node, view, capacity.cells());
  std::vector<Symbol> path;
  const bool inside = tree.path_of(record, path);
  if (!from) return !inside;  // the node never had a slot: nothing changes unless it needs one now
  const std::size_t held = tree.nodes(*from).size();
  // A leaf of several nodes is shown if any of them is usable, and has the path of the first.
  if (held > 1) return false;
  const auto changed = [&](LeafId leaf) {
    for (FlavorView* each : views) {
      each->leaf_changed(leaf);
      if (live != nullptr) live->leaf_changed(*each, leaf, capacity);
    }
  };
  if (held == 1 && inside && is_at(tree, *from, path)) {
    record.usable() ? tree.show(*from) : tree.hide(*from);
    changed(*from);
    return true;
  }
  if (held == 1) {
    tree.vacate(*from);
    changed(*from);
  }
  if (!inside) return true;
  const std::optional<topology::SlotShift> shift = tree.insert(path, node);
  if (!shift) return false;
  for (FlavorView* each : views) {
    each->slots_moved(*shift, *from);
    if (live != nullptr) live->slots_moved(*each, *shift);
  }
  if (!record.usable()) return true;
  tree.show(shift->at);
  changed(shift->at);
  return true;
}

}  // namespace tessera::solver
