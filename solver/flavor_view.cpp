// SPDX-License-Identifier: Apache-2.0
#include "solver/flavor_view.h"

#include <algorithm>
#include <utility>

#include "topology/chunked_rows.h"

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::FilterCause;
using topology::FilterVerdict;
using topology::LeafId;

/// Filters remembered as they came, and classes kept that nobody uses: an attack by ever new
/// filters stays small.
constexpr std::size_t kMostSeen = 1024, kMostClasses = 64;

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
    : tree_(&tree), cells_(cells), nodes_(nodes), tolerations_(std::move(tolerations)) {
  std::uint32_t cell_count = 0;
  for (const topology::CellId cell : cells_) cell_count = std::max(cell_count, index(cell) + 1);
  leaves_.assign(cell_count, UINT32_MAX);
  alike_.assign(cells_.size() / topology::kChunkCells + 1, true);
  for (std::uint32_t leaf = 0; leaf < cells_.size(); ++leaf) {
    leaves_[index(cells_[leaf])] = leaf;
    if (index(cells_[leaf]) != leaf) alike_[leaf / topology::kChunkCells] = false;
  }
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
  if (!passing) passing = test_leaves(filter);
  Seen seen{filter, passing, nullptr};
  if (!filter.preferred.empty()) {
    std::shared_ptr<ScoreTable>& scores = scores_[key + filter.preferred_key()];
    if (!scores) scores = score_domains(filter, *passing);
    seen.scores = scores;
  }
  return seen_.insert_or_assign(hash, std::move(seen)).first->second;
}

void FlavorView::forget_unused() const {
  seen_.clear();
  drop_unused(classes_);
  drop_unused(scores_);
}

std::shared_ptr<FilterClass> FlavorView::test_leaves(const topology::NodeFilter& filter) const {
  auto out = std::make_shared<FilterClass>();
  out->id = next_id_++;
  out->verdict.assign(tree_->leaf_count(), 0);
  // Above the host level Kueue looks at no filter: a leaf there is many nodes (placement.md 2.2).
  if (!tree_->topology().host_level()) return out;

  std::map<std::pair<int, std::string>, std::uint16_t> numbers;
  for (std::uint32_t leaf = 0; leaf < tree_->leaf_count(); ++leaf) {
    const topology::NodeId node = tree_->nodes(LeafId{leaf}).front();
    const FilterVerdict verdict = topology::test_node(nodes_[index(node)], filter, tolerations_);
    if (verdict.cause == FilterCause::kNone) continue;
    CauseCount cause = cause_of(verdict);
    std::uint16_t& number = numbers[{static_cast<int>(cause.kind), cause.detail}];
    if (number == 0) {
      // 65,535 different taint texts are told apart; the rest share the last one.
      if (out->causes.size() < UINT16_MAX) out->causes.push_back(std::move(cause));
      number = static_cast<std::uint16_t>(out->causes.size());
    }
    out->verdict[leaf] = number;
    ++out->causes[number - 1u].leaves;
    ++out->excluded;
  }
  return out;
}

std::shared_ptr<ScoreTable> FlavorView::score_domains(const topology::NodeFilter& filter,
                                                      const FilterClass& passing) const {
  auto out = std::make_shared<ScoreTable>();
  out->id = next_id_++;
  out->score.assign(tree_->domain_count(), 0);
  if (!tree_->topology().host_level()) return out;
  for (std::uint32_t leaf = 0; leaf < tree_->leaf_count(); ++leaf) {
    if (passing.verdict[leaf] != 0) continue;
    const topology::NodeId node = tree_->nodes(LeafId{leaf}).front();
    const std::int64_t score = filter.score(nodes_[index(node)]);
    if (score == 0) continue;
    std::optional<DomainId> at = tree_->domain_of(LeafId{leaf});
    for (; at; at = tree_->parent(*at)) out->score[index(*at)] += score;
  }
  return out;
}

}  // namespace tessera::solver
