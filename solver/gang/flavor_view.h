// SPDX-License-Identifier: Apache-2.0
// FlavorView: one flavor's view of the cluster: its tree, the cell of every leaf, and, for each
// filter that some pod has had, which leaves pass it.
//
// Made by actors/capacity/cluster.h, one for each flavor; everything it is made from outlives it.
// Filter classes and scores are cached inside, so one view serves many gangs. Used by one thread at
// a time; what it hands out may be read anywhere until a node changes (solver/index/node_update.h).
// Does not know amounts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "solver/gang/answer.h"
#include "topology/cell_map.h"
#include "topology/nodes/node_filter.h"

namespace tessera::solver {

/// Verdict of each leaf under a filter: 0 = passes, kAbsentLeaf = not shown at the moment, else 1 +
/// index into causes. Only host-level trees test nodes; in other trees every leaf passes.
struct FilterClass {
  static constexpr std::uint16_t kAbsentLeaf = UINT16_MAX;

  std::uint64_t id = 0;  // unique in its view
  topology::NodeFilter filter;
  std::vector<std::uint16_t> verdict;  // by LeafId
  std::vector<CauseCount> causes;      // leaves = how many have it
  std::int64_t excluded = 0;           // leaves that do not pass
};

/// Affinity scores under a filter (placement.md 4.8). A leaf has the score of its node, or 0 if it
/// does not pass the filter; a domain above has the sum.
struct ScoreTable {
  topology::NodeFilter filter;
  std::vector<std::int64_t> score;  // by DomainId
};

class FlavorView {
 public:
  FlavorView(const topology::DomainTree& tree, std::span<const topology::CellId> cells,
             std::span<const topology::NodeRecord> nodes,
             std::vector<topology::Toleration> tolerations);

  const topology::DomainTree& tree() const { return *tree_; }
  std::span<const topology::CellId> cells() const { return cells_; }  // by LeafId
  std::span<const topology::NodeRecord> nodes() const { return nodes_; }
  /// True if every leaf of this chunk of leaves has the cell of its own number.
  bool numbered_alike(std::uint32_t chunk) const { return alike_[chunk]; }
  /// The leaf whose cell this is; UINT32_MAX: none.
  std::uint32_t leaf_of(topology::CellId cell) const {
    return index(cell) < leaves_.size() ? leaves_[index(cell)] : UINT32_MAX;
  }

  /// Classes and scores follow a leaf that was shown or hidden, or whose node has a new record.
  void leaf_changed(topology::LeafId leaf);
  /// The tree moved slots, and the node of the vacated leaf `from` is now in slot `shift.at`.
  void slots_moved(topology::SlotShift shift, topology::LeafId from);

  std::shared_ptr<const FilterClass> filter_class(const topology::NodeFilter& filter) const;
  /// Null if the filter prefers nothing: every score is 0.
  std::shared_ptr<const ScoreTable> scores(const topology::NodeFilter& filter) const;

 private:
  /// A filter as it was given, and what was found under its canonical key. The next look-up of the
  /// same filter then needs no key.
  struct Seen {
    topology::NodeFilter filter;
    std::shared_ptr<const FilterClass> filter_class;
    std::shared_ptr<const ScoreTable> scores;
  };
  const Seen& look_up(const topology::NodeFilter& filter) const;
  /// Positions of causes by kind and text.
  using CausePositions = std::unordered_map<std::string, std::size_t>;
  void test_leaf(FilterClass& passing, topology::LeafId leaf, CausePositions* positions) const;
  std::int64_t score_of(const topology::NodeFilter& filter, topology::LeafId leaf) const;
  void set_score(ScoreTable& scores, topology::LeafId leaf) const;
  void note_number(std::uint32_t leaf);
  void forget_unused() const;

  const topology::DomainTree* tree_;
  std::vector<topology::CellId> cells_;  // by LeafId
  std::span<const topology::NodeRecord> nodes_;
  std::vector<topology::Toleration> tolerations_;
  std::vector<std::uint32_t> leaves_;  // by CellId
  std::vector<bool> alike_;            // by chunk of leaves, see numbered_alike()
  mutable std::uint64_t next_id_ = 1;
  mutable std::map<std::string, std::shared_ptr<FilterClass>> classes_;
  mutable std::map<std::string, std::shared_ptr<ScoreTable>> scores_;
  mutable std::unordered_map<std::uint64_t, Seen> seen_;  // by NodeFilter::hash()
};

}  // namespace tessera::solver
