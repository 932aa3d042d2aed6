// SPDX-License-Identifier: Apache-2.0
#include "actors/shortage/joint_room.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "solver/search/group_domains.h"

namespace tessera::core {

using solver::Counts;
using topology::Basis;
using topology::CellId;
using topology::DomainId;
using topology::DomainRange;
using topology::LeafId;

JointRoom::JointRoom(const solver::CountRequest& request, const solver::ResolvedRequest& resolved,
                     const topology::Capacity& capacity, std::optional<OtherLeader> other)
    : request_(request), resolved_(&resolved), capacity_(capacity), other_(std::move(other)) {
  if (!capacity_.cells().any_bounds() && !other_) return;
  worker_ = capacity_.rows_of(request_.worker);
  if (request_.has_leader) leader_ = capacity_.rows_of(request_.leader);
  if (other_) leader_ = capacity_.rows_of(other_->per_pod);
  if (!worker_.unknown && !leader_.unknown) find_bound_leaves();
}

std::optional<Symbol> JointRoom::short_on(std::uint32_t leaf) const {
  const auto at = short_.find(leaf);
  return at == short_.end() ? std::nullopt : std::optional(at->second);
}

std::int64_t JointRoom::pods_on(std::uint32_t leaf, const Amounts& per_pod) const {
  return solver::pods_that_fit(capacity_, Basis::kFree, request_.view->cells()[leaf], per_pod);
}

/// Leaves under a cell that cannot give each of them what it has room for, and a leader besides.
void JointRoom::find_bound_leaves() {
  const topology::DomainTree& tree = request_.view->tree();
  std::unordered_map<std::uint32_t, std::int64_t> asked;  // by cell, pods
  const auto each_above = [&](std::uint32_t leaf, const auto& visit) {
    for (const CellId above : capacity_.cells().observers(request_.view->cells()[leaf])) {
      if (!capacity_.cells().is_host(above)) visit(above);
    }
  };
  std::vector<std::int64_t> pods(tree.leaf_count(), 0);
  for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    if (request_.worker_filter->verdict[leaf] != 0) continue;
    pods[leaf] = pods_on(leaf, request_.worker);
    if (pods[leaf] == 0) continue;
    each_above(leaf, [&](CellId above) {
      std::int64_t& sum = asked[index(above)];
      sum = topology::saturating_add(sum, pods[leaf]);
    });
  }
  const auto lacks = [&](CellId above) -> std::optional<Symbol> {
    for (const topology::RowAmounts::Entry& row : worker_.entries) {
      std::int64_t left = capacity_.left(row.row, above);
      for (const auto& leader : leader_.entries) {
        if (leader.row == row.row) left -= leader.value;
      }
      if (row.value > 0 && asked[index(above)] > std::max<std::int64_t>(0, left) / row.value) {
        return capacity_.resources()[row.row];
      }
    }
    return std::nullopt;
  };
  for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    if (pods[leaf] == 0) continue;
    each_above(leaf, [&](CellId above) {
      const std::optional<Symbol> resource = lacks(above);
      if (resource) short_.emplace(leaf, *resource);
    });
    if (short_.count(leaf) == 0) continue;
    for (int level = 0; level < static_cast<int>(tree.topology().levels.size()); ++level) {
      bound_.insert(tree.ancestor(tree.domain_of(LeafId{leaf}), level));
    }
  }
}

Counts JointRoom::at(DomainId domain) {
  const auto [at, added] = known_.try_emplace(domain);
  if (added) {
    const int level = request_.view->tree().level_of(domain);
    at->second = count({index(domain), index(domain) + 1}, level, domain);
  }
  return at->second;
}

Counts JointRoom::all() { return count(request_.view->tree().level(0), 0, std::nullopt); }

Counts JointRoom::count(DomainRange domains, int level, std::optional<DomainId> within) {
  const std::int64_t size = std::max<std::int64_t>(1, resolved_->slice_size);
  Counts counts;
  counts.pods = fill(domains, level, false);
  undo();
  counts.slices = fill(domains, level, true) / size;
  undo();
  for (const CellId cell : leader_cells(within)) {
    counts.leaders = 1;
    capacity_.assume(cell, leader_, 1);
    counts.pods_with_leader = std::max(counts.pods_with_leader, fill(domains, level, false));
    undo();
    counts.slices_with_leader =
        std::max(counts.slices_with_leader, fill(domains, level, true) / size);
    undo();
    capacity_.forget(cell, leader_, 1);
  }
  return counts;
}

/// `within`: of the workers' tree; nothing: anywhere.
std::vector<CellId> JointRoom::leader_cells(std::optional<DomainId> within) const {
  std::vector<CellId> cells;
  if (!request_.has_leader && !other_) return cells;
  const solver::FlavorView& view = other_ ? *other_->view : *request_.view;
  const topology::DomainTree& tree = view.tree();
  if (other_ && within) {
    within = solver::same_domain(request_.view->tree(), *within, tree);
    if (!within) return cells;
  }
  const solver::FilterClass& filter = other_                   ? *other_->filter
                                      : request_.leader_filter ? *request_.leader_filter
                                                               : *request_.worker_filter;
  const Amounts& per_pod = other_ ? other_->per_pod : request_.leader;
  for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    if (cells.size() == kMostLeaderLeaves) break;
    const DomainId domain = tree.domain_of(LeafId{leaf});
    if (within && tree.ancestor(domain, tree.level_of(*within)) != *within) continue;
    if (filter.verdict[leaf] != 0) continue;
    const CellId cell = view.cells()[leaf];
    if (solver::pods_that_fit(capacity_, Basis::kFree, cell, per_pod) > 0) cells.push_back(cell);
  }
  return cells;
}

/// Takes what the domains have, and says how many pods that is. `whole`: whole slices only.
std::int64_t JointRoom::fill(DomainRange domains, int level, bool whole) {
  const std::int64_t unit = whole && level == resolved_->slice_level
                                ? resolved_->slice_size
                                : resolved_->unit[static_cast<std::size_t>(level)];
  std::int64_t sum = 0;
  for (std::uint32_t domain = domains.begin; domain < domains.end; ++domain) {
    const std::size_t mark = taken_.size();
    const std::int64_t pods = fill_domain(DomainId{domain}, level, whole);
    const std::int64_t over = pods % std::max<std::int64_t>(1, unit);
    give_back(mark, over);
    sum = topology::saturating_add(sum, pods - over);
  }
  return sum;
}

std::int64_t JointRoom::fill_domain(DomainId domain, int level, bool whole) {
  const topology::DomainTree& tree = request_.view->tree();
  if (level + 1 < static_cast<int>(tree.topology().levels.size())) {
    return fill(tree.children(domain), level + 1, whole);
  }
  const std::uint32_t leaf = index(domain) - tree.level(level).begin;
  if (request_.worker_filter->verdict[leaf] != 0) return 0;
  const std::int64_t pods = pods_on(leaf, request_.worker);
  if (pods <= 0) return 0;
  const CellId cell = request_.view->cells()[leaf];
  capacity_.assume(cell, worker_, pods);
  taken_.push_back({cell, pods});
  return pods;
}

/// Gives back up to `pods` of what was taken since `from`, the latest first.
void JointRoom::give_back(std::size_t from, std::int64_t pods) {
  while (taken_.size() > from && pods > 0) {
    Taken& last = taken_.back();
    const std::int64_t back = std::min(pods, last.pods);
    capacity_.forget(last.cell, worker_, back);
    pods -= back;
    last.pods -= back;
    if (last.pods == 0) taken_.pop_back();
  }
}

}  // namespace tessera::core
