// SPDX-License-Identifier: Apache-2.0
#include "solver/counting/cell_run.h"

#include <algorithm>
#include <array>

namespace tessera::solver {
namespace {

constexpr std::array<std::int32_t, topology::kChunkCells> kNoneNarrow{};
constexpr std::array<std::int64_t, topology::kChunkCells> kNoneExact{};

template <class Rows, class Gathered>
void reset(const Rows& rows, std::vector<Gathered>& gathered) {
  gathered.resize(rows.rows());
  for (Gathered& each : gathered) each.filled = false;
}

template <class Rows, class Gathered>
auto* gather(const Rows& rows, std::uint32_t row, const std::vector<topology::CellId>& cells,
             Gathered& gathered) {
  if (!gathered.filled) {
    gathered.values.resize(std::max(gathered.values.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      gathered.values[i] = rows.get(row, index(cells[i]));
    }
    gathered.filled = true;
  }
  return gathered.values.data();
}

}  // namespace

void CellRun::use_part(const topology::Capacity& capacity, std::uint32_t first, std::size_t count) {
  capacity_ = &capacity;
  count_ = count;
  in_place_ = true;
  first_ = first;
  reset(capacity.narrow_free(), narrow_);
}

void CellRun::use_cells(const topology::Capacity& capacity,
                        std::span<const topology::CellId> cells) {
  capacity_ = &capacity;
  count_ = cells.size();
  in_place_ = false;
  cells_.assign(cells.begin(), cells.end());
  reset(capacity.narrow_free(), narrow_);
  reset(capacity.rows(topology::Basis::kFree), free_);
  reset(capacity.rows(topology::Basis::kEmpty), empty_);
}

const std::int32_t* CellRun::make_narrow(int row) {
  if (row < 0) return kNoneNarrow.data();
  const auto at = static_cast<std::uint32_t>(row);
  const topology::NarrowRows& free = capacity_->narrow_free();
  if (!in_place_) return gather(free, at, cells_, narrow_[at]);
  if (!free.is_small(at)) return free.wide(at, first_);
  Gathered<std::int32_t>& widened = narrow_[at];
  if (!widened.filled) {
    const std::int16_t* const small = free.small(at, first_);
    widened.values.assign(small, small + count_);
    widened.filled = true;
  }
  return widened.values.data();
}

const std::int64_t* CellRun::exact(topology::Basis basis, int row) {
  if (row < 0) return kNoneExact.data();
  const auto at = static_cast<std::uint32_t>(row);
  if (in_place_) return capacity_->rows(basis).peek(at, first_);
  auto& gathered = basis == topology::Basis::kFree ? free_ : empty_;
  return gather(capacity_->rows(basis), at, cells_, gathered[at]);
}

}  // namespace tessera::solver
