// SPDX-License-Identifier: Apache-2.0
// Touched: the leaves of one view whose cells changed, with all that every key needs to follow:
// what is free there, which domains lie above them, which filters they pass.
//
// Filled by the index and used for each key that lags by the same changes, so that what the keys
// share is found once. Buffers are kept for the next time. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/counting/cell_run.h"
#include "solver/gang/flavor_view.h"
#include "solver/index/roll_up.h"

namespace tessera::solver {

class Touched {
 public:
  const FlavorView* view = nullptr;
  std::uint64_t since = 0, until = 0;
  bool too_many = false;              // to count all again is cheaper, or the only way
  std::vector<std::uint32_t> leaves;  // ascending, each once
  std::vector<topology::CellId> cells;
  std::vector<std::vector<TouchedDomain>> levels;  // above the leaves, the nearest first
  /// Leaves that lie beside each other in one chunk: leaves[begin] = leaf, and the next ones.
  struct Span {
    std::uint32_t leaf, begin, size;
  };
  std::vector<Span> spans;
  CellRun run;

  /// The leaves that changed after a version of the capacity.
  void gather(const FlavorView& of_view, const topology::Capacity& capacity,
              std::uint64_t since_version);
  /// One leaf, whatever the version.
  void gather(const FlavorView& of_view, const topology::Capacity& capacity, topology::LeafId leaf);
  /// Verdicts of the leaves; null if the filter excludes no leaf of the view.
  const std::uint16_t* verdicts(const FilterClass& filter);

 private:
  void find_spans();
  void find_domains(const topology::DomainTree& tree);

  struct Verdicts {
    const FilterClass* filter;
    std::vector<std::uint16_t> verdicts;
  };
  std::vector<Verdicts> verdicts_;  // the first filters_ are of these leaves
  std::size_t filters_ = 0;
};

}  // namespace tessera::solver
