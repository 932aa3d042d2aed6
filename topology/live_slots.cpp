// SPDX-License-Identifier: Apache-2.0
// How a live DomainTree changes: leaves are shown and hidden, slots vacated and filled.
#include <algorithm>
#include <string_view>

#include "topology/domain_tree.h"
#include "topology/text/text_order.h"

namespace tessera::topology {
namespace {

constexpr std::uint32_t kAboveTop = UINT32_MAX;

}  // namespace

void DomainTree::set_shown(LeafId leaf, bool shown_now) {
  if (shown(leaf) == shown_now) return;
  const std::uint32_t step = shown_now ? 1 : UINT32_MAX;  // adding UINT32_MAX takes one away
  std::size_t level = levels_.size();
  for (std::uint32_t at = index(domain_of(leaf)); at != kAboveTop; at = parents_[at]) {
    shown_[at] += step;
    --level;
    if (shown_[at] == (shown_now ? 1 : 0)) existing_[level] += step;
  }
}

void DomainTree::vacate(LeafId leaf) {
  hide(leaf);
  values_[index(domain_of(leaf))] = Symbol();
  leaf_nodes_[index(leaf)].count = 0;
}

std::string_view DomainTree::common_hostname_prefix() const {
  std::optional<std::string_view> prefix;
  for (std::uint32_t leaf = 0; leaf < leaf_count(); ++leaf) {
    if (is_hole(leaf)) continue;
    const std::string_view hostname = value(domain_of(LeafId{leaf})).view();
    prefix = common_prefix(prefix.value_or(hostname), hostname);
  }
  return prefix.value_or(std::string_view());
}

void DomainTree::note_heads(std::string_view prefix) {
  prefix_ = prefix;
  heads_.resize(leaf_count());
  for (std::uint32_t leaf = 0; leaf < leaf_count(); ++leaf) {
    if (is_hole(leaf)) continue;
    heads_[leaf] = text_head(value(domain_of(LeafId{leaf})).view(), prefix.size());
  }
}

/// The slot before which a leaf with this hostname belongs: occupied slots before it have smaller
/// hostnames, all others have greater ones.
std::uint32_t DomainTree::position_of(std::string_view hostname, DomainRange leaves) const {
  const std::uint64_t head = text_head(hostname, prefix_.size());
  while (leaves.begin < leaves.end) {
    const std::uint32_t middle = leaves.begin + leaves.size() / 2;
    std::uint32_t probe = middle;
    while (probe < leaves.end && is_hole(probe)) ++probe;
    const bool smaller =
        probe < leaves.end &&
        (heads_[probe] != head ? heads_[probe] < head
                               : value(domain_of(LeafId{probe})).view() < hostname);
    if (smaller) {
      leaves.begin = probe + 1;
    } else {
      leaves.end = middle;
    }
  }
  return leaves.begin;
}

std::optional<SlotShift> DomainTree::nearest_hole(std::uint32_t position,
                                                  DomainRange leaves) const {
  // The slots between the position and the hole move. Behind the position: up to the hole. Before
  // it: down to the hole, and the node lands one slot before the position.
  const std::uint32_t before = position - leaves.begin, behind = leaves.end - position;
  for (std::uint32_t moved = 0; moved < std::max(before, behind); ++moved) {
    if (moved < behind && is_hole(position + moved)) {
      return SlotShift{LeafId{position + moved}, LeafId{position}};
    }
    if (moved < before && is_hole(position - 1 - moved)) {
      return SlotShift{LeafId{position - 1 - moved}, LeafId{position - 1}};
    }
  }
  return std::nullopt;
}

std::optional<SlotShift> DomainTree::insert(std::span<const Symbol> path, NodeId node) {
  if (!live_ || path.size() != topology_.levels.size()) return std::nullopt;
  const std::uint32_t first = levels_.back().begin;
  DomainRange leaves{0, leaf_count()};
  if (path.size() > 1) {
    const std::optional<DomainId> domain = find_domain(path.first(path.size() - 1));
    if (!domain) return std::nullopt;
    leaves = {children(*domain).begin - first, children(*domain).end - first};
  }
  if (find_host(path.back())) return std::nullopt;
  const std::string_view hostname = path.back().view();
  if (const std::string_view prefix = common_prefix(hostname, prefix_); prefix != prefix_) {
    note_heads(prefix);
  }
  const std::optional<SlotShift> shift = nearest_hole(position_of(hostname, leaves), leaves);
  if (!shift) return std::nullopt;

  rotate_slots(*shift, &values_[first]);
  rotate_slots(*shift, &shown_[first]);
  rotate_slots(*shift, heads_.data());
  rotate_slots(*shift, leaf_nodes_.data());
  const auto [from, to] = std::minmax({index(shift->hole), index(shift->at)});
  for (std::uint32_t leaf = from; leaf <= to; ++leaf) {
    leaf_by_place_[leaf_nodes_[leaf].place] = leaf;
  }
  NodeRun& run = leaf_nodes_[index(shift->at)];
  run.count = 1;
  nodes_[run.place] = node;
  values_[first + index(shift->at)] = path.back();
  heads_[index(shift->at)] = text_head(hostname, prefix_.size());
  place_by_hostname_[path.back()] = run.place;
  return shift;
}

}  // namespace tessera::topology
