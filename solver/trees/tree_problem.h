// SPDX-License-Identifier: Apache-2.0
// TreeProblem: a gang tree as its search sees it: groups in pre-order, leaves of equal pods, and
// what already runs.
//
// Made once for a decision; read by every part of the search, on any thread. Hosts are numbers into
// the list that the DomainRuns were made from. Amounts are exact units of the rows of `capacity`.
// A group is met when enough of its parts are (spec/gangs.md 4.2): all pods that it must have are
// placed, and `min_children` of its child groups are met.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/choice/options.h"
#include "solver/counting/count_table.h"
#include "topology/capacity.h"
#include "topology/domain_runs.h"

namespace tessera::solver {

/// What one pod takes, by row of the search (PrivateRoom): only rows with a value above 0.
struct Need {
  struct Part {
    std::uint32_t row;
    std::int64_t value;
    friend bool operator==(const Part&, const Part&) = default;
  };
  std::vector<Part> parts;
  bool unknown = false;  // asks for what no node has: fits nowhere
  friend bool operator==(const Need&, const Need&) = default;
};

/// A level of one of the topologies.
struct TreeLevel {
  int runs = -1;  // index into TreeProblem::runs
  int level = -1;
  explicit operator bool() const { return level >= 0; }
  friend bool operator==(const TreeLevel&, const TreeLevel&) = default;
};

/// Pods of one leaf on one host.
struct HostPods {
  std::uint32_t host = 0;
  std::int64_t pods = 0;
  friend bool operator==(const HostPods&, const HostPods&) = default;
};

/// How many pods of one kind the domains of a topology take, counted before (solver/index). Valid
/// until the capacity changes.
struct CountedPods {
  int runs = -1;                      // index into TreeProblem::runs
  const InnerRows* counts = nullptr;  // by domain of a tree
  /// By level, and by domain of the runs: the domain of that tree; UINT32_MAX: it has none, and
  /// takes nothing. Levels behind the last are not counted.
  std::span<const std::vector<std::uint32_t>> domains;
};

/// A leaf of the gang tree: equal pods, directly below one group.
struct TreePods {
  std::uint32_t group = 0;
  Need need;
  /// By host: true where the pods may not go (filters, nodes that take no pods). Null: nowhere.
  std::shared_ptr<const std::vector<bool>> barred;
  std::int64_t must = 0;               // pods that the minimum of the group still lacks
  std::int64_t more = 0;               // elastic pods
  std::vector<std::uint32_t> running;  // hosts of pods that run already, each once; not in `must`
  CountedPods counted = {};
};

/// The group has a domain to itself (kinds.md 0.6).
struct TreeExclusive {
  TreeLevel level;  // in the topology of the group's own level, which is as fine or finer
  /// Who may not be there: every other pod of the gang; else only other exclusive groups of it.
  bool everyone = false;
  /// By host: true where pods of other gangs run that may not be there. Null: nowhere.
  std::shared_ptr<const std::vector<bool>> foreign;
};

/// The child groups lie in different domains of `level`, at most `most` in each. Each child has a
/// level of the same topology that is as fine or finer.
struct TreeSpread {
  TreeLevel level;
  std::int64_t most = 1;
};

struct TreeGroup {
  std::uint32_t parent = 0;  // the root: 0
  std::uint32_t end = 0;     // the groups below are [self + 1, end)
  TreeLevel required, preferred;
  std::int64_t min_children = 0;  // of the child groups
  bool short_of_pods = false;     // it can never meet its minimum
  TreeExclusive exclusive;
  TreeSpread spread;
};

struct TreeProblem {
  std::vector<TreeGroup> groups;  // pre-order; [0] is the root
  std::vector<TreePods> pods;     // in the order of their groups
  std::vector<const topology::DomainRuns*> runs;
  const topology::Capacity* capacity = nullptr;
  topology::Basis basis = topology::Basis::kFree;
  DomainChoice choice = DomainChoice::kTightest;
  std::span<const topology::CellId> cells;  // by host; whoever made the problem keeps them
  std::vector<std::uint32_t> rows;          // of the capacity, by row of the search
};

enum class TreeVerdict : std::uint8_t {
  kPlaced,   // the minimum is placed, or was before
  kRefused,  // proved: no placement exists
  kBounded,  // the steps are used up; nothing is known
};

struct TreeAnswer {
  TreeVerdict verdict = TreeVerdict::kRefused;
  std::vector<std::vector<HostPods>> pods;            // by leaf; hosts ascending
  std::vector<std::optional<std::uint32_t>> domains;  // by group: of its required level
  std::int64_t steps = 0;
};

}  // namespace tessera::solver
