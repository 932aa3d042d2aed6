// SPDX-License-Identifier: Apache-2.0
#include "solver/index/touched.h"

#include <algorithm>
#include <optional>

namespace tessera::solver {
namespace {

using topology::Capacity;
using topology::CellId;
using topology::kChunkCells;

constexpr std::uint32_t kNoLeaf = UINT32_MAX;
/// To move one leaf costs about as much as to count so many leaves again.
constexpr std::size_t kRecountShare = 8;

}  // namespace

void Touched::gather(const FlavorView& of_view, const Capacity& capacity,
                     std::uint64_t since_version) {
  view = &of_view;
  since = since_version;
  until = capacity.version();
  leaves.clear();
  cells.clear();
  filters_ = 0;
  const auto changed = capacity.changed_since(since);
  const std::size_t most =
      std::clamp<std::size_t>(of_view.tree().leaf_count() / kRecountShare, 64, kChunkCells);
  // A cell that changed several times is counted once, so more changes than leaves may be worth it.
  too_many = !changed || changed->size() > 4 * most;
  if (too_many) return;
  for (const CellId cell : *changed) {
    const std::uint32_t leaf = of_view.leaf_of(cell);
    if (leaf != kNoLeaf) leaves.push_back(leaf);
  }
  if (!std::is_sorted(leaves.begin(), leaves.end())) std::sort(leaves.begin(), leaves.end());
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  too_many = leaves.size() > most;
  if (too_many) return;
  for (const std::uint32_t leaf : leaves) cells.push_back(of_view.cells()[leaf]);
  run.use_cells(capacity, cells);
  find_spans();
  find_domains(of_view.tree());
}

void Touched::find_spans() {
  spans.clear();
  for (std::uint32_t i = 0; i < leaves.size(); ++i) {
    if (i > 0 && leaves[i] == leaves[i - 1] + 1 && leaves[i] % kChunkCells != 0) {
      ++spans.back().size;
    } else {
      spans.push_back({leaves[i], i, 1});
    }
  }
}

void Touched::find_domains(const topology::DomainTree& tree) {
  levels.resize(static_cast<std::size_t>(tree.leaf_level()));
  const std::uint32_t first_leaf = tree.level(tree.leaf_level()).begin;
  for (std::size_t step = 0; step < levels.size(); ++step) {
    std::vector<TouchedDomain>& domains = levels[step];
    domains.clear();
    const std::size_t below = step == 0 ? leaves.size() : levels[step - 1].size();
    for (std::uint32_t i = 0; i < below; ++i) {
      const topology::DomainId child =
          step == 0 ? topology::DomainId{first_leaf + leaves[i]} : levels[step - 1][i].domain;
      if (domains.empty() || index(child) >= domains.back().children.end) {
        const topology::DomainId parent = *tree.parent(child);
        domains.push_back({parent, tree.children(parent), i, i, 0});
      }
      ++domains.back().end;
      if (step > 0) levels[step - 1][i].above = static_cast<std::uint32_t>(domains.size() - 1);
    }
  }
}

const std::uint16_t* Touched::verdicts(const FilterClass& filter) {
  if (filter.excluded == 0) return nullptr;
  for (std::size_t i = 0; i < filters_; ++i) {
    if (verdicts_[i].filter == &filter) return verdicts_[i].verdicts.data();
  }
  if (filters_ == verdicts_.size()) verdicts_.emplace_back();
  Verdicts& added = verdicts_[filters_++];
  added.filter = &filter;
  added.verdicts.resize(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    added.verdicts[i] = filter.verdict[leaves[i]];
  }
  return added.verdicts.data();
}

void Touched::gather(const FlavorView& of_view, const Capacity& capacity, topology::LeafId leaf) {
  view = nullptr;  // belongs to no version, so no other key can use it
  filters_ = 0;
  too_many = false;
  leaves.assign(1, index(leaf));
  cells.assign(1, of_view.cells()[index(leaf)]);
  run.use_cells(capacity, cells);
  find_spans();
  find_domains(of_view.tree());
}

}  // namespace tessera::solver
