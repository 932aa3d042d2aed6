// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "solver/place.h"

namespace tessera::solver {
namespace {

using topology::FilterCause;
using topology::FilterVerdict;

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

}  // namespace

FlavorView::FlavorView(const topology::DomainTree& tree, std::span<const topology::CellId> cells,
                       std::span<const topology::NodeRecord> nodes,
                       std::vector<topology::Toleration> tolerations)
    : tree_(&tree), cells_(cells), nodes_(nodes), tolerations_(std::move(tolerations)) {}

const FlavorView::FilterClass& FlavorView::filter_class(const topology::NodeFilter& filter) const {
  std::unique_ptr<FilterClass>& slot = classes_[filter.key()];
  if (slot) return *slot;
  slot = std::make_unique<FilterClass>();
  slot->verdict.assign(tree_->leaf_count(), 0);
  // Above the host level Kueue looks at no filter: a leaf there is many nodes (placement.md 2.2).
  if (!tree_->topology().host_level()) return *slot;

  std::map<std::pair<int, std::string>, std::uint16_t> numbers;
  for (std::uint32_t leaf = 0; leaf < tree_->leaf_count(); ++leaf) {
    const topology::NodeId node = tree_->nodes(topology::LeafId{leaf}).front();
    const FilterVerdict verdict = topology::test_node(nodes_[index(node)], filter, tolerations_);
    if (verdict.cause == FilterCause::kNone) continue;
    CauseCount cause = cause_of(verdict);
    std::uint16_t& number = numbers[{static_cast<int>(cause.kind), cause.detail}];
    if (number == 0) {
      // 65,535 different taint texts are told apart; the rest share the last one.
      if (slot->causes.size() < UINT16_MAX) slot->causes.push_back(std::move(cause));
      number = static_cast<std::uint16_t>(slot->causes.size());
    }
    slot->verdict[leaf] = number;
    ++slot->causes[number - 1u].leaves;
  }
  return *slot;
}

const std::vector<std::int64_t>& FlavorView::scores(const topology::NodeFilter& filter) const {
  std::unique_ptr<std::vector<std::int64_t>>& slot = scores_[filter.preferred_key()];
  if (slot) return *slot;
  slot = std::make_unique<std::vector<std::int64_t>>(tree_->leaf_count(), 0);
  if (!tree_->topology().host_level()) return *slot;
  for (std::uint32_t leaf = 0; leaf < tree_->leaf_count(); ++leaf) {
    const topology::NodeId node = tree_->nodes(topology::LeafId{leaf}).front();
    (*slot)[leaf] = filter.score(nodes_[index(node)]);
  }
  return *slot;
}

}  // namespace tessera::solver
