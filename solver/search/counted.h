// SPDX-License-Identifier: Apache-2.0
// Counted: the counts of one unit, from the index or from nothing.
//
// Made by place_gang() for each search, in its thread. Valid until the capacity or the index
// changes. Does not know the search.
#pragma once

#include <optional>

#include "solver/counting/counts.h"
#include "solver/index/index.h"

namespace tessera::solver {

class Counted {
 public:
  Counted(const CountRequest& request, const ResolvedRequest& resolved,
          const topology::Capacity& capacity, topology::Basis basis, Index* live) {
    if (live != nullptr) {
      const Index::Found found = live->counts(request, resolved, capacity, basis);
      live_ = found.counts;
      table_ = found.table;
      return;
    }
    rows_ = count(request, resolved, capacity, basis, exclusions_);
    table_.emplace(request.view->tree(), resolved, rows_->leaves, rows_->inner,
                   request.scores.get());
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  const CountTable& table() const { return *table_; }
  Exclusions exclusions() const { return live_ != nullptr ? live_->exclusions() : exclusions_; }

 private:
  const LiveCounts* live_ = nullptr;
  std::optional<CountRows> rows_;
  std::optional<CountTable> table_;
  Exclusions exclusions_;
};

}  // namespace tessera::solver
