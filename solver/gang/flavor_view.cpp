// SPDX-License-Identifier: Apache-2.0
#include "solver/gang/flavor_view.h"

#include <algorithm>
#include <utility>

#include "topology/chunked_rows.h"
#include "topology/prefetch.h"

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::FilterCause;
using topology::FilterVerdict;
using topology::LeafId;

/// Bounds for the filters that are remembered and for classes that nobody uses: input with ever new
/// filters must not grow the memory.
constexpr std::size_t kMostSeen = 1024, kMostClasses = 64;
/// How many texts of taints are told apart.
constexpr std::size_t kMostCauses = 1024;

std::string key_of(const CauseCount& cause) {
  return std::to_string(static_cast<int>(cause.kind)) + cause.detail;
}

CauseCount cause_of(const FilterVerdict& verdict) {
  switch (verdict.cause) {
    case FilterCause::kTaint:
      return {CauseCount::Kind::kTaint, verdict.taint.text(), 0};
    case FilterCause::kNodeSelector:
      return {CauseCount::Kind::kNodeSelector, "", 0};
    case FilterCause::kAffinity:
    case FilterCause::kNone:
      break;
  }
  return {CauseCount::Kind::kAffinity, "", 0};
}

template <class Table>
void drop_unused(std::map<std::string, std::shared_ptr<Table>>& tables) {
  for (auto it = tables.begin(); it != tables.end();) {
    it = it->second.use_count() == 1 ? tables.erase(it) : std::next(it);
  }
}

}  // namespace

FlavorView::FlavorView(const topology::DomainTree& tree, std::span<const topology::CellId> cells,
                       std::span<const topology::NodeRecord> nodes,
                       std::vector<topology::Toleration> tolerations)
    : tree_(&tree),
      cells_(cells.begin(), cells.end()),
      nodes_(nodes),
      tolerations_(std::move(tolerations)),
      alike_(cells.size() / topology::kChunkCells + 1, true) {
  std::uint32_t cell_count = 0;
  for (const topology::CellId cell : cells_) cell_count = std::max(cell_count, index(cell) + 1);
  leaves_.assign(cell_count, UINT32_MAX);
  for (std::uint32_t leaf = 0; leaf < cells_.size(); ++leaf) note_number(leaf);
}

void FlavorView::note_number(std::uint32_t leaf) {
  leaves_[index(cells_[leaf])] = leaf;
  if (index(cells_[leaf]) != leaf) alike_[leaf / topology::kChunkCells] = false;
}

std::shared_ptr<const FilterClass> FlavorView::filter_class(
    const topology::NodeFilter& filter) const {
  return look_up(filter).filter_class;
}

std::shared_ptr<const ScoreTable> FlavorView::scores(const topology::NodeFilter& filter) const {
  return look_up(filter).scores;
}

const FlavorView::Seen& FlavorView::look_up(const topology::NodeFilter& filter) const {
  const std::uint64_t hash = filter.hash();
  const auto known = seen_.find(hash);
  if (known != seen_.end() && known->second.filter == filter) return known->second;
  if (seen_.size() >= kMostSeen || classes_.size() >= kMostClasses ||
      scores_.size() >= kMostClasses) {
    forget_unused();
  }
  const std::string key = filter.key();
  std::shared_ptr<FilterClass>& passing = classes_[key];
  if (!passing) {
    passing = std::make_shared<FilterClass>();
    passing->id = next_id_++;
    passing->filter = filter;
    passing->filter.adopt_symbols();
    passing->verdict.assign(tree_->leaf_count(), 0);
    CausePositions positions;
    for (std::uint32_t leaf = 0; leaf < tree_->leaf_count(); ++leaf) {
      test_leaf(*passing, LeafId{leaf}, &positions);
    }
  }
  Seen seen{filter, passing, nullptr};
  if (!filter.preferred.empty()) {
    std::shared_ptr<ScoreTable>& scores = scores_[key + filter.preferred_key()];
    if (!scores) {
      scores = std::make_shared<ScoreTable>();
      scores->filter = filter;
      scores->filter.adopt_symbols();
      scores->score.assign(tree_->domain_count(), 0);
      for (std::uint32_t leaf = 0; leaf < tree_->leaf_count(); ++leaf) {
        set_score(*scores, LeafId{leaf});
      }
    }
    seen.scores = scores;
  }
  return seen_.insert_or_assign(hash, std::move(seen)).first->second;
}

void FlavorView::forget_unused() const {
  seen_.clear();
  drop_unused(classes_);
  drop_unused(scores_);
}

