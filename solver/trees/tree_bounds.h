// SPDX-License-Identifier: Apache-2.0
// TreeBounds: what can be said of a group and a domain before anything is placed: whether the group
// could fit there if it were alone, and how full it would make the domain.
//
// Made for one search from what is free at its start; remembers what it has counted. Never says no
// where a placement exists. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "solver/choice/steps.h"
#include "solver/trees/private_room.h"

namespace tessera::solver {

class TreeBounds {
 public:
  /// `left_out`: by group, true for groups that count as met (tree_reasons.h). Empty: none.
  TreeBounds(const TreeProblem& problem, Steps& steps, const std::vector<bool>& left_out = {});

  /// The leaves directly below a group: a run of TreeProblem::pods.
  std::pair<std::uint32_t, std::uint32_t> own_leaves(std::uint32_t group) const {
    return {first_leaf_[group], first_leaf_[group + 1]};
  }
  /// True if the group's minimum is met by what runs.
  bool met(std::uint32_t group) const { return met_[group]; }
  /// True if no cluster could meet it.
  bool never(std::uint32_t group) const { return never_[group]; }
  /// Child groups that must still be met for the group to be met.
  std::int64_t children_lacking(std::uint32_t group) const;
  /// Child groups that are neither met nor hopeless, in order.
  std::vector<std::uint32_t> open_children(std::uint32_t group) const;
  /// Equal numbers: groups of one parent that differ in their names only.
  std::uint32_t kind(std::uint32_t group) const { return kinds_[group]; }

  struct Candidate {
    std::uint32_t domain = 0;
    /// How much of the domain the group would take: the sum over its leaves of the share of the
    /// domain's room for such pods, in parts of kWhole.
    std::int64_t load = 0;
    std::int64_t rank = 0;  // the least is tried first
  };
  static constexpr std::int64_t kWhole = std::int64_t{1} << 20;

  /// The domains of a level where the group could be if it were alone, by rank, and of those with
  /// the same rank the first in path order. Sorted as far as somebody has asked.
  class Candidates {
   public:
    std::size_t size() const { return list_.size(); }
    /// The i-th, i < size().
    const Candidate& at(std::size_t i);

   private:
    friend class TreeBounds;
    static bool after(const Candidate& a, const Candidate& b) {
      return a.rank != b.rank ? a.rank > b.rank : a.domain > b.domain;
    }
    std::vector<Candidate> list_;  // a heap, and behind it what was taken out, the last one first
    std::size_t taken_ = 0;
  };
  /// `among`: domains of the level. Valid as long as this object.
  Candidates& candidates(std::uint32_t group, TreeLevel level, topology::DomainRange among);
  /// How many groups like this one the domain could take at once; never too few.
  std::int64_t copies(std::uint32_t group, TreeLevel level, std::uint32_t domain);
  /// False if the group's pods need more of something than the domain has.
  bool sums_fit(std::uint32_t group, TreeLevel level, std::uint32_t domain);
  /// Pods of a leaf that fit into a domain.
  std::int64_t fits(std::uint32_t leaf, TreeLevel level, std::uint32_t domain) {
    const CountedPods& known = problem_.pods[leaf].counted;
    if (known.runs != level.runs || static_cast<std::size_t>(level.level) >= known.domains.size()) {
      return count(leaf, level, domain);
    }
    const std::uint32_t at = known.domains[static_cast<std::size_t>(level.level)][domain];
    return at == UINT32_MAX ? 0 : known.counts->rows.get(0, at);
  }
  /// Pods of a leaf that fit into the cluster.
  std::int64_t fits_anywhere(std::uint32_t leaf);
  /// What every placement of the group takes, by row.
  std::vector<std::int64_t> forced(std::uint32_t group) const;
  /// What pods of this gang can use of a domain, by row.
  const std::vector<std::int64_t>& sums(TreeLevel level, std::uint32_t domain);
  /// Equal numbers: domains of one level that look alike to every leaf.
  std::uint32_t look(TreeLevel level, std::uint32_t domain);

 private:
  using Place = std::tuple<int, int, std::uint32_t>;  // runs, level, domain
  std::int64_t count(std::uint32_t leaf, TreeLevel level, std::uint32_t domain);
  void judge(std::uint32_t group, const std::vector<bool>& left_out);
  void name_kind(std::uint32_t group);
  std::uint32_t number(const std::vector<std::uint64_t>& words);
  std::uint32_t look_of_host(std::uint32_t host);
  std::int64_t rank(TreeLevel level, std::uint32_t domain, std::int64_t load);
  std::int64_t whole_price(TreeLevel level, std::uint32_t domain);
  bool is_whole(TreeLevel level, std::uint32_t domain);
  std::int64_t copies_inside(std::uint32_t group, TreeLevel level, std::uint32_t domain);
  void add_forced(std::uint32_t group, std::vector<std::int64_t>& need) const;
  std::optional<std::int64_t> load_of_parts(std::uint32_t group, TreeLevel level,
                                            std::uint32_t domain);

  const TreeProblem& problem_;
  Steps& steps_;
  PrivateRoom room_;                       // as at the start
  std::vector<std::uint32_t> first_leaf_;  // by group, and one more
  std::vector<bool> met_, never_;
  std::vector<std::uint32_t> shapes_, kinds_;
  std::vector<std::int64_t> step_;  // by row: every need is a multiple of it
  struct HashOfWords {
    std::size_t operator()(const std::vector<std::uint64_t>& words) const;
  };
  std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, HashOfWords> numbers_;
  static constexpr std::int64_t kNotCounted = -1;
  struct Counted {
    TreeLevel level;
    std::vector<std::int64_t> pods;  // by domain
  };
  std::vector<std::uint32_t> like_;            // by leaf: the first leaf with such pods
  std::vector<std::vector<Counted>> counted_;  // by leaf
  struct Listed {
    std::uint32_t shape = 0;
    TreeLevel level;
    topology::DomainRange among;
    std::unique_ptr<Candidates> candidates;
  };
  std::vector<Listed> listed_;
  std::map<Place, std::vector<std::int64_t>> sums_;
  struct Looks {
    TreeLevel level;
    std::vector<std::uint32_t> numbers;  // by domain; UINT32_MAX: not looked at
  };
  std::vector<std::unique_ptr<Looks>> looks_;
  std::vector<std::uint64_t> words_;  // of one host; reused for its memory
  std::map<Place, bool> whole_;
};

}  // namespace tessera::solver