/// Replaces the verdict of one leaf. `positions`: kept by a caller that tests many leaves, since
/// each node may have a taint of its own.
void FlavorView::test_leaf(FilterClass& passing, LeafId leaf, CausePositions* positions) const {
  std::uint16_t& verdict = passing.verdict[index(leaf)];
  if (verdict != 0) --passing.excluded;
  if (verdict != 0 && verdict != FilterClass::kAbsentLeaf) --passing.causes[verdict - 1U].leaves;
  verdict = 0;
  if (!tree_->shown(leaf)) {
    verdict = FilterClass::kAbsentLeaf;
    ++passing.excluded;
    return;
  }
  // Kueue tests no filter above the host level: a leaf there is many nodes (placement.md 2.2).
  if (!tree_->topology().host_level()) return;
  const topology::NodeId node = tree_->nodes(leaf).front();
  const FilterVerdict tested =
      topology::test_node(nodes_[index(node)], passing.filter, tolerations_);
  if (tested.cause == FilterCause::kNone) return;
  CauseCount cause = cause_of(tested);
  constexpr std::size_t kFew = 16;  // found sooner one after the other
  std::size_t number = passing.causes.size() + 1;
  if (positions != nullptr && passing.causes.size() > kFew) {
    for (std::size_t i = positions->size(); i < passing.causes.size(); ++i) {
      positions->emplace(key_of(passing.causes[i]), i);
    }
    const auto at = positions->find(key_of(cause));
    if (at != positions->end()) number = at->second + 1;
  } else {
    const auto known =
        std::find_if(passing.causes.begin(), passing.causes.end(), [&](const CauseCount& each) {
          return each.kind == cause.kind && each.detail == cause.detail;
        });
    number = static_cast<std::size_t>(known - passing.causes.begin()) + 1;
  }
  if (number > passing.causes.size()) {
    if (passing.causes.size() < kMostCauses) {
      passing.causes.push_back(std::move(cause));
    } else {
      number = kMostCauses;  // all further taints share the last text
    }
  }
  verdict = static_cast<std::uint16_t>(number);
  ++passing.causes[number - 1].leaves;
  ++passing.excluded;
}

std::int64_t FlavorView::score_of(const topology::NodeFilter& filter, LeafId leaf) const {
  if (!tree_->topology().host_level() || !tree_->shown(leaf)) return 0;
  const topology::NodeRecord& node = nodes_[index(tree_->nodes(leaf).front())];
  if (topology::test_node(node, filter, tolerations_).cause != FilterCause::kNone) return 0;
  return filter.score(node);
}

/// Replaces the score of one leaf, and its part in the sums above.
void FlavorView::set_score(ScoreTable& scores, LeafId leaf) const {
  std::optional<DomainId> at = tree_->domain_of(leaf);
  const std::int64_t change = score_of(scores.filter, leaf) - scores.score[index(*at)];
  if (change == 0) return;
  for (; at; at = tree_->parent(*at)) scores.score[index(*at)] += change;
}

void FlavorView::leaf_changed(LeafId leaf) {
  for (const auto& [key, passing] : classes_) {
    topology::prefetch_for_write(&passing->verdict[index(leaf)]);
  }
  for (const auto& [key, passing] : classes_) test_leaf(*passing, leaf, nullptr);
  for (const auto& [key, scores] : scores_) set_score(*scores, leaf);
}

void FlavorView::slots_moved(topology::SlotShift shift, LeafId from) {
  // The hole moves with its empty cell. The node's own cell comes from the slot that it left.
  topology::rotate_slots(shift, cells_.data());
  const std::uint32_t low = std::min(index(shift.hole), index(shift.at));
  const std::uint32_t high = std::max(index(shift.hole), index(shift.at));
  // The vacated slot may be one of those that moved.
  std::uint32_t left = index(from);
  if (left == index(shift.hole)) {
    left = index(shift.at);
  } else if (left >= low && left <= high) {
    left = shift.at < shift.hole ? left + 1 : left - 1;
  }
  std::swap(cells_[index(shift.at)], cells_[left]);
  for (std::uint32_t leaf = low; leaf <= high; ++leaf) note_number(leaf);
  note_number(left);
  const std::uint32_t first_leaf = index(tree_->domain_of(LeafId{0}));
  for (const auto& [key, passing] : classes_) {
    topology::rotate_slots(shift, passing->verdict.data());
  }
  for (const auto& [key, scores] : scores_) {
    topology::rotate_slots(shift, scores->score.data() + first_leaf);
  }
}

}  // namespace tessera::solver
